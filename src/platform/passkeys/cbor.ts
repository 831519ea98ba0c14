/** The CBOR values in passkeys. */
export type Cbor = number | string | Uint8Array | Map<number | string, Cbor>

/** Encodes the value as CBOR, the binary format of WebAuthn; maps keep their order. */
export function toCbor(value: Cbor): Uint8Array<ArrayBuffer> {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') {
    const text = new TextEncoder().encode(value)
    return concat(head(3, text.length), text)
  }
  if (value instanceof Uint8Array) return concat(head(2, value.length), value)
  return concat(head(5, value.size), ...[...value].flatMap(([key, item]) => [toCbor(key), toCbor(item)]))
}

/** The major type and a number, in the shortest form. */
function head(major: number, count: number): Uint8Array<ArrayBuffer> {
  const type = major << 5
  if (count < 24) return Uint8Array.of(type | count)
  if (count < 0x100) return Uint8Array.of(type | 24, count)
  return Uint8Array.of(type | 25, count >> 8, count & 255)
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
