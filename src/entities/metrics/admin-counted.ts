import { allOf } from '../../store/definition'
import { mailsSent } from '../emails/shape-mails-sent'
import { users$ } from '../users/server'

/** What the metrics count: they are stale whenever one of these is. */
export const counted = [users$, allOf('users', {}), allOf('teams', {}), mailsSent]
