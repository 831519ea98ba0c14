import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { items, json, page } from '../../core/wire'
import type { OutboxRow, Recipient, MailOutcome } from '../model/emails'
import { emailOutbox$, outboxEmail$, updateOutboxEmail } from '../../entities/email-outbox/server'
import { statusOfEmail } from '../../entities/email-outbox/shape'
import { sentEmails$ } from '../../entities/emails/admin'
import { serve } from '../http/serve'
import { keepChanged, queueMail } from '../mail/mail-queue'
import { pruneOutbox, notificationCategories } from '../mail/outbox'
import { laxEmail, uuid } from '../model/limits'
import type { Engine } from '../model/engine'
import { hostedFailure, known, plain, refuse, schemaError } from '../model/refusal'
import { themeId, variables } from './email-templates'

const statuses: readonly string[] = statusOfEmail.options

const mostListed = 100

const keptEmails = 100

const recipient = v.object({
  type: v.picklist(['user-primary-email', 'user-custom-emails', 'custom-emails']),
  userId: v.optional(v.string()),
  emails: v.optional(v.array(laxEmail)),
})

/** The newer release's mails, newest first. */
export const newerRoutes = [
  serve(
    emailOutbox$,
    {
      query: { status: v.optional(v.string()), userId: v.optional(uuid) },
      answers: page(json()),
      newer: { later: ['userId'] },
    },
    ({ engine, input: { status, simpleStatus, userId, limit = mostListed, cursor } }) => {
      if (limit < 1 || !Number.isInteger(limit)) throw plain(400, 'Invalid limit parameter')
      if (limit > mostListed) throw plain(400, `Limit cannot exceed ${mostListed}`)
      if (status !== undefined && !statuses.includes(status)) throw hostedFailure('There is no such status of a mail.')
      const asked = { limit, ...(cursor !== undefined && { cursor }) }
      const where = (row: OutboxRow) =>
        (status === undefined || status === statusOf(row)) &&
        (simpleStatus === undefined || simpleStatus === simpleStatusOf(row)) &&
        (userId === undefined || userId === row.to.userId)
      const { rows, nextCursor } = engine.tables.emailOutbox.page('createdAt', { ...asked, desc: true, where })
      return { items: rows.map(toOutboxItem), nextCursor }
    },
  ),

  serve(outboxEmail$, { answers: json() }, ({ engine, input: { emailId } }) =>
    toOutboxItem(requireMail(engine, emailId)),
  ),

  serve(
    updateOutboxEmail,
    {
      body: { themeId, to: v.optional(recipient), variables },
      answers: json(),
    },
    async ({ engine, input }) => {
      const { emailId, cancel, scheduledAt, tsxSource, themeId, variables, to, ...changes } = input
      const row = requireMail(engine, emailId)
      const now = engine.clock.now()
      const { status } = row.outcome ?? {}
      if (row.outcome && status !== 'render-error' && status !== 'server-error') throw notEditable(row)
      const begun = presentIn({
        startedRenderingAt: row.outcome?.startedRenderingAt,
        startedSendingAt: row.outcome?.startedSendingAt,
      })
      const content = presentIn({ tsxSource, themeId, variables, to: to && recipientOf(to) })
      const edited = {
        ...{ ...row, ...content, ...presentIn(changes) },
        rendered: Object.keys(content).length > 0 ? null : row.rendered,
        ...(scheduledAt && { scheduledAt: scheduledAt.getTime() }),
        updatedAt: now,
        outcome: cancel ? { status: 'skipped' as const, at: now, reason: 'MANUALLY_CANCELLED', ...begun } : null,
      }
      if (edited.rendered) await queueMail(engine, edited)
      else keepChanged(engine, edited)
      pruneOutbox(engine)
      return toOutboxItem(requireMail(engine, emailId))
    },
  ),

  serve(sentEmails$, { answers: items(json()) }, ({ engine: { tables } }) =>
    tables.emailOutbox.page('createdAt', { desc: true, limit: keptEmails }).rows.map(toSentEmail),
  ),
]

function requireMail({ tables }: Engine, id: string): OutboxRow {
  return tables.emailOutbox.get(id) ?? refuse(plain(404, 'Email not found'))
}

function notEditable(row: OutboxRow) {
  const status = statusOf(row)
  return known('EMAIL_NOT_EDITABLE', `The e-mail cannot be changed any more: it is ${status}.`, {
    emailId: row.id,
    status: status.toUpperCase().replaceAll('-', '_'),
  })
}

function recipientOf({ type, userId, emails }: v.InferOutput<typeof recipient>): Recipient {
  const [needsUser, needsEmails] = [type !== 'custom-emails', type !== 'user-primary-email']
  if ((userId !== undefined) === needsUser && (emails !== undefined) === needsEmails)
    return { type, ...presentIn({ userId, emails }) }
  throw schemaError(
    `body.to of the type ${type} has ${needsUser ? 'a user_id' : 'no user_id'} and ${needsEmails ? '' : 'no '}emails`,
  )
}

