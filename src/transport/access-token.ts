import { fromBase64Url } from '../core/base64url'

/** The claims that the kit reads from an access token, unverified: verifying is for backends. */
export interface AccessClaims {
  readonly userId: string
  /** The id of the token's session, as in the sessions list. Empty if the token names none. */
  readonly sessionId: string
  readonly issuedAtMillis: number | null
  /** Null: never expires. */
  readonly expiresAtMillis: number | null
  /**
   * Whether the platform refuses this user's calls unless a header admits limited users: an anonymous user, or one who has
   * yet to meet a requirement of the project. Only newer releases set it.
   */
  readonly isLimited: boolean
  readonly isAnonymous: boolean
  /** The requirement that the user has yet to meet: the `type` of the reason. Null: none. */
  readonly restriction: string | null
}

/** The claims of an access token, or null if the text is not one. Reads both spellings of the session's claim. */
export function readAccessToken(text: string): AccessClaims | null {
  const claims = claimsIn(text)
  const userId = claims?.['sub']
  const sessionId = claims?.['refreshTokenId'] ?? claims?.['refresh_token_id'] ?? ''
  if (!claims || typeof userId !== 'string' || typeof sessionId !== 'string') return null
  const expiresAtMillis = seconds(claims['exp'])
  if (claims['exp'] !== undefined && expiresAtMillis === null) return null
  const isAnonymous = claims['is_anonymous'] === true
  const isRestricted = claims['is_restricted'] === true
  // Unchecked: reading a property of any non-null value is safe.
  const reason = claims['restricted_reason'] as { readonly type?: string } | null | undefined
  return {
    userId,
    sessionId,
    issuedAtMillis: seconds(claims['iat']),
    expiresAtMillis,
    isLimited: isAnonymous || isRestricted,
    isAnonymous,
    // An anonymous user is restricted too, but for that reason alone.
    restriction: isRestricted && !isAnonymous ? reason?.type || 'unknown' : null,
  }
}

/** In characters: about the limit of servers for one header. The platform's own tokens have about 1,000. */
export const maxTokenLength = 8192

/** All claims of a token, unchanged; null if the text is not one. */
export function claimsIn(text: string): Readonly<Record<string, unknown>> | null {
  // A header carries no other characters.
  if (text.length > maxTokenLength || !/^[!-~]+$/.test(text)) return null
  const [, payload] = text.split('.')
  if (!payload) return null
  try {
    return JSON.parse(new TextDecoder().decode(fromBase64Url(payload))) as Readonly<Record<string, unknown>> | null
  } catch {
    return null
  }
}

function seconds(claim: unknown): number | null {
  return typeof claim === 'number' && Number.isFinite(claim) ? claim * 1000 : null
}
