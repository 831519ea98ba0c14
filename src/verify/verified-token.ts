import type { Signal } from '../core/web-types'
import type { JWTPayload } from 'jose'
import { isRecord } from '../core/values'
import { anonymityIn } from '../transport/access-token'

/**
 * The kinds of tokens to accept, besides those of ordinary users. A token of release 2.8.18 cannot say that its user is
 * anonymous, and is accepted.
 */
export interface OfflineVerifyOptions {
  /** Accepts tokens of anonymous users. Default false: ANONYMOUS_AUTHENTICATION_NOT_ALLOWED. */
  readonly allowAnonymous?: boolean
  /**
   * Accepts tokens of restricted users, who have yet to meet a requirement of the project such as a verified address.
   * Default false: RESTRICTED_USER_NOT_ALLOWED.
   */
  readonly allowRestricted?: boolean
  /** The tolerance between the clocks of platform and backend. Default 5000. */
  readonly clockToleranceMillis?: number
  /**
   * The greatest age of the token, below the ten minutes of its life: an older one is refused with ACCESS_TOKEN_EXPIRED, and `app.fetch`
   * sends a new one. Above 10, since it does so once in 10 s. No release tells the age of the session.
   */
  readonly maxAgeSeconds?: number
  readonly signal?: Signal
}

/** The options of a server app, which can ask the platform about the user of a token that cannot say it. */
export interface VerifyOptions extends OfflineVerifyOptions {
  /**
   * Asks the platform whether the user is anonymous, where the token cannot say it: release 2.8.18. One request per token;
   * "not anonymous" is remembered until the token expires. Default false.
   */
  readonly askAnonymous?: boolean
}

declare const verified: unique symbol

/** The claims of a verified access token. Only a verification returns one: claims that were merely read are not assignable. */
export interface VerifiedToken {
  readonly [verified]: true
  readonly userId: string
  /** The session's id, as in the sessions list; null if the token names none. */
  readonly sessionId: string | null
  readonly projectId: string
  readonly issuedAt: Date | null
  readonly expiresAt: Date
  /** Undefined: a token of release 2.8.18 cannot say it; `askAnonymous` of a server app finds out. */
  readonly isAnonymous: boolean | undefined
  readonly isRestricted: boolean
  /** The requirement of the project that a restricted user has yet to meet: `email_not_verified`. Null for others. */
  readonly restrictedReason: { readonly type: string } | null
  /** The user's state when the token was issued; null if the platform's release does not include it. */
  readonly user: TokenUser | null
  /** All claims, as in the token. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** The user in tokens of newer releases. */
export interface TokenUser {
  readonly displayName: string | null
  readonly primaryEmail: string | null
  readonly primaryEmailVerified: boolean
  readonly selectedTeamId: string | null
  readonly signedUpAt: Date | null
  readonly requiresTotpMfa: boolean
}

/**
 * The result for a payload whose signature, expiry, audience and issuer have been checked. Reads the claim names of both
 * releases. `isForAnonymous`: the audience is that of anonymous users.
 */
export function verifiedToken(projectId: string, payload: JWTPayload, isForAnonymous: boolean): VerifiedToken {
  const { sub: userId = '', iat, exp = 0 } = payload
  return {
    userId,
    sessionId: textIn(payload, 'refresh_token_id') ?? textIn(payload, 'refreshTokenId'),
    projectId,
    issuedAt: instant(iat),
    expiresAt: new Date(exp * 1000),
    isAnonymous: isForAnonymous || anonymityIn(payload),
    isRestricted: payload['is_restricted'] === true,
    restrictedReason: restrictionIn(payload),
    user: userIn(payload),
    claims: payload,
    // The symbol exists only in types.
  } as Omit<VerifiedToken, typeof verified> as VerifiedToken
}

/** The user's restriction; null if the claims have none. */
export function restrictionIn(claims: Readonly<Record<string, unknown>>): VerifiedToken['restrictedReason'] {
  const reason = claims['restricted_reason']
  return isRecord(reason) && typeof reason['type'] === 'string' ? { type: reason['type'] } : null
}

function userIn(payload: JWTPayload): TokenUser | null {
  if (payload['email_verified'] === undefined) return null
  return {
    displayName: textIn(payload, 'name'),
    primaryEmail: textIn(payload, 'email'),
    primaryEmailVerified: payload['email_verified'] === true,
    selectedTeamId: textIn(payload, 'selected_team_id'),
    signedUpAt: instant(payload['signed_up_at']),
    requiresTotpMfa: payload['requires_totp_mfa'] === true,
  }
}

function textIn(payload: JWTPayload, name: string): string | null {
  const value = payload[name]
  return typeof value === 'string' ? value : null
}

function instant(seconds: unknown): Date | null {
  return typeof seconds === 'number' ? new Date(seconds * 1000) : null
}
