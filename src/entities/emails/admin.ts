import * as v from 'valibot'
import { adminStore, adminWrite, email, items, json, lenient, millis, type Shape } from '../declare'
import { failed, succeeded, type Result } from '../../core/result'
import { AuthError } from '../../errors/auth-error'
import { mailsSent } from './shape'

const sentEmail = v.object({
  id: v.string(),
  subject: v.string(),
  sentAt: millis(),
  to: v.optional(v.array(v.string()), []),
  /** The mail server that was used, without its password. Absent: the platform does not say (newer releases). */
  senderConfig: v.optional(
    v.object({
      type: v.picklist(['shared', 'standard']),
      host: v.optional(v.string()),
      port: v.optional(v.number()),
      username: v.optional(v.string()),
      senderName: v.optional(v.string()),
      senderEmail: v.optional(v.string()),
    }),
  ),
  error: v.optional(json(), null),
})

/** A mail that the platform has sent or tried to send; `error` is null if it was sent, else the platform's explanation. */
export interface SentEmail extends v.InferOutput<typeof sentEmail> {
  /** The first of `to`; empty if there is none. */
  readonly recipient: string
}
export const SentEmail: Shape<SentEmail> = v.pipe(
  sentEmail,
  v.transform(sent => ({ ...sent, recipient: sent.to[0] ?? '' })),
)

/**
 * The mails of the project, newest first: at most the last 100.
 *
 * @example
 * const mails = await admin.sentEmails$.get()
 */
export const sentEmails$ = adminStore('GET /internal/emails', {
  returns: lenient(items(SentEmail)),
  follows: [mailsSent],
})

/** Why a test mail was not sent. */
export interface TestEmailError extends AuthError<'TEST_EMAIL_FAILED'> {
  /** The mail server's message; the same as in `details`. */
  readonly errorMessage: string
}

const tried: Shape<Result<undefined, TestEmailError>> = v.pipe(
  v.object({ success: v.boolean(), errorMessage: v.optional(v.string()) }),
  v.transform(({ success, errorMessage }) => (success ? succeeded(undefined) : failed(notSent(errorMessage)))),
)

function notSent(said: string | undefined): TestEmailError {
  const errorMessage = said || 'The mail server did not send the mail, and the platform does not say why.'
  const error = new AuthError('TEST_EMAIL_FAILED', `the test mail was not sent: ${errorMessage}`, {
    details: { errorMessage },
  })
  return Object.assign(error, { errorMessage })
}

/**
 * Sends a test mail through a mail server that the project does not use yet. Errors of the server are returned: `{ ok:
 * false, error }` with the code TEST_EMAIL_FAILED and `error.errorMessage`. It takes up to 10 s.
 *
 * Throws INVALID_INPUT, before a request, for a `recipientEmail` or `senderEmail` that is no e-mail address.
 *
 * @example
 * const result = await admin.sendTestEmail({
 *   recipientEmail: 'ada@example.com',
 *   emailConfig: {
 *     host: 'smtp.example.com',
 *     port: 587,
 *     username: 'mailer',
 *     password: '…',
 *     senderName: 'My app',
 *     senderEmail: 'noreply@example.com',
 *   },
 * })
 */
export const sendTestEmail = adminWrite('POST /internal/send-test-email', {
  body: {
    recipientEmail: email(),
    emailConfig: v.object({
      host: v.string(),
      port: v.number(),
      username: v.string(),
      password: v.string(),
      senderName: v.string(),
      senderEmail: email(),
    }),
  },
  returns: tried,
  refreshes: () => [mailsSent],
})

/**
 * Mails an invitation to sign in to the app. The link is `callbackUrl` itself: it has no code and does not sign in. Returns
 * INVALID_INPUT, with `details.field` "email", before a request, for text that is no e-mail address.
 *
 * @example
 * await admin.sendSignInInvitation({ email: 'grace@example.com', callbackUrl: 'https://app.example.com/welcome' })
 */
export const sendSignInInvitation = adminWrite('POST /internal/send-sign-in-invitation', {
  body: { email: email(), callbackUrl: v.string() },
  fails: ['INVALID_INPUT', 'REDIRECT_URL_NOT_WHITELISTED'],
  refreshes: () => [mailsSent],
})
