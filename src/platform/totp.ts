/** Protocol §7: a code a step. */
const stepSeconds = 30

/**
 * The six digits that belong to the secret at this instant: HMAC-SHA1 of the number of the 30-second step, cut as RFC 4226
 * says. The steps beside it have other codes, and are not accepted.
 */
export async function totpCode(secret: Uint8Array<ArrayBuffer>, nowMillis: number): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(Math.floor(nowMillis / 1000 / stepSeconds)))
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter))
  const offset = mac.getUint8(mac.byteLength - 1) & 15
  const number = (mac.getUint32(offset) & 0x7fffffff) % 1_000_000
  return String(number).padStart(6, '0')
}

/** Whether `sent` is the right code now. A secret of no bytes has none. */
export async function isTotpCode(secretBase64: string, sent: string, nowMillis: number): Promise<boolean> {
  const secret = Uint8Array.from(atob(secretBase64), character => character.charCodeAt(0))
  return secret.length > 0 && (await totpCode(secret, nowMillis)) === sent
}
