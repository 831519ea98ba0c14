import * as v from 'valibot'
import { failed, succeeded } from '../core/result'
import type { Result } from '../core/result'
import { email, items, json, millis } from '../core/wire'
import type { Shape } from '../core/wire'
import { AuthError } from '../errors/auth-error'
import { mailsSent } from '../server/mails-sent'
import { mutation } from '../store/mutation'
import { query } from '../store/query'
import { endpoint } from '../transport/endpoint'

const sentEmail = v.object({
  id: v.string(),
  subject: v.string(),
  sentAt: millis(),
  to: v.optional(v.array(v.string()), []),
  /** Which mail server it went by, without its password. Absent: the platform does not say, as newer releases do not. */
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

/**
 * A mail that the platform has sent, or tried to; `error` is null if it was sent, else what the platform says of it.
 *
 * @example
 * const failed = (mails: readonly SentEmail[]) => mails.filter(({ error }) => error !== null)
 */
export interface SentEmail extends v.InferOutput<typeof sentEmail> {
  /** The first of `to`; empty if there is none. */
  readonly recipient: string
}
export const SentEmail: Shape<SentEmail> = v.pipe(
  sentEmail,
  v.transform(sent => ({ ...sent, recipient: sent.to[0] ?? '' })),
)

/**
 * What the platform has sent for the project, newest first: at most the last 100 mails.
 *
 * @example
 * const mails = await admin.sentEmails$.get()
 */
export const sentEmails$ = query(endpoint('GET /internal/emails', { access: 'admin', returns: items(SentEmail) }), {
  '~follows': [mailsSent],
})

/**
 * Why a mail for trying out was not sent.
 *
 * @example
 * const words = ({ errorMessage }: TestEmailError) => `The mail server says: ${errorMessage}`
 */
export interface TestEmailError extends AuthError<'TEST_EMAIL_FAILED'> {
  /** What the mail server said; the same as in `details`. */
  readonly errorMessage: string
}

const tried: Shape<Result<undefined, TestEmailError>> = v.pipe(
  v.object({ success: v.boolean(), errorMessage: v.optional(v.string()) }),
  v.transform(({ success, errorMessage }) => (success ? succeeded(undefined) : failed(notSent(errorMessage)))),
)

function notSent(said: string | undefined): TestEmailError {
  const errorMessage = said || 'The mail server did not send the mail, and the platform does not say why.'
  const error = new AuthError('TEST_EMAIL_FAILED', `the mail for trying out was not sent: ${errorMessage}`, {
    details: { errorMessage },
  })
  return Object.assign(error, { errorMessage })
}

/**
 * Sends a mail by a mail server that the project does not use yet. What is wrong with the server is a value:
 * `{ ok: false, error }` with the code TEST_EMAIL_FAILED and `error.errorMessage`. It takes up to 10 s.
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
export const sendTestEmail = mutation(
  endpoint('POST /internal/send-test-email', {
    access: 'admin',
    body: {
      recipientEmail: email(),
      emailConfig: v.object({
        host: v.string(),
        port: v.number(),
        username: v.string(),
        password: v.string(),
        senderName: v.string(),
        senderEmail: v.string(),
      }),
    },
    returns: tried,
  }),
  { refreshes: () => [sentEmails$] },
)

/**
 * Mails a link to the app, for a person to sign in there. The link is `callbackUrl` itself: it has no code and signs nobody
 * in. Returns INVALID_INPUT, with `details.field` "email", for what is no e-mail address; nothing is sent then.
 *
 * @example
 * await admin.sendSignInInvitation({ email: 'grace@example.com', callbackUrl: 'https://app.example.com/welcome' })
 */
export const sendSignInInvitation = mutation(
  endpoint('POST /internal/send-sign-in-invitation', {
    access: 'admin',
    body: { email: email(), callbackUrl: v.string() },
    fails: ['INVALID_INPUT', 'REDIRECT_URL_NOT_WHITELISTED'],
  }),
  { refreshes: () => [sentEmails$] },
)
