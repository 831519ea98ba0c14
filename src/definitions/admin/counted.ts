import { allOf } from '../../store/definition'
import { mailsSent } from '../server/mails-sent'
import { users$ } from '../server/users'

/** What the metrics count: they are stale whenever one of these is. */
export const counted = [users$, allOf('users', {}), allOf('teams', {}), mailsSent]
