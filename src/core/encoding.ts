export function toBase64Url(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  // `Uint8Array.from` takes one code point at a time: ten times as long, at every request.
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** Bytes that are no UTF-8 become U+FFFD. */
export function utf8(bytes: Uint8Array): string {
  // React Native has it from 0.85 on.
  if ('TextDecoder' in globalThis) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const escaped = Array.from(bytes, byte => `%${(byte + 256).toString(16).slice(1)}`).join('')
  return escaped.replace(/%(?:[cd].%[89ab].|e.(?:%[89ab].){2}|f.(?:%[89ab].){3}|..)/g, char => {
    try {
      return decodeURIComponent(char)
    } catch {
      return '\ufffd'
    }
  })
}

/** 43 characters of 256 secure random bits: a state, a PKCE verifier. */
export function randomBase64Url(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
}

/**
 * 45 characters that no other request has, of lower-case hexadecimal digits. A cache buster only: the platform ignores it, and
 * no secret depends on it. Nothing is drawn ahead here, so that no copy of a process repeats a text.
 */
export function nonce(): string {
  const { crypto } = globalThis as { readonly crypto?: { randomUUID?(): string } }
  let text = ''
  // Pages without https and React Native have no UUIDs. Node makes one in a tenth of the time of other random bytes. Random
  // numbers that a test has replaced may have no digits.
  while (text.length < 45)
    // eslint-disable-next-line no-restricted-properties -- an injected clock may return the same number each time
    text += (crypto?.randomUUID?.() ?? Math.random().toString(16).slice(2)).replaceAll('-', '') || '0'
  return text.slice(0, 45)
}

/**
 * 53 bits that tell texts apart, in base 36: for keys of storage that must not contain the text. Synchronous, unlike
 * `crypto.subtle`, and no proof of anything: ids of users are random, so that the text cannot be found by trying.
 */
export function textHash(text: string): string {
  let [low, high] = [0xdeadbeef, 0x41c6ce57]
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    low = Math.imul(low ^ point, 2_654_435_761)
    high = Math.imul(high ^ point, 1_597_334_677)
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & high) + (low >>> 0)).toString(36)
}
