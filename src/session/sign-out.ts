import { wait } from '../core/clock'
import { isThenable } from '../core/promises'
import { isAuthError, toAuthError, unlessAborted, type AuthError } from '../errors/auth-error'
import { isInFamily } from '../errors/codes'
import { call } from '../transport/call'
import { claimsOf, readAccessToken, type Tokens } from '../transport/access-token'
import { signOutCurrent } from './endpoints'
import { identify, type Identity, type SignedOutReason } from './identity'
import { refreshOffTheStore } from './off-the-store'
import type { OwnStore, Refreshed } from './guarded-store'
import type { TokenSession } from './token-session'
import { holdsSame, maxReplaceTries, storeRefuses, usableTokens } from './token-store'

/** How long a sign-out waits for the platform; here it took effect before. */
export const signOutMillis = 2000

/**
 * Signs out of any session, also an anonymous one: first here and in the other tabs, then on the platform. Resolves when the
 * platform has revoked the session, or after 2 s.
 *
 * Rejects if its request may not write with the session, or if the store cannot be emptied, which `report` is told in any case:
 * the session is ignored here, and returns with the next start.
 */
export async function signOutSession(
  session: TokenSession,
  report: (error: unknown) => void,
  reason: SignedOutReason = 'signed-out',
): Promise<void> {
  session.store.own['~assertOwn']?.()
  session.clock.tap.tell?.({ in: 'sign out', reason })
  const done = new AbortController()
  const timeout = wait(session.clock, signOutMillis, done.signal).catch(() => undefined)
  let failure: AuthError | undefined
  const ending = endAndRevoke(session, reason, error => {
    report((failure = toAuthError(error)))
  })
  // On the platform it expires, if it cannot be revoked.
  await Promise.race([ending.catch(() => undefined), timeout])
  done.abort()
  if (failure) throw failure
}

/** A token store with sessions of several people. */
export interface LeavingStore extends OwnStore {
  /** Signs out of `accounts`; `end` signs out of the active one. */
  readonly '~leave'?: (session: TokenSession, accounts: Accounts, end: () => Promise<void>) => Promise<void>
}

/** Which people of this browser: all of them, or one. */
export type Accounts = 'all' | { readonly userId: string }

/** A session that has ended here. */
interface Left {
  readonly tokens: Tokens
  readonly identity: Identity
  readonly underWay: Promise<Refreshed> | undefined
}

async function endAndRevoke(
  session: TokenSession,
  reason: SignedOutReason,
  failed: (error: unknown) => void,
): Promise<void> {
  const left = await session.leave(() => empty(session, reason, failed))
  if (!left) return
  if (left.identity.sessionId) session.tabs.post({ ended: left.identity.sessionId })
  await revokeTokens(session, left.tokens, left.underWay)
}

/**
 * Ends the session here, and takes it from the store, but no later one. Resolves to the session as it was last; undefined: there
 * was none.
 */
async function empty(
  session: TokenSession,
  reason: SignedOutReason,
  failed: (error: unknown) => void,
): Promise<Left | undefined> {
  const { store, ended } = session
  let { tokens, identity, stored } = session
  let left: Left | undefined
  try {
    for (let tries = 0; ; tries++) {
      try {
        const read = store.read()
        if (isThenable(read)) {
          // Stores show signed out at once: they do not wait for a token store that answers later.
          if (!left && identity.kind === 'user') session.drop(reason)
          stored = await unlessAborted(read, ended)
        } else {
          stored = read
          if (!left) {
            session.found(stored)
            tokens = session.tokens
            identity = session.identity
            // Calls that were made before belong to the session that ends.
            await Promise.resolve()
          }
        }
      } catch (error) {
        // The tokens last read are used.
        if (left) throw error
      }
      if (left) session.clock.tap.tell?.({ in: 'held', tokens: stored })
      const held = usableTokens(stored)
      const isSame = holdsSame(held, tokens)
      const now = identify(identity, held, isSame)
      const isOther = session.identity.kind === 'user' && session.identity.owner !== identity.owner
      // A refresh came in between, but no other sign-in.
      if (!held || isOther || (left && now.owner !== identity.owner)) return left
      // A store that answers later has another session than was shown, which has ended here too.
      if (tokens && now.owner !== identity.owner) revokeTokens(session, tokens).catch(() => undefined)
      // Cookies may lack the access token; the one in memory is still good.
      if (!isSame || held.accessToken !== null) tokens = held
      identity = now
      left = {
        tokens: tokens ?? held,
        identity,
        underWay: refreshOf(session, held),
      }
      session.markEnded(identity.sessionId || (held.refreshToken ?? held.accessToken ?? ''))
      if (await session.end(stored, reason)) return left
      if (tries === maxReplaceTries) throw storeRefuses()
    }
  } catch (error) {
    session.drop(reason)
    if (!ended.aborted) failed(error)
    return left
  }
}

/** The refresh of these tokens that is under way in this kit. */
function refreshOf({ store }: TokenSession, { refreshToken }: Tokens): Promise<Refreshed> | undefined {
  return refreshToken === null ? undefined : store.refreshes.current(refreshToken)
}

/** Revokes a session that has ended here on the platform, even while the page unloads. */
export async function revokeTokens(
  session: TokenSession,
  tokens: Tokens,
  underWay = refreshOf(session, tokens),
): Promise<void> {
  const { accessToken, refreshToken } = tokens
  const send = (usable: string) =>
    call(
      session.transport,
      signOutCurrent,
      {},
      { as: { accessToken: usable, refreshToken }, keepalive: true, signal: session.ended },
    )
  const userId = claimsOf(tokens)?.userId
  // A gateway may mix up answers: the session of another user stays.
  const own = (brought: string | null | undefined) =>
    brought && (userId === undefined || readAccessToken(brought)?.userId === userId) ? brought : null
  const fresh = own((await underWay?.catch(() => undefined))?.accessToken)
  const isUsable = accessToken !== null && session.serverClock.remaining(accessToken) > 0
  const usable = fresh ?? (isUsable ? accessToken : null)
  if (usable !== null)
    try {
      await send(usable)
      return
    } catch (error) {
      // Expired after all: the clocks differ.
      if (!isAuthError(error) || !isInFamily(error.code, 'INVALID_ACCESS_TOKEN')) throw error
    }
  const brought = refreshToken === null ? null : own(await refreshOffTheStore(session, refreshToken))
  if (brought !== null) await send(brought)
}
