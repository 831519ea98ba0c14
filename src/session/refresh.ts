import { wait, type TappedClock } from '../core/clock'
import { DEV } from '../core/dev'
import type { Host } from '../core/host'
import { isRecord } from '../core/values'
import { throwIfAborted } from '../core/signals'
import { unlessAborted, invalidResponse, isAuthError, developerError, type AuthError } from '../errors/auth-error'
import { isInFamily } from '../errors/codes'
import { token } from './endpoints'
import { maxMinMillis, type GuardedStore, type Refreshed } from './guarded-store'
import type { Cause, Identity, SignedOutReason } from './identity'
import type { ServerClock } from './server-clock'
import { withTabLock, type LockedWork } from './tabs'
import { usableTokens } from './token-store'
import { readAccessToken, type Tokens } from '../transport/access-token'
import { parse, type Answer } from '../transport/attempt'
import { requestFailed } from '../transport/call'
import { clientSecretOf, type Config } from '../transport/config'
import { splitRoute } from '../transport/endpoint'
import { formHeaders } from '../transport/headers'
import { withRetries } from '../transport/retry'
import { apiUrl, type Transport } from '../transport/transport'

/** The parts of the session that a refresh uses. */
export interface Refreshable {
  readonly identity: Identity
  readonly tokens: Tokens | null
  /** As the store has them, with an access token that the platform has refused. */
  readonly stored: Tokens | null
  readonly store: GuardedStore
  readonly transport: Transport
  readonly host: Host
  readonly clock: TappedClock
  readonly serverClock: ServerClock
  readonly ended: AbortSignal
  readonly rotates: boolean
  sync(): void | Promise<void>
  write(expected: Tokens | null, next: Tokens | null, cause: Cause): Promise<boolean>
  end(expected: Tokens | null, reason: SignedOutReason, refusal?: AuthError): Promise<boolean>
  /** Another kit has been refused with the tokens of the same store. */
  noteRefusal(refusal: AuthError | undefined): void
}

/** How long one attempt may hold the lock shared by all tabs. */
export const lockedLimitMillis = 5_000

/** For how long a tab may not see what the tab before it has stored: Firefox gives the lock before it shows the cookie. */
export const lateMillis = 150

export const what = DEV ? 'the refresh of the access token' : 'refresh'

export const takenOver: Refreshed = { outcome: 'taken-over', accessToken: null }

/**
 * Gets a new access token for `refreshToken`, once for all tabs, and stores it if the store still holds that refresh token.
 *
 * All other failures (network, 429, 5xx, an answer without tokens) reject and keep the session. It ends only if the platform
 * refuses the refresh token by a code of its own: a gateway, a captive portal or a mock may answer anything else.
 */
export async function refresh(session: Refreshable, refreshToken: string, reason: SignedOutReason): Promise<Refreshed> {
  const { transport, store } = session
  const startedWith = session.tokens?.accessToken
  const [method, path] = splitRoute(token.route)
  let refreshed: Refreshed | undefined
  /** Whether no other tab has refreshed, or changed the session. */
  const isNeeded = async () => {
    await session.sync()
    const { tokens } = session
    return tokens?.refreshToken === refreshToken && (tokens.accessToken === null || tokens.accessToken === startedWith)
  }
  const finish = (outcome: Refreshed): Refreshed => {
    transport.trace.emit(() => ({ type: 'refresh', outcome: outcome.outcome }))
    return outcome
  }
  try {
    const answer = await withRetries(
      transport,
      {
        method,
        path,
        what,
        // Safe to repeat: the platform does not rotate, and one that does returns the same successor for a minute.
        repeatable: true,
        limitMillis: store.sharedAs === undefined ? transport.attemptTimeoutMillis : lockedLimitMillis,
        signal: session.ended,
        attempt: transport.shared?.attempt(session.stored?.accessToken),
      },
      async send => {
        const attempt = async (isAlone: () => boolean, hasWaited = false) => {
          if (hasWaited && (await isNeeded())) await wait(transport.clock, lateMillis, session.ended)
          if (!(await isNeeded())) throw new TakenOver()
          const askedAt = transport.clock.now()
          const result = await send(apiUrl(transport.config, path), grant(transport.config, refreshToken))
          // Stored while the lock is held, or the next tab would read the old token and refresh again.
          if ('status' in result) refreshed = await settle(session, refreshToken, reason, result, askedAt, isAlone)
          return result
        }
        const result = await exclusively(session, attempt, isNeeded)
        if (result) return result
        throwIfAborted(session.ended)
        if (!(await isNeeded())) throw new TakenOver()
        throw locked()
      },
    )
    if (refreshed) return finish(refreshed)
    throw answer.error ?? requestFailed(transport.config, method, path, answer, what)
  } catch (error) {
    if (error instanceof TakenOver) return finish(takenOver)
    transport.trace.emit(() => ({ type: 'refresh', outcome: 'transient' }))
    throw error
  }
}

