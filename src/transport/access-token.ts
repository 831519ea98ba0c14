import { fromBase64Url } from '../core/base64url'

/** What the kit reads from an access token. It is read, not verified: verifying is the platform's business. */
export interface AccessClaims {
  readonly userId: string
  /** The session that the token belongs to; the same as the id in the sessions list. Empty if the token names none. */
  readonly sessionId: string
  readonly issuedAtMillis: number | null
  /** Null: never expires. */
  readonly expiresAtMillis: number | null
  /**
   * Whether the platform may shut the user out: an anonymous user, or one of whom the project demands more. Only newer
   * releases say so; they answer such a user's calls only if a header admits the user.
   */
  readonly isLimited: boolean
  readonly isAnonymous: boolean
  /** What the project demands of the user first: the `type` of the reason. Null: nothing. */
  readonly restriction: string | null
}

/** The claims of an access token, or null if the text is not one. Knows both spellings of the session's claim. */
export function readAccessToken(text: string): AccessClaims | null {
  const claims = claimsIn(text)
  const userId = claims?.['sub']
  const sessionId = claims?.['refreshTokenId'] ?? claims?.['refresh_token_id'] ?? ''
  if (!claims || typeof userId !== 'string' || typeof sessionId !== 'string') return null
  const expiresAtMillis = seconds(claims['exp'])
  if (claims['exp'] !== undefined && expiresAtMillis === null) return null
  const isAnonymous = claims['is_anonymous'] === true
  const isRestricted = claims['is_restricted'] === true
  // Whatever it is, a property of it can be asked for.
  const reason = claims['restricted_reason'] as { readonly type?: string } | null | undefined
  return {
    userId,
    sessionId,
    issuedAtMillis: seconds(claims['iat']),
    expiresAtMillis,
    isLimited: isAnonymous || isRestricted,
    isAnonymous,
    // An anonymous user is restricted too, for no other reason.
    restriction: isRestricted && !isAnonymous ? reason?.type || 'unknown' : null,
  }
}

/** In characters: about the most that servers take in one header. The platform's own have about 1,000. */
const maxLength = 8192

/** Everything that a token says, as it says it; null if the text is not one. */
export function claimsIn(text: string): Readonly<Record<string, unknown>> | null {
  if (text.length > maxLength) return null
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
