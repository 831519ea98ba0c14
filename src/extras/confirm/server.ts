import { orThrow } from '../../core/result'
import { isEdge, inProcess } from '../../core/host'
import { given, invalidInput, isAuthError, isRefusedWith, unlessAborted } from '../../errors/auth-error'
import { sessions$ } from '../../entities/sessions/client'
import { endSessionOf, listSessionsOf, sessionsOf$ } from '../../entities/sessions/server'
import { coreOf, type Kit } from '../../store/kit-parts'
import type { CallOptions } from '../../store/write/effects'
import { mutation, only } from '../../store/write/mutation'
import { call, checkInput } from '../../transport/call'
import { checkedPeriod } from '../../transport/config'
import { httpDate } from '../../transport/retry'
import { defaultToleranceMillis } from '../../verify/token-verifier'
import type { VerifiedToken } from '../../verify/verified-token'
import { verifierOf } from '../../kit/verifier-of'

/** The confirmation that a backend requires. */
export interface ExpectedConfirmation {
  /** The user of the request. */
  readonly userId: string
  /** How long ago the user may have confirmed. Longer than a minute has no effect for pages, which end it then. */
  readonly maxAgeMillis: number
  /**
   * The session of the request, `sessionId` of its verified token: a confirmation of that session is refused. Without it, the
   * token of a sign-in within `maxAgeMillis` also counts, once, and that session ends. Null, from a token that names no
   * session, is INVALID_INPUT: a caller that has no session to exclude leaves it out.
   */
  readonly notSession?: string | null
}

// Without `done`: a call that ends no session is not answered with success.
const spend = mutation(endSessionOf, { refreshes: ({ userId }) => [only(sessionsOf$, { userId }), sessions$] })

/**
 * Whether the user of a request has just proved again to be there: `confirmation` is the text that `confirmIdentity` returned
 * in the page. True once for each confirmation, also among parallel calls of one process; the session behind it ends. Of
 * calls at the same moment in two processes, both may be true: the platform answers both ends of the session with success.
 * Where a backend has several processes, a lock or a unique row of its own decides.
 *
 * False for any other text: expired, forged, of another user or project, of an anonymous user, of a session that is older than
 * `maxAgeMillis`, has ended or was started by the project's team. A new token of an old session is no newer: the session's
 * start counts, by the platform's clock. Also false if the platform's answer to the end of the session was lost, or was a
 * failure after which the session is gone: the user confirms again.
 *
 * Rejects with NETWORK_ERROR and the like if the platform cannot be asked, which says nothing about the confirmation. The
 * caller verifies the request itself first; `userId` comes from there.
 *
 * @example
 * const deleteAccount = async (request: Request) => {
 *   const { userId, sessionId } = await server.verifyAccessToken(requestAccessToken(request))
 *   const confirmation = request.headers.get('x-confirmation')
 *   if (!(await confirmed(server, confirmation, { userId, maxAgeMillis: 60_000, notSession: sessionId })))
 *     return new Response('confirm that it is you', { status: 403 })
 *   await server.deleteUserById({ userId })
 *   return new Response(null, { status: 204 })
 * }
 */
export async function confirmed(
  server: Kit<'server'>,
  confirmation: string | null | undefined,
  expected: ExpectedConfirmation,
  options: CallOptions = {},
): Promise<boolean> {
  const { userId, maxAgeMillis, notSession } = given(expected)
  // Comparing undefined with undefined must not succeed.
  if (typeof userId !== 'string' || userId === '')
    throw invalidInput('userId', 'must be the id of the user of the request')
  if ('notSession' in expected && (typeof notSession !== 'string' || notSession === ''))
    throw invalidInput('notSession', 'must be the id of the session of the request; leave it out if there is none')
  checkedPeriod('maxAgeMillis', maxAgeMillis)
  coreOf(server).assertAlive()
  const token = await verified(server, confirmation, options)
  if (token?.userId !== userId || token.sessionId === null || token.sessionId === notSession) return false
  const { sessionId, issuedAt, expiresAt } = token
  const { sessions, at } = await listed(server, userId, options)
  const session = sessions.find(({ id }) => id === sessionId)
  if (!session || session.isImpersonation) return false
  // The platform's time is never before the token's issue.
  if (Math.max(at, issuedAt?.getTime() ?? 0) - session.createdAt.getTime() > maxAgeMillis) return false
  // A slow local clock accepts an expired token. The platform's time refuses it.
  if (at - expiresAt.getTime() >= defaultToleranceMillis) return false
  return alone(sessionId, options, async () => {
    try {
      await spend(server, { userId, sessionId }, options)
      return true
    } catch (error) {
      if (isRefusedWith(error, [404])) return false
      // The platform fails where two other calls end the session at the same time.
      const isFailure = isAuthError(error, 'REQUEST_FAILED') && (error.status ?? 0) >= 500
      if (isFailure && !(await listed(server, userId, options)).sessions.some(({ id }) => id === sessionId))
        return false
      throw error
    }
  })
}

/**
 * Runs `end` unless a call of this process has ended the session meanwhile: the platform answers two calls at once with
 * success. If that call fails, the next one runs. An edge runtime lets no request wait for another one.
 */
async function alone(sessionId: string, { signal }: CallOptions, end: () => Promise<boolean>): Promise<boolean> {
  if (isEdge()) return end()
  const ending = inProcess('confirmations', () => new Map<string, Promise<boolean>>())
  for (let other; (other = ending.get(sessionId));) {
    const isOver = other.then(
      () => true,
      () => false,
    )
    if (await unlessAborted(isOver, signal)) return false
  }
  const mine = end()
  ending.set(sessionId, mine)
  return mine.finally(() => ending.delete(sessionId))
}

/** The user's sessions, and when the platform listed them: by its own clock, or by this one if it does not say. */
async function listed(server: Kit<'server'>, userId: string, options: CallOptions) {
  const { transport } = coreOf(server)
  const { clock, fetch } = transport
  let date = NaN
  const dated: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    date = httpDate(response.headers.get('date'))
    return response
  }
  const input = checkInput(listSessionsOf, { userId })
  const sessions = orThrow(await call({ ...transport, fetch: dated }, listSessionsOf, input, options))
  const now = clock.now()
  const isSameSecond = Math.floor(now / 1000) * 1000 === date
  // The header has whole seconds, so that a clock that agrees with it says more.
  return { sessions, at: isSameSecond || Number.isNaN(date) ? now : date }
}

/** Null for a text that is no valid token of a user. */
async function verified(
  server: Kit<'server'>,
  confirmation: unknown,
  { signal }: CallOptions,
): Promise<VerifiedToken | null> {
  if (typeof confirmation !== 'string') return null
  try {
    // Whether a restricted user may do what is asked is decided by the request's own token.
    return await verifierOf(server)(confirmation, {
      allowRestricted: true,
      askAnonymous: true,
      ...(signal && { signal }),
    })
  } catch (error) {
    if (isAuthError(error, 'INVALID_ACCESS_TOKEN', 'ANONYMOUS_AUTHENTICATION_NOT_ALLOWED')) return null
    throw error
  }
}
