const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Secure random text of at least `bits` bits in lower-case Crockford base32: 224 bits are 45 characters, 80 are 16. */
export function randomText(bits = 224): string {
  const length = Math.ceil(bits / 5)
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil((length * 5) / 8)))
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
