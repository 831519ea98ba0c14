const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Secure random text of at least `bits` bits in lower-case Crockford base32: 224 bits are 45 characters, 80 are 16. */
export function randomText(bits = 224): string {
  const length = Math.ceil(bits / 5)
  // As base32 of whole bytes ends, on the hosted platform too: of 45 characters the last is 0, 8, g or r.
  const last = length % 8 === 0 ? 31 : 24
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, (byte, index) => alphabet.charAt(byte & (index === length - 1 ? last : 31))).join('')
}
