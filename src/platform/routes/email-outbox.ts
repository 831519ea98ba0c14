import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { items, millis, page } from '../../core/wire'
import type { OutboxRow, Recipient } from '../model/emails'
import { emailOutbox$, outboxEmail$, updateOutboxEmail } from '../../entities/email-outbox/server'
import { sentEmails$ } from '../../entities/emails/admin'
import { toPage } from '../http/answered'
import { serve } from '../http/serve'
import { keepChanged, queueMail } from '../mail/mail-queue'
import { pruneOutbox } from '../mail/outbox'
import { laxEmail, uuid } from '../model/limits'
import type { Engine } from '../model/engine'
import { known, plain, schemaError } from '../model/refusal'
import { themeId, variables } from './email-templates'
import {
  OutboxItem,
  isSent,
  outboxStatuses,
  recipient,
  simpleStatusOf,
  statusOf,
  toOutboxItem,
} from './email-outbox-item'

/** A mail has these statuses only for a moment, so a list by one of them is empty. */
const passing = ['rendering', 'queued', 'sending'] as const

const SentEmail = v.object({
  id: v.string(),
  subject: v.string(),
  sentAt: millis(),
  to: v.array(v.string()),
  error: v.nullable(v.string()),
})

const statuses: readonly string[] = [...outboxStatuses, ...passing]

const mostListed = 100

/** The newer release's mails, newest first. */
export const newerRoutes = [
  serve(
    emailOutbox$,
    {
      query: { status: v.optional(v.string()), userId: v.optional(uuid()) },
      answers: page(OutboxItem),
      newer: { later: ['userId'] },
    },
    ({ engine, input: { status, simpleStatus, userId, limit = mostListed, cursor } }) => {
      if (limit < 1 || !Number.isInteger(limit)) throw plain(400, 'Invalid limit parameter')
      if (limit > mostListed) throw plain(400, `Limit cannot exceed ${mostListed}`)
      if (status !== undefined && !statuses.includes(status))
        throw plain(500, 'There is no such status of a mail. The hosted platform fails here, too.')
      const asked = { limit, ...(cursor !== undefined && { cursor }) }
      const where = (row: OutboxRow) =>
        (status === undefined || status === statusOf(row)) &&
        (simpleStatus === undefined || simpleStatus === simpleStatusOf(row)) &&
        (userId === undefined || userId === row.to.userId)
      const rows = engine.tables.emailOutbox.pageRows('createdAt', { ...asked, desc: true, where })
      return toPage(rows, toOutboxItem)
    },
  ),

  serve(outboxEmail$, { answers: OutboxItem }, ({ engine, input: { emailId } }) =>
    toOutboxItem(requireMail(engine, emailId)),
  ),

  serve(
    updateOutboxEmail,
    {
      body: { themeId: themeId(), to: v.optional(recipient(laxEmail())), variables: variables() },
      answers: OutboxItem,
    },
    async ({ engine, caller: { project }, input }) => {
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
      if (edited.rendered) await queueMail(engine, project, edited)
      else keepChanged(engine, edited)
      pruneOutbox(engine)
      return toOutboxItem(requireMail(engine, emailId))
    },
  ),

  serve(sentEmails$, { answers: items(SentEmail) }, ({ engine: { tables } }) =>
    tables.emailOutbox.page('createdAt', { desc: true, limit: keptEmails }).rows.map(toSentEmail),
  ),
]

function requireMail({ tables }: Engine, id: string): OutboxRow {
  const row = tables.emailOutbox.get(id)
  if (row) return row
  throw plain(404, 'Email not found')
}

function notEditable(row: OutboxRow) {
  const status = statusOf(row)
  return known('EMAIL_NOT_EDITABLE', `The e-mail cannot be changed any more: it is ${status}.`, {
    emailId: row.id,
    status: status.toUpperCase().replaceAll('-', '_'),
  })
}

/** Refuses fields that the kind of recipient does not have. */
function recipientOf({ type, userId, emails }: v.InferOutput<ReturnType<typeof recipient>>): Recipient {
  const [needsUser, needsEmails] = [type !== 'custom-emails', type !== 'user-primary-email']
  if ((userId !== undefined) === needsUser && (emails !== undefined) === needsEmails)
    return { type, ...presentIn({ userId, emails }) }
  throw schemaError(
    `body.to of the type ${type} has ${needsUser ? 'a user_id' : 'no user_id'} and ${needsEmails ? '' : 'no '}emails`,
  )
}

/** How many mails an admin can list, the latest ones. */
const keptEmails = 100

function toSentEmail(row: OutboxRow) {
  const { id, rendered, outcome, createdAt, to } = row
  const reason = outcome?.reason ?? ''
  const error = { 'server-error': `Send error: ${reason}`, 'render-error': `Render error: ${reason}` }
  return {
    id,
    subject: rendered?.subject ?? '',
    sentAt: new Date(isSent(row) ? (outcome?.at ?? createdAt) : createdAt),
    to: to.emails ? [...to.emails] : [`User ID: ${to.userId}`],
    error: error[outcome?.status as keyof typeof error] ?? null,
  }
}