function toSentEmail(row: OutboxRow) {
  const { id, rendered, outcome, createdAt, to } = row
  const reason = outcome?.reason ?? ''
  const error = { 'server-error': `Send error: ${reason}`, 'render-error': `Render error: ${reason}` }
  return {
    id,
    subject: rendered?.subject ?? '',
    sent_at_millis: isSent(row) ? (outcome?.at ?? createdAt) : createdAt,
    to: to.emails ?? [`User ID: ${to.userId}`],
    error: error[outcome?.status as keyof typeof error] ?? null,
  }
}

function statusOf({ outcome, isPaused, rendered }: OutboxRow): string {
  return outcome?.status ?? (isPaused ? 'paused' : rendered ? 'scheduled' : 'preparing')
}

function simpleStatusOf({ outcome }: OutboxRow): 'in-progress' | 'ok' | 'error' {
  if (!outcome) return 'in-progress'
  return ['render-error', 'server-error', 'bounced'].includes(outcome.status) ? 'error' : 'ok'
}

const arrived = ['sent', 'opened', 'clicked', 'marked-as-spam']

/** Whether the mail server has got the mail. */
function isSent({ outcome }: OutboxRow): boolean {
  return outcome !== null && outcome.status !== 'render-error' && outcome.status !== 'skipped'
}

/** A mail in wire names. Fields that its status does not have are undefined. */
function toOutboxItem(row: OutboxRow) {
  const { to, draftId, outcome } = row
  const status = statusOf(row)
  // The hosted platform shows a paused mail as if it had not been rendered.
  const shown = status === 'paused' ? null : row.rendered
  const category = notificationCategories.find(({ id }) => id === shown?.categoryId)
  const reasonOf = (ended: MailOutcome['status']) => (outcome && status === ended ? (outcome.reason ?? '') : undefined)
  const timeOf = (...ended: readonly string[]) => (outcome && ended.includes(status) ? outcome.at : undefined)
  return {
    id: row.id,
    created_at_millis: row.createdAt,
    updated_at_millis: row.updatedAt,
    tsx_source: row.tsxSource,
    theme_id: row.themeId || null,
    to: { type: to.type, user_id: to.userId, emails: to.emails },
    variables: row.variables,
    skip_deliverability_check: row.skipDeliverabilityCheck,
    scheduled_at_millis: row.scheduledAt,
    created_with: draftId === null ? 'programmatic-call' : 'draft',
    email_draft_id: draftId,
    email_programmatic_call_template_id: row.templateId,
    send_retries: status === 'server-error' ? 1 : 0,
    next_send_retry_at_millis: null,
    send_attempt_errors: outcome && status === 'server-error' ? [attemptOf(outcome)] : null,
    status,
    simple_status: simpleStatusOf(row),
    is_paused: row.isPaused,
    has_rendered: shown !== null,
    has_delivered: arrived.includes(status),
    subject: shown?.subject,
    html: shown?.html,
    text: shown?.text,
    is_transactional: shown ? category?.canDisable === false : undefined,
    is_high_priority: shown ? row.isHighPriority : undefined,
    notification_category_id: shown?.categoryId,
    started_rendering_at_millis: timeOf('render-error') ?? outcome?.startedRenderingAt ?? shown?.at,
    rendered_at_millis: timeOf('render-error') ?? shown?.at,
    started_sending_at_millis: isSent(row) ? outcome?.at : outcome?.startedSendingAt,
    delivered_at_millis: timeOf(...arrived),
    opened_at_millis: timeOf('opened'),
    clicked_at_millis: timeOf('clicked'),
    bounced_at_millis: timeOf('bounced'),
    skipped_at_millis: timeOf('skipped'),
    error_at_millis: timeOf('server-error'),
    delivery_delayed_at_millis: timeOf('delivery-delayed'),
    can_have_delivery_info: isSent(row) ? false : undefined,
    marked_as_spam_at_millis: timeOf('marked-as-spam'),
    render_error: reasonOf('render-error'),
    server_error: reasonOf('server-error'),
    skipped_reason: reasonOf('skipped'),
    skipped_details: status === 'skipped' ? {} : undefined,
  }
}

/** The one attempt to send that has failed. */
function attemptOf({ at, reason = '' }: MailOutcome) {
  const errorType = 'REJECTED'
  return {
    attempt_number: 1,
    timestamp: new Date(at).toISOString(),
    external_message: reason,
    external_details: { errorType },
    internal_message: reason,
    internal_details: { rawError: reason, errorType },
  }
}
