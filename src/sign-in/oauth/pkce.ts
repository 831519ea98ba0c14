import { toBase64Url } from '../../core/base64url'
import { DEV } from '../../core/dev'
import { invalidInput } from '../../errors/auth-error'

/** The form of a verifier and a state, both made by `randomBase64Url`. */
export const secretPattern = /^[\w-]{43}$/

/** Throws INVALID_INPUT if no challenge can be made: browsers have no SHA-256 on insecure pages. */
export function assertHashes(): void {
  if (!globalThis.crypto?.subtle)
    throw invalidInput('the page', DEV ? 'must be served over https, or from localhost, to sign in with OAuth' : '')
}

/** The challenge of a verifier (S256): the base64url of its SHA-256. */
export async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}
