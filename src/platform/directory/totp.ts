import { totpCode } from '../../core/totp'

/** Whether `sent` is the present code. An empty secret has no valid code. */
export async function isTotpCode(secretBase64: string, sent: string, nowMillis: number): Promise<boolean> {
  const secret = Uint8Array.from(atob(secretBase64), character => character.charCodeAt(0))
  return secret.length > 0 && (await totpCode(secret, nowMillis)) === sent
}
