import { toBase64Url } from '../core/base64url'
import { invalidInput } from '../errors/auth-error'

/** What a verifier and a state look like: `randomBase64Url` makes both. */
export const secretPattern = /^[\w-]{43}$/

/** Throws INVALID_INPUT where a challenge cannot be made: browsers keep SHA-256 from pages that are not secure. */
export function assertHashes(): void {
  if (!globalThis.crypto?.subtle)
    throw invalidInput('the page', 'has to be served over https, or from localhost, for signing in with OAuth')
}

/** What the platform is told of a verifier beforehand (S256): the base64url of its SHA-256. */
export async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}
