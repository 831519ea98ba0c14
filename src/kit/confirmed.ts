import { orThrow } from '../core/result'
import { invalidInput, isAuthError } from '../errors/auth-error'
import { given } from '../errors/given'
import { sessions$ } from '../definitions/client/sessions'
import { endSessionOf, listSessionsOf } from '../definitions/server/session-endpoints'
import { sessionsOf$ } from '../definitions/server/sessions'
import { coreOf } from '../store/core'
import type { CallOptions } from '../store/effects'
import type { Kit } from '../store/kit'
import { mutation, only } from '../store/mutation'
import { isRefusedWith } from '../store/refusals'
import { call, checkInput } from '../transport/call'
import { checkedPeriod } from '../transport/period'
import type { VerifiedToken } from '../verify/verified-token'
import { verifierOf } from './verifier-of'

/**
 * What a backend requires of a confirmation.
 *
 * @example
 * const { userId, sessionId } = await server.verifyAccessToken(requestAccessToken(request))
 * const expected: ExpectedConfirmation = { userId, maxAgeMillis: 60_000, notSession: sessionId }
 */
export interface ExpectedConfirmation {
  /** The user of the request. */
  readonly userId: string
  /** How long ago the user may have confirmed. Longer than a minute has no effect for pages, which end it then. */
  readonly maxAgeMillis: number
  /**
   * The session of the request, `sessionId` of its verified token: a confirmation of that session is refused. Without it, the
   * token of a sign-in within `maxAgeMillis` also counts, once, and that session ends.
   */
  readonly notSession?: string | null
}

// Without `done`: of several calls with one confirmation, only the one that ends the session is answered with success.
const spend = mutation(endSessionOf, { refreshes: ({ userId }) => [only(sessionsOf$, { userId }), sessions$] })

/**
 * Whether the user of a request has just proved again to be there: `confirmation` is the text that `confirmIdentity` returned
 * in the page. True once for each confirmation, also among parallel calls; the session behind it ends.
 *
 * False for any other text: expired, forged, of another user or project, of an anonymous user (by the token, which on
 * release 2.8.18 does not say so), of a session that is older than
 * `maxAgeMillis`, has ended or was started by the project's team. A new token of an old session is no newer: the session's
 * start counts. Also false if the platform's answer to the end of the session was lost: the user confirms again.
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
  checkedPeriod('maxAgeMillis', maxAgeMillis)
  const { transport, clock } = coreOf(server)
  coreOf(server).assertAlive()
  const token = await verified(server, confirmation, options)
  const { sessionId = null, issuedAt } = token ?? {}
  if (token?.userId !== userId || sessionId === null || sessionId === notSession) return false
  const listed = orThrow(await call(transport, listSessionsOf, checkInput(listSessionsOf, { userId }), options))
  const session = listed.find(({ id }) => id === sessionId)
  if (!session || session.isImpersonation) return false
  // By the platform's clock it is at least as late as the token says.
  const now = Math.max(clock.now(), issuedAt?.getTime() ?? 0)
  if (now - session.createdAt.getTime() > maxAgeMillis) return false
  try {
    await spend(server, { userId, sessionId }, options)
    return true
  } catch (error) {
    if (isRefusedWith(error, [404])) return false
    throw error
  }
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
