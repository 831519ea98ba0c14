const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** A secure random text of `length` characters of lower-case Crockford base32: five bits each. */
export function randomText(length = 45): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), byte => alphabet[byte & 31]).join('')
}
