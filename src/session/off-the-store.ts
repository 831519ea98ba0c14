import { wait } from '../core/clock'
import { unlessAborted } from '../errors/auth-error'
import { token } from './endpoints'
import {
  exclusively,
  grant,
  isRefused,
  lateMillis,
  locked,
  lockedLimitMillis,
  TakenOver,
  tokensIn,
  what,
} from './refresh'
import type { Refreshable } from './refresh'
import type { TokenSession } from './token-session'
import { maxReplaceTries, storeRefuses, type MayFollow } from './token-store'
import type { Tokens } from '../transport/access-token'
import { requestFailed } from '../transport/call'
import { splitRoute } from '../transport/endpoint'
import { withRetries, type SendRequest } from '../transport/retry'
import { apiUrl } from '../transport/transport'

/** For a session that has ended here: the access token is used only to revoke it. Another tab may refresh it at this moment. */
export async function refreshOffTheStore(session: Refreshable, refreshToken: string): Promise<string | null> {
  const { transport } = session
  const [method, path] = splitRoute(token.route)
  const answer = await withRetries(
    transport,
    { method, path, what, repeatable: false, limitMillis: lockedLimitMillis, signal: session.ended },
    async send => {
      const ask = () => send(apiUrl(transport.config, path), grant(transport.config, refreshToken))
      const result = await exclusively(session, ask)
      if (result) return result
      throw locked()
    },
  )
  return answer.status === 200 ? tokensIn(answer).accessToken : null
}

/**
 * Renews a session that is not in the store, while this tab has the lock of all tabs. `tokenOf` gives its refresh token once the lock
 * is held, since another tab may have renewed the session before; without one nothing is sent, and the result is undefined. `settle`
 * gets the new tokens before the lock is given back, or null: the platform has ended the session.
 */
export async function grantOffTheStore<T>(
  session: Refreshable,
  tokenOf: () => string | null | undefined,
  settle: (tokens: Tokens | null, refreshToken: string, askedAt: number) => Promise<T>,
): Promise<T | undefined> {
  const { transport, clock, ended } = session
  const [method, path] = splitRoute(token.route)
  let settled: { readonly value: T } | undefined
  const attempt = async (send: SendRequest, hasWaited: boolean) => {
    // The storage of the other tab's tokens may be as late as its cookies.
    if (hasWaited) await wait(clock, lateMillis, ended)
    const refreshToken = tokenOf()
    if (!refreshToken) throw new TakenOver()
    const askedAt = clock.now()
    const result = await send(apiUrl(transport.config, path), grant(transport.config, refreshToken))
    if (!('status' in result)) return result
    const isEnded = isRefused(result)
    if (isEnded || result.status === 200) {
      const tokens = isEnded ? null : tokensIn(result)
      const next = tokens && { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken }
      settled = { value: await settle(next, refreshToken, askedAt) }
    }
    return result
  }
  try {
    const answer = await withRetries(
      transport,
      { method, path, what, repeatable: true, limitMillis: lockedLimitMillis, signal: ended },
      async send => {
        const result = await exclusively(session, (_, hasWaited = false) => attempt(send, hasWaited))
        if (result) return result
        throw locked()
      },
    )
    if (settled) return settled.value
    throw answer.error ?? requestFailed(transport.config, method, path, answer, what)
  } catch (error) {
    if (error instanceof TakenOver) return undefined
    throw error
  }
}

/** Starts a session with tokens that the platform was asked for at `askedAt`, unless `mayFollow` refuses those in the store. */
export async function startIf(
  session: TokenSession,
  next: Tokens,
  askedAt: number,
  mayFollow: MayFollow,
): Promise<void> {
  session.clock.tap.tell?.({ in: 'signed in', tokens: next })
  session.serverClock.learn(next.accessToken, askedAt)
  for (let tries = 0; tries < maxReplaceTries; tries++) {
    const present = await unlessAborted(Promise.resolve(session.store.read()), session.ended)
    if (!mayFollow(present) || (await session.write(present, next, 'signed-in'))) return
  }
  throw storeRefuses()
}
