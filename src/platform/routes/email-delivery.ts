import * as v from 'valibot'
import { sendSignInInvitation, sendTestEmail, sentEmails$ } from '../../entities/emails/admin'
import { emailDeliveryInfo$ } from '../../entities/emails/server'
import { items, iso, json } from '../../core/wire'
import { laxEmail } from '../model/limits'
import { send } from '../mail/mail'
import { normalizeEmail } from '../model/users'
import { localMailServer, noteSent, post, refusalOf } from '../mail/outbox'
import { endpoint } from '../../transport/endpoint'
import { mailServer } from './project-shapes'
import { serve } from '../http/serve'
import { requireTrustedUrl } from '../directory/trusted-url'
import type { OutboxRow } from '../model/emails'
import { plain, RefusedRequest } from '../model/refusal'
import type { ProjectRow } from '../model/projects'

const TestResult = v.object({ success: v.boolean(), errorMessage: v.optional(v.string()) })

/** Servers may call it too; the kit offers it to admins only. */
const sendAsServer = endpoint('POST /internal/send-sign-in-invitation', {
  access: 'server',
  body: { email: v.string(), callbackUrl: v.string() },
})

export const routes = [
  serve(sentEmails$, { answers: items(json()) }, ({ engine: { tables } }) =>
    tables.sentEmails.page('sentAt', { desc: true }).rows.map(({ id, subject, to, sentAt, sender, error }) => {
      const { senderName: sender_name, senderEmail: sender_email, ...server } = sender
      return { id, subject, sent_at_millis: sentAt, to, sender_config: { ...server, sender_name, sender_email }, error }
    }),
  ),

  serve(
    sendTestEmail,
    { body: { recipientEmail: laxEmail, emailConfig: v.object(mailServer) }, answers: TestResult },
    ({ engine, caller: { project }, input: { recipientEmail: to, emailConfig } }) => {
      const { password: _, ...server } = emailConfig
      const sender = { type: 'standard' as const, ...server }
      const subject = `Test mail of ${project.displayName}`
      // Only the platform's own mail server counts as reachable, so that both outcomes can be tried.
      const isLocal = /^(localhost|127\.0\.0\.1|\[?::1\]?)$/i.test(server.host)
      if (!isLocal || server.port !== localMailServer.port) {
        const errorMessage = `There is no mail server at ${server.host}, port ${server.port}.`
        noteSent(engine, { to, subject }, { message: errorMessage }, sender)
        return { success: false, errorMessage }
      }
      const text = 'This mail server works.'
      const letter = { to, subject, text: `${text}\n`, html: `<p>${text}</p>\n`, links: [], code: null }
      return post(engine, letter, sender)
        ? { success: true }
        : { success: false, errorMessage: refusalOf(server).message }
    },
  ),

  serve(
    [sendAsServer, sendSignInInvitation],
    { body: { email: laxEmail } },
    async ({ engine, input: { email, callbackUrl } }) => {
      requireTrustedUrl(engine, callbackUrl)
      // The link leads to the app's page and has no code.
      const link = { signInInvitationLink: callbackUrl }
      await send(engine, 'sign_in_invitation', normalizeEmail(email), null, link)
    },
  ),
]

const boost = endpoint('POST /emails/capacity-boost', {
  access: 'server',
  returns: v.object({ expiresAt: iso() }),
})

// Written apart from the kit's declaration: no recording has the call.
const testWebhook = endpoint('POST /internal/send-test-webhook', {
  access: 'admin',
  body: { endpointId: v.string() },
  returns: v.object({ success: v.boolean(), errorMessage: v.optional(v.string()) }),
})

const domains = '/internal/emails/managed-onboarding'
const named = { domainId: v.string(), subdomain: v.string(), senderLocalPart: v.string() }
const { domainId, subdomain, senderLocalPart } = named

const onboarding = [
  endpoint(`POST ${domains}/setup`, { access: 'admin', body: { subdomain, senderLocalPart } }),
  endpoint(`POST ${domains}/check`, { access: 'admin', body: named }),
  endpoint(`GET ${domains}/list`, { access: 'admin' }),
  endpoint(`POST ${domains}/apply`, { access: 'admin', body: { domainId } }),
]

const hour = 3_600_000

/** The factor and the duration of a boost. The local platform chooses them, since no release states its numbers. */
const boostMultiplier = 2
const boostMillis = 4 * hour
const ratePerSecond = 100_000 / 3600

const gone: readonly string[] = ['sent', 'opened', 'clicked', 'marked-as-spam', 'delivery-delayed', 'bounced']

/** The newer release's counts of delivered mails, in wire names, and its calls that need a network. */
export const newerRoutes = [
  serve(emailDeliveryInfo$, { answers: json() }, ({ engine: { tables, clock }, caller: { project } }) => {
    const rows = tables.emailOutbox.rows()
    const within = (hours: number) => countsOf(rows.filter(row => (row.outcome?.at ?? 0) > clock.now() - hours * hour))
    return {
      stats: { hour: within(1), day: within(24), week: within(7 * 24), month: within(30 * 24) },
      capacity: capacityOf(boostEndOf(project, clock.now())),
    }
  }),

  serve(boost, {}, ({ engine: { database, clock }, caller: { project } }) => {
    const present = boostEndOf(project, clock.now())
    if (present) {
      const until = present.toISOString()
      const message = `The project sends faster until ${until} already.`
      throw new RefusedRequest(409, 'EMAIL_CAPACITY_BOOST_ALREADY_ACTIVE', message, { expires_at: until })
    }
    const emailBoostEndsAt = clock.now() + boostMillis
    database.projects.put({ ...project, emailBoostEndsAt })
    return { expiresAt: new Date(emailBoostEndsAt) }
  }),

  serve(testWebhook, {}, () => ({
    success: false,
    errorMessage: 'Endpoint not found. Make sure it still exists.',
  })),

  ...onboarding.map(declared =>
    serve(declared, {}, () => {
      throw plain(501, 'The local platform has no DNS, which a domain for mails needs; its mails are in its mailbox.')
    }),
  ),
]

/** Null: mails are sent at the usual rate. */
function boostEndOf({ emailBoostEndsAt = 0 }: ProjectRow, now: number): Date | null {
  return emailBoostEndsAt > now ? new Date(emailBoostEndsAt) : null
}

function capacityOf(boostExpiresAt: Date | null) {
  const multiplier = boostExpiresAt ? boostMultiplier : 1
  return {
    rate_per_second: ratePerSecond * multiplier,
    boost_multiplier: multiplier,
    penalty_factor: 1,
    is_boost_active: boostExpiresAt !== null,
    boost_expires_at: boostExpiresAt,
  }
}

function countsOf(rows: readonly OutboxRow[]) {
  const having = (statuses: readonly string[]) =>
    rows.filter(({ outcome }) => statuses.includes(outcome?.status ?? '')).length
  return { sent: having(gone), bounced: having(['bounced']), marked_as_spam: having(['marked-as-spam']) }
}
