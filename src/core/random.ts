const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** `length` secure random characters of lower-case Crockford base32, five bits each. */
export function randomText(length = 45): string {
  let text = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(length))) text += alphabet.charAt(byte & 31)
  return text
}
