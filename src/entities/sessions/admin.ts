import * as v from 'valibot'
import { items } from '../../core/wire'
import { Session } from './client'
import { sessionsOf$ } from './server'
import { allOf } from '../../store/definition'
import { ownQuery } from '../../store/query'
import { endpoint } from '../../transport/endpoint'

/**
 * A user's sessions, newest first, including impersonations by the project's team (`isImpersonation`), which only admins
 * see. `revokeSessionById` ends either kind.
 *
 * @example
 * const sessions = await admin.allSessionsOf$({ userId: 'user-1' }).get()
 * const impersonations = sessions.filter(({ isImpersonation }) => isImpersonation)
 */
export const allSessionsOf$ = ownQuery(
  endpoint('GET /auth/sessions', { access: 'admin', query: { userId: v.string() }, returns: items(Session) }),
  {},
  { follows: [sessionsOf$, allOf('owned', {})] },
)
