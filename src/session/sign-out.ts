import { wait } from '../core/clock'
import { call } from '../transport/call'
import type { Tokens } from '../transport/credentials'
import { signOutCurrent } from './endpoints'
import { refreshOffTheStore } from './refresh'
import type { Refreshed } from './refresh'
import type { Session } from './session'

/** How long a sign-out waits for the platform; here it has taken effect long before. */
const revokeMillis = 2000

/**
 * Signs out whatever session there is, an anonymous one included: here and in the other tabs at once, then on the
 * platform. Resolves when the platform has revoked the session, or after 2 s; never rejects.
 */
export async function signOutSession(session: Session): Promise<void> {
  try {
    await session.sync()
    const { tokens, identity } = session
    if (!tokens) return
    const underWay = tokens.refreshToken === null ? undefined : session.refreshUnderWay(tokens.refreshToken)
    if (identity.sessionId) {
      session.markEnded(identity.sessionId)
      session.tabs.post({ ended: identity.sessionId })
    }
    // Rotation may get in between; what another account wrote is not ours to clear.
    while (session.identity === identity && !(await session.end(session.stored, 'signed-out'))) await session.sync()
    const done = new AbortController()
    const revoked = revoke(session, tokens, underWay).catch(() => undefined)
    const timeout = wait(session.clock, revokeMillis, done.signal).catch(() => undefined)
    await Promise.race([revoked, timeout])
    done.abort()
  } catch {
    // A store that cannot be read holds no session that could be used; and a sign-out does not fail.
  }
}

async function revoke(session: Session, tokens: Tokens, underWay: Promise<Refreshed> | undefined): Promise<void> {
  const { accessToken, refreshToken } = tokens
  const fresh = await underWay?.catch(() => undefined)
  const isUsable = accessToken !== null && session.remaining(accessToken) > 0
  const usable =
    fresh?.accessToken ??
    (isUsable ? accessToken : refreshToken === null ? null : await refreshOffTheStore(session, refreshToken))
  if (usable === null) return
  await call(
    session.transport,
    signOutCurrent,
    {},
    {
      as: { accessToken: usable, refreshToken },
      keepalive: true,
      signal: session.ended,
    },
  )
}
