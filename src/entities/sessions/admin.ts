import * as v from 'valibot'
import { adminStore, allOf, items } from '../declare'
import { Session } from './client'
import { sessionsOf$ } from './server'

/**
 * A user's sessions, newest first, including impersonations by the project's team (`isImpersonation`), which only admins
 * see. `revokeSessionById` ends either kind.
 *
 * @example
 * const sessions = await admin.allSessionsOf$({ userId: 'user-1' }).get()
 * const impersonations = sessions.filter(({ isImpersonation }) => isImpersonation)
 */
export const allSessionsOf$ = adminStore('GET /auth/sessions', {
  query: { userId: v.string() },
  returns: items(Session),
  follows: [sessionsOf$, allOf('owned', {})],
})
