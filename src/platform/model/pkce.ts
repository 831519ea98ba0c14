import { toBase64Url } from '../../core/encoding'

/** The S256 challenge of a verifier. */
export async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

export async function isVerifierOf(verifier: string, challenge: string, method: 'S256' | 'plain'): Promise<boolean> {
  return challenge === (method === 'plain' ? verifier : await challengeOf(verifier))
}
