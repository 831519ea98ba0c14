import { wait } from '../core/clock'
import { isAuthError } from '../errors/auth-error'
import { isInFamily } from '../errors/codes'
import { call } from '../transport/call'
import type { Owner, Tokens } from '../transport/access-token'
import { signOutCurrent } from './endpoints'
import { latest } from './identity'
import type { SessionState } from './adopt'
import { refreshOffTheStore } from './refresh'
import type { Refreshed } from './guarded-store'
import type { TokenSession } from './token-session'
import { maxReplaceTries } from './token-store'

/** How long a sign-out waits for the platform; here it took effect before. */
const signOutMillis = 2000

/**
 * Signs out of any session, also an anonymous one: first here and in the other tabs, then on the platform. Resolves when the
 * platform has revoked the session, or after 2 s; rejects only if its request may not write with the session.
 */
export async function signOutSession(session: TokenSession): Promise<void> {
  session.store.assertOwn?.()
  const done = new AbortController()
  const timeout = wait(session.clock, signOutMillis, done.signal).catch(() => undefined)
  // Any failure leaves the session ended here; on the platform it expires.
  await Promise.race([endAndRevoke(session).catch(() => undefined), timeout])
  done.abort()
}

async function endAndRevoke(session: TokenSession): Promise<void> {
  try {
    await session.sync()
  } catch {
    // The tokens last read are used.
  }
  const { tokens, identity } = session
  const { owner } = identity
  if (!tokens) return
  const underWay = tokens.refreshToken === null ? undefined : session.store.refreshes.current(tokens.refreshToken)
  const last = await clear(session, owner)
  const { sessionId } = latest(last.identity, session.identity)
  if (sessionId) {
    session.markEnded(sessionId)
    session.tabs.post({ ended: sessionId })
  }
  if (session.identity.owner === owner) session.drop('signed-out')
  await revokeTokens(session, last.tokens ?? tokens, underWay)
}

/** Removes the session of `owner`, and no other, from the store. Returns its last state. */
async function clear(session: TokenSession, owner: Owner): Promise<Pick<SessionState, 'tokens' | 'identity'>> {
  let { tokens, identity } = session
  try {
    for (let tries = 0; tries < maxReplaceTries && session.identity.owner === owner; tries++) {
      tokens = session.tokens
      identity = session.identity
      if (await session.end(session.stored, 'signed-out')) break
      // A refresh or another sign-in came in between.
      await session.sync()
    }
  } catch {
    // The store cannot be written; its tokens are ignored from now on.
  }
  return { tokens, identity }
}

/** Revokes a session that has ended here on the platform, even while the page unloads. */
export async function revokeTokens(
  session: TokenSession,
  tokens: Tokens,
  underWay?: Promise<Refreshed>,
): Promise<void> {
  const { accessToken, refreshToken } = tokens
  const send = (usable: string) =>
    call(
      session.transport,
      signOutCurrent,
      {},
      { as: { accessToken: usable, refreshToken }, keepalive: true, signal: session.ended },
    )
  const fresh = await underWay?.catch(() => undefined)
  const isUsable = accessToken !== null && session.serverClock.remaining(accessToken) > 0
  const usable = fresh?.accessToken ?? (isUsable ? accessToken : null)
  if (usable !== null)
    try {
      await send(usable)
      return
    } catch (error) {
      // Expired after all: the clocks differ.
      if (!isAuthError(error) || !isInFamily(error.code, 'INVALID_ACCESS_TOKEN')) throw error
    }
  const brought = refreshToken === null ? null : await refreshOffTheStore(session, refreshToken)
  if (brought !== null) await send(brought)
}
