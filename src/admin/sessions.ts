import * as v from 'valibot'
import { items } from '../core/wire'
import { Session } from '../resources/sessions'
import { sessionsOf$ } from '../server/sessions'
import { query } from '../store/query'
import { endpoint } from '../transport/endpoint'

/**
 * Where a user is signed in, newest first, with the sessions of the project's team as this user (`isImpersonation`), which
 * only admins are shown. `revokeSessionById` ends either kind.
 *
 * @example
 * const sessions = await admin.allSessionsOf$({ userId: 'user-1' }).get()
 * const impersonations = sessions.filter(({ isImpersonation }) => isImpersonation)
 */
export const allSessionsOf$ = query(
  endpoint('GET /auth/sessions', { access: 'admin', query: { userId: v.string() }, returns: items(Session) }),
  { '~follows': [sessionsOf$] },
)
