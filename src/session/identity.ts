import { AuthError } from '../errors/auth-error'
import type { Owner, Tokens } from '../transport/credentials'
import { readAccessToken } from '../transport/access-token'

/**
 * Why nobody is signed in.
 *
 * @example
 * const words: Record<SignedOutReason, string> = {
 *   never: 'Welcome.',
 *   'signed-out': 'Good-bye.',
 *   elsewhere: 'You have signed out in another tab.',
 *   expired: 'Please sign in again.',
 *   deleted: 'This account is gone.',
 * }
 */
export type SignedOutReason = 'never' | 'signed-out' | 'elsewhere' | 'expired' | 'deleted'

/** What brought the tokens that are in force now. */
export type Cause = SignedOutReason | 'signed-in' | 'refreshed'

/**
 * Who the session belongs to. One object from sign-in to sign-out: rotated tokens do not change it, and learning whose a
 * refresh token is only fills it in. Compared by reference.
 */
export interface Identity extends Owner {
  /** 'unknown': the token store has not answered yet. */
  readonly kind: 'unknown' | 'signed-out' | 'user'
  /** Null while only a refresh token is known. */
  userId: string | null
  sessionId: string | null
  /** What the project demands of the user first, as the last access token says; none where it does not. */
  restriction?: string | null | undefined
  /** The signed-out identity after a session that has ended other than by `signOut` here: what is asked for it is nobody's. */
  turnedOut?: Identity
  /** Of a signed-out identity: how the platform refused the session before. */
  refusal?: AuthError | undefined
}

/** What `now` is to the identity before it: the same, what that one has turned out to be, or another one. */
export type Change = 'none' | 'learnt' | 'other'

/** Whose session `tokens` are, `present` if it is the same one. `isSame`: they are known to continue it. */
export function identify(present: Identity, tokens: Tokens | null, isSame: boolean): Identity {
  if (!tokens) return present.kind === 'signed-out' ? present : newIdentity('signed-out')
  const claims = tokens.accessToken === null ? null : readAccessToken(tokens.accessToken)
  if (present.kind !== 'user') return newIdentity('user', claims?.userId, claims?.sessionId)
  if (!claims) return isSame ? present : newIdentity('user')
  const { userId, sessionId } = claims
  // Until now only the refresh token was known; finding out whose it is changes nothing.
  if (present.userId === null && isSame) return Object.assign(present, { userId, sessionId })
  return present.userId === userId && present.sessionId === sessionId ? present : newIdentity('user', userId, sessionId)
}

/** How `now` follows `was`. The end of a session is no other identity, unless it is signed out here. */
export function changeOf(was: Identity, now: Identity, cause: Cause): Change {
  if (now === was) return 'none'
  if (was.kind === 'unknown') return 'learnt'
  if (now.kind !== 'signed-out' || cause === 'signed-out') return 'other'
  was.turnedOut = now
  return 'learnt'
}

/** Whether what was asked for `owner` may be told while `present` is signed in, or nobody. */
export function isStill(owner: Identity, present: Identity): boolean {
  return owner === present || owner.turnedOut === present
}

/** Why nobody is signed in after `cause` has taken the session of `was` away. */
export function reasonOf(cause: Cause, was: Identity): SignedOutReason {
  if (cause === 'signed-in' || cause === 'refreshed') return 'elsewhere'
  return was.kind === 'unknown' && cause === 'elsewhere' ? 'never' : cause
}

export function newIdentity(
  kind: Identity['kind'],
  userId: string | null = null,
  sessionId: string | null = null,
): Identity {
  return { '~owner': true, kind, userId, sessionId }
}

/** Why nothing is sent for `owner` while `present` is signed in, or nobody. */
export function crossed(owner: Owner, present: Identity): AuthError {
  return ((owner as Identity).turnedOut === present && present.refusal) || sessionChanged()
}

/** An access token that has expired, where no refresh token can bring another one. */
export function tokenExpired(accessToken: string | null): AuthError<'ACCESS_TOKEN_EXPIRED'> {
  const at = accessToken === null ? null : readAccessToken(accessToken)?.expiresAtMillis
  return new AuthError(
    'ACCESS_TOKEN_EXPIRED',
    'the access token has expired, and there is no refresh token; sign in again',
    {
      details: { expiredAt: typeof at === 'number' ? new Date(at) : null },
    },
  )
}

export function sessionChanged(): AuthError<'SESSION_CHANGED'> {
  return new AuthError('SESSION_CHANGED', 'this call belongs to another session; nothing was sent for it')
}
