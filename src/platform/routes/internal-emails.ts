import * as v from 'valibot'
import { sendSignInInvitation, sendTestEmail, sentEmails$ } from '../../entities/emails/admin'
import { items, json, millis } from '../../core/wire'
import { laxEmail } from '../model/limits'
import { sendSignInInvitation as mailInvitation } from '../mail/mail'
import { localMailServer, noteSent, post, refusalOf } from '../mail/outbox'
import { platformOnly } from '../http/platform-only'
import { mailServer } from './project-shapes'
import { serve } from '../http/serve'
import { requireTrustedUrl } from '../directory/trusted-url'

/** The type on the wire, where the list of recipients may be empty. */
const SentEmail = v.object({
  id: v.string(),
  subject: v.string(),
  sentAt: millis(),
  to: v.array(v.string()),
  senderConfig: v.object({
    type: v.picklist(['shared', 'standard']),
    host: v.string(),
    port: v.number(),
    username: v.string(),
    senderName: v.string(),
    senderEmail: v.string(),
  }),
  error: v.nullable(json()),
})

const TestResult = v.object({ success: v.boolean(), errorMessage: v.optional(v.string()) })

/** Servers may call it too; the kit offers it to admins only. */
const sendAsServer = platformOnly('POST /internal/send-sign-in-invitation', {
  access: 'server',
  body: { email: v.string(), callbackUrl: v.string() },
})

export const internalEmailRoutes = [
  serve(sentEmails$, { answers: items(SentEmail) }, ({ engine: { tables } }) =>
    tables.sentEmails.page('sentAt', { desc: true }).rows.map(({ id, subject, to, sentAt, sender, error }) => ({
      id,
      subject,
      to: [...to],
      sentAt: new Date(sentAt),
      senderConfig: sender,
      error,
    })),
  ),

  serve(
    sendTestEmail,
    { body: { recipientEmail: laxEmail(), emailConfig: v.object(mailServer) }, answers: TestResult },
    ({ engine, caller: { project }, input: { recipientEmail: to, emailConfig } }) => {
      const { password: _, ...server } = emailConfig
      const sender = { type: 'standard' as const, ...server }
      const subject = `Test mail of ${project.displayName}`
      if (!isReachable(server)) {
        const errorMessage = `There is no mail server at ${server.host}, port ${server.port}.`
        noteSent(engine, sender, { to, subject }, { message: errorMessage })
        return { success: false, errorMessage }
      }
      const text = 'This mail server works.'
      const letter = { to, subject, text: `${text}\n`, html: `<p>${text}</p>\n`, links: [], code: null }
      return post(engine, sender, letter)
        ? { success: true }
        : { success: false, errorMessage: refusalOf(server).message }
    },
  ),

  serve(
    [sendAsServer, sendSignInInvitation],
    { body: { email: laxEmail() } },
    ({ engine, caller: { project }, input: { email, callbackUrl } }) => {
      requireTrustedUrl(engine, callbackUrl, project)
      mailInvitation(engine, project, email, callbackUrl)
    },
  ),
]

/** Only the platform's own mail server counts as reachable, so that both outcomes can be tried. */
function isReachable({ host, port }: { readonly host: string; readonly port: number }): boolean {
  return /^(localhost|127\.0\.0\.1|\[?::1\]?)$/i.test(host) && port === localMailServer.port
}
