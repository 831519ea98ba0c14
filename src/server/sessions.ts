import * as v from 'valibot'
import { items } from '../core/wire'
import { Session, sessions$ } from '../resources/sessions'
import { isUnlisted } from '../resources/unlisted'
import { mutation, only, patch } from '../store/mutation'
import { query } from '../store/query'
import { endpoint } from '../transport/endpoint'

const list = endpoint('GET /auth/sessions', {
  access: 'server',
  query: { userId: v.string() },
  returns: items(Session),
})

/**
 * Where a user is signed in, newest first. `isCurrentSession` is false for all: a server has no session of its own.
 *
 * @example
 * const sessions = await server.sessionsOf$({ userId: 'user-1' }).get()
 */
export const sessionsOf$ = query(list)

/**
 * Signs a user in without asking the user, for `expiresInMillis`: 31,536,000,000 (a year) if left out, 31,708,800,000 (367
 * days) at most. `isImpersonation` marks the session as one of the project's team; the user's own list does not show it.
 *
 * @example
 * const session = await server.createSession({ userId: 'user-1', expiresInMillis: 3_600_000, isImpersonation: true })
 */
export const createSession = mutation(
  endpoint('POST /auth/sessions', {
    access: 'server',
    body: {
      userId: v.string(),
      expiresInMillis: v.optional(v.number()),
      isImpersonation: v.optional(v.boolean()),
    },
    returns: v.object({ accessToken: v.string(), refreshToken: v.string() }),
    fails: ['USER_ID_DOES_NOT_EXIST'],
  }),
  { refreshes: ({ userId }) => [only(sessionsOf$, { userId }), sessions$] },
)

/**
 * Ends a session of a user; one that is gone already counts as ended. Its access token works until it expires.
 *
 * @example
 * await server.revokeSessionById({ userId: 'user-1', sessionId: 'session-1' })
 */
export const revokeSessionById = mutation(
  endpoint('DELETE /auth/sessions/{sessionId}', { access: 'server', query: { userId: v.string() } }),
  {
    done: isUnlisted(list, 'sessionId'),
    refreshes: ({ userId }) => [only(sessionsOf$, { userId }), sessions$],
    writes: ({ userId, sessionId }) => [
      patch(sessionsOf$, { userId }, all => all.filter(({ id }) => id !== sessionId)),
    ],
  },
)
