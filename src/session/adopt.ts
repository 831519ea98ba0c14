import { claimsOf, type Tokens } from '../transport/access-token'
import type { AuthError } from '../errors/auth-error'
import { changeOf, identify, learn, reasonOf } from './identity'
import type { Cause, IdentityChange, Identity, SignedOutReason } from './identity'
import { holdsSame, isSame, usableTokens } from './token-store'

/** The state of a session: its owner, and the tokens as last read or written. */
export interface SessionState {
  readonly identity: Identity
  /** The usable part of the stored tokens. */
  readonly tokens: Tokens | null
  /** The stored tokens as last read or written, unchanged. */
  readonly stored: Tokens | null
  /** Why the session is signed out; meaningful only while it is. */
  readonly reason: SignedOutReason
  /** A refresh has returned a new refresh token: using an old one twice may end the session. */
  readonly rotates: boolean
}

/**
 * The next state of a session. `change` is undefined if the tokens and the identity are those of before. `mustEmptyStore`: the store
 * contains a session that has ended, and is emptied; its writer did not know of the end.
 */
export type Adopted = readonly [state: SessionState, change: IdentityChange | undefined, mustEmptyStore: boolean]

/**
 * The state of a session after `read` was read from the token store, or written to it by `cause`; undefined if it stays the
 * same.
 *
 * - `refused`: an access token that the platform has refused.
 * - `ended`: ids of sessions that have ended; a token of those whose id is not known.
 * - `refusal`: why the platform has ended the session.
 */
export function adopt(
  { identity: was, tokens: before, stored, reason, rotates }: SessionState,
  read: Tokens | null,
  cause: Cause,
  refused: string | null,
  ended: ReadonlySet<string | null | undefined>,
  refusal?: AuthError,
): Adopted | undefined {
  // Fast path: read ten times a second and before every call, mostly unchanged.
  const isKnown = isSame(read, stored) && isSame(read, before)
  if (was.kind !== 'unknown' && isKnown && !ended.has(was.sessionId)) return undefined
  let tokens = usableTokens(read)
  if (tokens && tokens.accessToken === refused) tokens = { ...tokens, accessToken: null }
  const isSameText = holdsSame(tokens, before)
  // Cookies may lack the access token (too large, expired there, being written); the one in memory is still good.
  if (tokens?.accessToken === null && isSameText) tokens = before
  let identity = identify(was, tokens, isSameText || cause === 'refreshed')
  const mustEmptyStore = ended.has(identity.sessionId) || ended.has(tokens?.refreshToken ?? tokens?.accessToken)
  if (mustEmptyStore) {
    tokens = null
    identity = identify(was, null)
  }
  // The same object: a call that waits for another kit's refresh sees by it whether this kit has new ones.
  if (isSame(tokens, before)) tokens = before
  const isOther = identity.owner !== was.owner
  const isOut = isOther && identity.kind === 'signed-out'
  if (isOut)
    identity = { ...identity, refusal, follows: was.kind === 'user' && cause !== 'signed-out' ? was.owner : undefined }
  // Whether the user is restricted or anonymous, as far as the token can say it.
  if (tokens?.accessToken) identity = learn(identity, claimsOf(tokens) ?? {})
  return [
    {
      identity,
      tokens,
      stored: read,
      reason: isOut ? reasonOf(cause, was) : reason,
      rotates: rotates || (!isOther && tokens?.refreshToken !== before?.refreshToken),
    },
    isOther || tokens !== before ? changeOf(was, identity, cause) : undefined,
    mustEmptyStore,
  ]
}
