const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 base32 in upper case, without padding: what authenticator apps read. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((value >> (bits - 5)) & 31)
  }
  return bits > 0 ? text + alphabet.charAt((value << (5 - bits)) & 31) : text
}

/** Each code belongs to one step. */
export const totpStepMillis = 30_000

/**
 * The six-digit code of the secret at this instant: HMAC-SHA1 of the number of the 30-second step, truncated as in RFC 4226.
 * Codes of neighbouring steps are not accepted.
 *
 * @example
 * const { secret } = await app.startTotpEnrolment()
 * await app.enableTotp({ secret, totp: await totpCode(secret, Date.now()) })
 */
export async function totpCode(secret: Uint8Array, nowMillis: number): Promise<string> {
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(secret), { name: 'HMAC', hash: 'SHA-1' }, false, [
    'sign',
  ])
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(Math.floor(nowMillis / totpStepMillis)))
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter))
  const offset = mac.getUint8(mac.byteLength - 1) & 15
  const number = (mac.getUint32(offset) & 0x7fffffff) % 1_000_000
  return String(number).padStart(6, '0')
}
