const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const pool = new Uint8Array(4096)
let used = pool.length

/** At most 4,096 secure random bytes, each given once: asking the system for few takes twenty times as long as to use them. */
function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  return pool.subarray(used, (used += count))
}

/** Secure random text of at least `bits` bits in lower-case Crockford base32: 224 bits are 45 characters, 80 are 16. */
export function randomText(bits = 224): string {
  const length = Math.ceil(bits / 5)
  const bytes = randomBytes(Math.ceil((length * 5) / 8))
  let text = ''
  let pending = 0
  let pendingBits = 0
  for (const byte of bytes) {
    pending = (pending << 8) | byte
    pendingBits += 8
    while (pendingBits >= 5) {
      pendingBits -= 5
      text += alphabet.charAt((pending >> pendingBits) & 31)
      pending &= (1 << pendingBits) - 1
    }
  }
  if (pendingBits > 0) text += alphabet.charAt((pending << (5 - pendingBits)) & 31)
  // Cut at the start, so that the short last character stays: of 45 characters the last is 0, 8, g or r, as on the hosted
  // platform.
  return text.slice(-length)
}