/** The lock of the tabs was not acquired, nor taken from a tab that is stuck. */
export function locked(): AuthError<'TIMED_OUT'> {
  return developerError('TIMED_OUT', 'other tabs have been refreshing this session for too long; try again', {
    details: { attempts: 0 },
  })
}

/** Thrown where another tab has done the work. */
export class TakenOver extends Error {}

/** Runs `work` under the lock of all tabs' refreshes. Undefined: the lock was not acquired in time. */
export async function exclusively<T>(
  session: Refreshable,
  work: LockedWork<T>,
  isNeeded?: () => Promise<boolean>,
): Promise<T | undefined> {
  const { store, host, clock, ended } = session
  // A store of this kit alone needs no lock: the kit already shares its refreshes.
  if (store.sharedAs === undefined) return work(() => true)
  const locked = await withTabLock(host, clock, `${store.sharedAs}:refresh`, ended, work, isNeeded)
  return locked.got ? locked.value : undefined
}

export function grant(config: Config, refreshToken: string): RequestInit {
  return {
    method: 'POST',
    headers: formHeaders(),
    redirect: 'error',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: config.projectId,
      client_secret: clientSecretOf(config),
    }),
  }
}

/** The outcome of an answer; undefined: a failure that says nothing of the session. */
async function settle(
  session: Refreshable,
  refreshToken: string,
  reason: SignedOutReason,
  answer: Answer,
  askedAt: number,
  isAlone: () => boolean,
): Promise<Refreshed | undefined> {
  const expected = { accessToken: null, refreshToken }
  if (!isRefused(answer)) {
    if (answer.status !== 200) return undefined
    const tokens = tokensIn(answer)
    const { userId } = session.identity
    const isStill = session.tokens?.refreshToken === refreshToken
    if (isStill && userId !== null && readAccessToken(tokens.accessToken)?.userId !== userId) {
      // Another request of this session may not know its user.
      session.transport.shared?.forget(refreshToken)
      throw invalidResponse('another user', 'the platform answered a refresh with a token of another user', {
        status: answer.status,
      })
    }
    session.serverClock.learn(tokens.accessToken, askedAt)
    const next = { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken ?? refreshToken }
    const written = await session.write(expected, next, 'refreshed')
    return { outcome: written ? 'refreshed' : 'taken-over', accessToken: tokens.accessToken, askedAt }
  }
  await session.sync()
  if (session.tokens?.refreshToken !== refreshToken) return takenOver
  if (!isAlone() && session.rotates) {
    // Without the lock, another tab may have used the same token first and not yet stored its successor.
    const { store, clock } = session
    const now = clock.monotonic()
    if (store.doubted?.refreshToken !== refreshToken) store.doubted = { refreshToken, since: now }
    if (now - store.doubted.since < lockedLimitMillis) return undefined
  }
  const refusal = answer.error
  if (!(await session.end(expected, reason, refusal))) return takenOver
  return { outcome: 'ended', accessToken: null, refusal }
}

/** Whether the platform has refused the refresh token, and with it ended the session. */
export function isRefused({ code }: Answer): boolean {
  return !!code && code !== 'CANNOT_DELETE_CURRENT_SESSION' && isInFamily(code, 'REFRESH_TOKEN_ERROR')
}

/** The tokens of a 200. Throws INVALID_RESPONSE without an access token. */
export function tokensIn({ text, status }: Answer): {
  readonly accessToken: string
  readonly refreshToken: string | null
} {
  const body = parse(text, status, 'the refresh')
  const { access_token: accessToken = null, refresh_token: refreshToken = null } = isRecord(body) ? body : {}
  // Unchecked, like the fields of stored tokens.
  const tokens = usableTokens({ accessToken, refreshToken } as Tokens)
  if (tokens?.accessToken) return { ...tokens, accessToken: tokens.accessToken }
  throw invalidResponse('access token', 'the platform answered a refresh without a valid access token', { status })
}

/**
 * Refreshes for all kits with this token store, or waits for the refresh under way; `reason` is why a refusal ends the
 * session.
 */
export async function refreshOnce(
  session: Refreshable,
  refreshToken: string,
  reason: SignedOutReason,
  signal: AbortSignal | undefined,
): Promise<Refreshed['outcome']> {
  const { store, ended, clock } = session
  const flight = store.refreshes.run(refreshToken, () => refresh(session, refreshToken, reason))
  const {
    outcome,
    refusal,
    askedAt = Infinity,
  } = await unlessAborted(flight, signal).catch((error: unknown) => {
    // The kit that refreshes was disposed of; this one was not.
    if (isAuthError(error, 'DISPOSED') && !ended.aborted) return takenOver
    throw error
  })
  // Another kit may have written the tokens, for this session or another one.
  await session.sync()
  session.noteRefusal(refusal)
  // The machine may have slept until the new token had expired, also before this caller came.
  return clock.now() - askedAt < maxMinMillis ? outcome : 'taken-over'
}
