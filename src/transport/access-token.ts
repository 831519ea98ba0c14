import type { AuthError } from '../errors/auth-error'
import { fromBase64Url, utf8 } from '../core/encoding'

/** The two tokens of a session; a session has at least one of them. */
export interface Tokens {
  readonly accessToken: string | null
  readonly refreshToken: string | null
}

/**
 * The owner of a session, and of the calls made in it: captured when a call is made, compared by reference before each
 * attempt. What is known of it is an `Identity`.
 */
export interface Owner {
  readonly '~owner': true
}

/** The session as a transport uses it; injected by the kit. */
export interface Credentials {
  /** The tokens for the next attempt, refreshed if needed. Rejects with SESSION_CHANGED if `owner` has changed. */
  tokensFor(owner: Owner, signal: AbortSignal | undefined): Promise<Tokens | null>
  /** The platform refused this access token, which is never sent again. `refusal`: the cause if that ends the session. */
  refused(accessToken: string, refusal?: AuthError): void
  /** The platform knows no user for this access token: refreshes once. True: worth another attempt. */
  userMissing(
    owner: Owner,
    accessToken: string,
    signal: AbortSignal | undefined,
    refusal: AuthError | undefined,
  ): Promise<boolean>
}

/** The claims that the kit reads from an access token, unverified: verifying is for backends. */
interface AccessClaims {
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
  /** Undefined: the token cannot say it. */
  readonly isAnonymous: boolean | undefined
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
  const isAnonymous = anonymityIn(claims)
  const isRestricted = claims['is_restricted'] === true
  // Unchecked: reading a property of any non-null value is safe.
  const reason = claims['restricted_reason'] as { readonly type?: string } | null | undefined
  return {
    userId,
    sessionId,
    issuedAtMillis: seconds(claims['iat']),
    expiresAtMillis,
    isLimited: isAnonymous === true || isRestricted,
    isAnonymous,
    // An anonymous user is restricted too, but for that reason alone.
    restriction: isRestricted && !isAnonymous ? reason?.type || 'unknown' : null,
  }
}

/**
 * Whether the claims are of an anonymous user; undefined if they cannot say it. Releases that can also name the session in
 * snake case; 2.8.18 names it in camel case.
 */
export function anonymityIn(claims: Readonly<Record<string, unknown>>): boolean | undefined {
  const said = claims['is_anonymous']
  if (typeof said === 'boolean') return said
  return claims['refresh_token_id'] === undefined ? undefined : false
}

/** In characters: about the limit of servers for one header. The platform's own tokens have about 1,000. */
export const maxTokenLength = 8192

/** Decoded once for each pair of tokens, which is immutable: several places ask at every call. */
const read = /* @__PURE__ */ new WeakMap<Tokens, AccessClaims | null>()

/** The claims of the access token among `tokens`; null without one. */
export function claimsOf(tokens: Tokens | null): AccessClaims | null {
  if (!tokens?.accessToken) return null
  let claims = read.get(tokens)
  if (claims === undefined) read.set(tokens, (claims = readAccessToken(tokens.accessToken)))
  return claims
}

/** All claims of a token, unchanged; null if the text is not one. */
export function claimsIn(text: string): Readonly<Record<string, unknown>> | null {
  // A header carries no other characters.
  if (text.length > maxTokenLength || !/^[!-~]+$/.test(text)) return null
  const [, payload] = text.split('.')
  if (!payload) return null
  try {
    return JSON.parse(utf8(fromBase64Url(payload))) as Readonly<Record<string, unknown>> | null
  } catch {
    return null
  }
}

function seconds(claim: unknown): number | null {
  return typeof claim === 'number' && Number.isFinite(claim) ? claim * 1000 : null
}
