import * as v from 'valibot'
import type { Shape } from '../../core/wire'
import { mutation } from '../../store/mutation'
import { endpoint } from '../../transport/endpoint'
import { mailsSent } from './mails-sent'

const emailResult = v.object({
  userId: v.string(),
  userEmail: v.optional(v.string()),
  /** Absent: the platform has queued the mail without reporting its delivery. */
  success: v.optional(v.boolean()),
  error: v.optional(v.string()),
})

/**
 * The outcome of a mail to one user.
 *
 * @example
 * const addresses = (results: readonly EmailResult[]) => results.map(({ userEmail }) => userEmail)
 */
export interface EmailResult extends v.InferOutput<typeof emailResult> {}
export const EmailResult: Shape<EmailResult> = emailResult

/**
 * Mails `html` to the primary address of each user who receives mails of the category (`notificationCategoryName`, as in
 * `notificationPreferencesOf$`). A mail of a category that can be switched off ends with a link to do so. `results` has one
 * entry per id, in order: `error` explains `success: false` (unknown user, no primary address, category switched off), and
 * the others get their mail. Newer platforms queue mails: their `results` have only the ids, without `success`.
 *
 * `html` is JSX to the platform: `<br />` and not `<br>`, `style={{ color: 'red' }}`, no bare braces, comments or documents. Other
 * HTML is sent to no user: each entry says `success: false`.
 *
 * Throws REQUEST_FAILED with status 400 if the project has no mail server of its own, with 404 for an unknown category; on
 * newer platforms REQUIRES_CUSTOM_EMAIL_SERVER and status 400, and USER_ID_DOES_NOT_EXIST for the first unknown id: then no
 * mail is sent. After a NETWORK_ERROR the mails may have been sent; with an INVALID_RESPONSE that `isDone` they have been.
 *
 * For an id that is no UUID, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500) in place of `success: false`:
 * see "Where the hosted platform answers 500" in docs/errors.md.
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
