import * as v from 'valibot'
import { endpoint, items, mutation, only, query, serverWrite } from '../declare'
import { Session, sessions$ } from './client'
import { isUnlisted, withoutRow } from '../rows'

/** Without the sessions in which the project's team is signed in as the user. */
export const listSessionsOf = endpoint('GET /auth/sessions', {
  access: 'server',
  query: { userId: v.string() },
  returns: items(Session),
})

/** Answers once: the platform refuses to end a session that is gone, with a bare 404. */
export const endSessionOf = endpoint('DELETE /auth/sessions/{sessionId}', {
  access: 'server',
  query: { userId: v.string() },
})

/**
 * A user's sessions, newest first. `isCurrentSession` is false for all: a server has no session of its own.
 *
 * @example
 * const sessions = await server.sessionsOf$({ userId: 'user-1' }).get()
 */
export const sessionsOf$ = query(listSessionsOf, { partOf: 'owned' })

/**
 * Creates a session of a user without the user's credentials, for `expiresInMillis`: by default 31,536,000,000 (a year), at
 * most 31,708,800,000 (367 days). `isImpersonation` marks it as a session of the project's team, which the user's own list
 * does not contain.
 *
 * @example
 * const session = await server.createSession({ userId: 'user-1', expiresInMillis: 3_600_000, isImpersonation: true })
 */
export const createSession = serverWrite('POST /auth/sessions', {
  body: {
    userId: v.string(),
    expiresInMillis: v.optional(v.number()),
    isImpersonation: v.optional(v.boolean()),
  },
  returns: v.object({ accessToken: v.string(), refreshToken: v.string() }),
  fails: ['USER_ID_DOES_NOT_EXIST'],
  refreshes: ({ userId }) => [only(sessionsOf$, { userId }), sessions$],
})

/**
 * Ends a session of a user; one that is already gone counts as ended. Its access token works until it expires.
 *
 * @example
 * await server.revokeSessionById({ userId: 'user-1', sessionId: 'session-1' })
 */
export const revokeSessionById = mutation(endSessionOf, {
  done: isUnlisted(sessionsOf$, 'sessionId'),
  refreshes: ({ userId }) => [only(sessionsOf$, { userId }), sessions$],
  writes: ({ userId, sessionId }) => [withoutRow(sessionsOf$, { userId }, sessionId)],
})
