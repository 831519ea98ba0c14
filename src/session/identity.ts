import { DEV } from '../core/dev'
import { developerError, type AuthError } from '../errors/auth-error'
import { readAccessToken, type Owner, type Tokens } from '../transport/access-token'

/** Why the session is signed out. `idle` and `limit`: by `sessionLimits` in this page. */
export type SignedOutReason = 'never' | 'signed-out' | 'elsewhere' | 'expired' | 'deleted' | 'idle' | 'limit'

/** Why the present tokens became the present ones. */
export type Cause = SignedOutReason | 'signed-in' | 'refreshed'

/**
 * The session's owner, as far as it is known. The object never changes: a fact that becomes known later, such as the user of a
 * bare refresh token, makes another one with the same `owner`. New tokens of the session make none.
 */
export interface Identity {
  /** The same object from sign-in to sign-out; two identities are of one session if it is. */
  readonly owner: Owner
  /** 'unknown': the token store has not been read yet. */
  readonly kind: 'unknown' | 'signed-out' | 'user'
  /** Null while only a refresh token is known. */
  readonly userId: string | null
  readonly sessionId: string | null
  /**
   * The requirement of the project that the user has yet to meet, by the last access token or as the platform has said since; none
   * for an unrestricted user.
   */
  readonly restriction?: string | null | undefined
  /** Undefined: neither the access token nor the platform has said it. */
  readonly isAnonymous?: boolean | undefined
  /**
   * The owner before a signed-out identity, if its session ended other than by `signOut` here: its calls are answered as
   * signed out.
   */
  readonly follows?: Owner | undefined
  /** The platform's refusal that ended the session before a signed-out identity. */
  readonly refusal?: AuthError | undefined
}

/**
 * How an identity follows the one before it. `learnt`: the kit has found out who is signed in, or that the session has ended
 * without a `signOut` here, and calls under way are answered. `other`: calls under way reject.
 */
export type IdentityChange = 'none' | 'learnt' | 'other'

/** The identity of `tokens`: `present` if they continue it. `isSame`: they are known to. */
export function identify(present: Identity, tokens: Tokens | null, isSame = false): Identity {
  if (!tokens) return present.kind === 'signed-out' ? present : newIdentity('signed-out')
  const claims = tokens.accessToken === null ? null : readAccessToken(tokens.accessToken)
  if (present.kind !== 'user') return newIdentity('user', claims?.userId, claims?.sessionId)
  if (!claims) return isSame ? present : newIdentity('user')
  const { userId, sessionId } = claims
  // Only the refresh token was known; finding out its user is no change.
  if (present.userId === null && isSame) return learn(present, { userId, sessionId })
  return present.userId === userId && present.sessionId === sessionId ? present : newIdentity('user', userId, sessionId)
}

/** The identity with what has become known of it. No user becomes anonymous: whatever says so is late. */
export function learn(
  identity: Identity,
  known: Partial<Pick<Identity, 'userId' | 'sessionId' | 'restriction' | 'isAnonymous' | 'refusal'>>,
): Identity {
  const { isAnonymous } = identity
  return { ...identity, ...known, isAnonymous: isAnonymous !== false && (known.isAnonymous ?? isAnonymous) }
}

/** The latest identity of the owner of `identity`; default: the present one. */
export function currentOf(identity: Identity | undefined, present: Identity): Identity {
  return identity && identity.owner !== present.owner ? identity : present
}

/** How `now` follows `was`; `cause` is why the tokens changed. */
export function changeOf(was: Identity, now: Identity, cause: Cause): IdentityChange {
  if (now.owner === was.owner) return 'none'
  return was.kind === 'unknown' || (now.kind === 'signed-out' && cause !== 'signed-out') ? 'learnt' : 'other'
}

/** Whether a call made for `owner` may be answered while `present` is the identity. */
export function mayAnswer(owner: Owner, present: Identity): boolean {
  return owner === present.owner || owner === present.follows
}

/** Why the session is signed out after `cause` ended that of `was`. */
export function reasonOf(cause: Cause, was: Identity): SignedOutReason {
  if (cause === 'signed-in' || cause === 'refreshed') return 'elsewhere'
  return was.kind === 'unknown' && cause === 'elsewhere' ? 'never' : cause
}

export function newIdentity(
  kind: Identity['kind'],
  userId: string | null = null,
  sessionId: string | null = null,
): Identity {
  return { owner: { '~owner': true }, kind, userId, sessionId }
}

const why = DEV ? '. If the user has not signed out, record(app) tells why: docs/bug-reports.md' : ''

/** Why a call of `owner` is not sent while `present` is the identity. */
export function refusalFor(owner: Owner, present: Identity): AuthError {
  return (owner === present.follows && present.refusal) || sessionChanged()
}

/** The access token has expired, and there is no refresh token. */
export function tokenExpired(accessToken: string | null): AuthError<'ACCESS_TOKEN_EXPIRED'> {
  const at = accessToken === null ? null : readAccessToken(accessToken)?.expiresAtMillis
  return developerError(
    'ACCESS_TOKEN_EXPIRED',
    `the access token has expired, and there is no refresh token; sign in again${why}`,
    { what: 'sign in again', details: { expiredAt: typeof at === 'number' ? new Date(at) : null } },
  )
}

export function sessionChanged(): AuthError<'SESSION_CHANGED'> {
  return developerError('SESSION_CHANGED', `this call belongs to another session; nothing was sent for it${why}`)
}
