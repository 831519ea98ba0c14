/**
 * 45 characters that no other request has, of lower-case hexadecimal digits. A cache buster only: the platform ignores it, and
 * no secret depends on it. Nothing is drawn ahead here, so that no copy of a process repeats a text.
 */
export function nonce(): string {
  const { crypto } = globalThis as { readonly crypto?: { randomUUID?(): string } }
  let text = ''
  // Pages without https and React Native have no UUIDs. Node makes one in a tenth of the time of other random bytes.
  while (text.length < 45)
    // eslint-disable-next-line no-restricted-properties -- an injected clock may return the same number each time
    text += crypto?.randomUUID?.().replaceAll('-', '') ?? Math.random().toString(16).slice(2)
  return text.slice(0, 45)
}
