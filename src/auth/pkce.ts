import { invalidInput } from '../errors/auth-error'

/** Specification §7: a verifier is so many random bytes. */
const secretBytes = 32

/** What a secret of `randomSecret` looks like. */
export const secretPattern = /^[\w-]{43}$/

/** A secret in base64url, 43 characters: an OAuth flow's verifier, and its state. */
export function randomSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(secretBytes)))
}

/** Throws INVALID_INPUT where a challenge cannot be made: browsers keep SHA-256 from pages that are not secure. */
export function assertHashes(): void {
  if (!globalThis.crypto?.subtle)
    throw invalidInput('the page', 'has to be served over https, or from localhost, for signing in with OAuth')
}

/** What the platform is told of a verifier beforehand (S256): the base64url of its SHA-256. */
export async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}
