import * as v from 'valibot'
import { items } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { Session } from './client'

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
