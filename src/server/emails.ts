import * as v from 'valibot'
import type { Shape } from '../core/wire'
import { mutation } from '../store/mutation'
import { endpoint } from '../transport/endpoint'
import { mailsSent } from './mails-sent'

const emailResult = v.object({
  userId: v.string(),
  userEmail: v.optional(v.string()),
  /** Absent: the platform has queued the mail, and does not say what becomes of it. */
  success: v.optional(v.boolean()),
  error: v.optional(v.string()),
})

/**
 * What became of a mail to one user.
 *
 * @example
 * const addresses = (results: readonly EmailResult[]) => results.map(({ userEmail }) => userEmail)
 */
export interface EmailResult extends v.InferOutput<typeof emailResult> {}
export const EmailResult: Shape<EmailResult> = emailResult

/**
 * Mails `html` to the primary address of each user who wants mails of the category (`notificationCategoryName`, as
 * `notificationPreferencesOf$` has it); a mail of one that can be switched off ends with a link that does so. `results` has
 * one entry for each id, in their order: what `success: false` is due to is in `error` (there is no such user, no primary
 * address, the user does not want it), and the others get their mail all the same. Newer platforms queue mails: their
 * `results` have the ids alone, without `success`.
 *
 * Throws REQUEST_FAILED with status 400 where the project has no mail server of its own, with 404 for an unknown category; on
 * newer platforms REQUIRES_CUSTOM_EMAIL_SERVER and status 400, and USER_ID_DOES_NOT_EXIST for the first id that is no user's:
 * no user gets a mail then. After a NETWORK_ERROR the mails may have been sent; with an INVALID_RESPONSE that `isDone` they
 * have been.
 *
 * @example
 * const { results } = await server.sendEmail({
 *   userIds: ['user-1'],
 *   subject: 'Your invoice',
 *   html: '<p>Attached.</p>',
 *   notificationCategoryName: 'Transactional',
 * })
 */
export const sendEmail = mutation(
  endpoint('POST /emails/send-email', {
    access: 'server',
    body: {
      userIds: v.array(v.string()),
      subject: v.string(),
      html: v.string(),
      notificationCategoryName: v.string(),
    },
    returns: v.object({ results: v.array(EmailResult) }),
  }),
  { refreshes: () => [mailsSent] },
)
