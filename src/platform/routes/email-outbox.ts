import * as v from 'valibot'
import { json, millis, page } from '../../core/wire'
import { notificationCategories } from '../model/notifications'
import { endStatuses } from '../model/emails'
import type { MailOutcome, OutboxRow, Recipient } from '../model/emails'
import { endpoint } from '../../transport/endpoint'
import { toPage } from '../http/answered'
import { serve } from '../http/serve'
import { queueMail } from '../mail/mail-queue'
import { pruneOutbox } from '../mail/outbox'
import { laxEmail, uuid } from '../model/limits'
import type { Engine } from '../model/engine'
import { known, plain, schemaError } from '../model/refusal'
import { given, themeId, variables } from './email-templates'

/** The statuses of mails; this platform renders and sends after its answer, so that the others of the release never last. */
export const outboxStatuses = ['paused', 'preparing', 'scheduled', ...endStatuses] as const

export const simpleStatuses = ['in-progress', 'ok', 'error'] as const

const text = () => v.optional(v.string())
const at = () => v.optional(millis())

export const recipient = (email: v.GenericSchema<string> = v.string()) =>
  v.object({
    type: v.picklist(['user-primary-email', 'user-custom-emails', 'custom-emails']),
    userId: text(),
    emails: v.optional(v.array(email)),
  })

export const OutboxItem = v.object({
  id: v.string(),
  createdAt: millis(),
  updatedAt: millis(),
  tsxSource: v.string(),
  themeId: v.nullable(v.string()),
  to: recipient(),
  variables: json(),
  skipDeliverabilityCheck: v.boolean(),
  scheduledAt: millis(),
  createdWith: v.picklist(['draft', 'programmatic-call']),
  emailDraftId: v.nullable(v.string()),
  emailProgrammaticCallTemplateId: v.nullable(v.string()),
  sendRetries: v.number(),
  nextSendRetryAt: v.nullable(millis()),
  sendAttemptErrors: v.nullable(json()),
  status: v.picklist(outboxStatuses),
  simpleStatus: v.picklist(simpleStatuses),
  isPaused: v.boolean(),
  hasRendered: v.boolean(),
  hasDelivered: v.boolean(),
  subject: text(),
  html: text(),
  text: text(),
  isTransactional: v.optional(v.boolean()),
  isHighPriority: v.optional(v.boolean()),
  notificationCategoryId: v.optional(v.nullable(v.string())),
  startedRenderingAt: at(),
  renderedAt: at(),
  startedSendingAt: at(),
  deliveredAt: at(),
  openedAt: at(),
  clickedAt: at(),
  bouncedAt: at(),
  skippedAt: at(),
  errorAt: at(),
  deliveryDelayedAt: at(),
  canHaveDeliveryInfo: v.optional(v.boolean()),
  markedAsSpamAt: at(),
  renderError: text(),
  serverError: text(),
  skippedReason: text(),
  skippedDetails: v.optional(json()),
})

export function statusOf({ outcome, isPaused, rendered }: OutboxRow): (typeof outboxStatuses)[number] {
  return outcome?.status ?? (isPaused ? 'paused' : rendered ? 'scheduled' : 'preparing')
}

export function simpleStatusOf({ outcome }: OutboxRow): (typeof simpleStatuses)[number] {
  if (!outcome) return 'in-progress'
  return ['render-error', 'server-error', 'bounced'].includes(outcome.status) ? 'error' : 'ok'
}

/** The field that tells when the mail ended so. */
const timeOf = {
  'render-error': 'renderedAt',
  'server-error': 'errorAt',
  skipped: 'skippedAt',
  bounced: 'bouncedAt',
  'delivery-delayed': 'deliveryDelayedAt',
  sent: 'deliveredAt',
  opened: 'openedAt',
  clicked: 'clickedAt',
  'marked-as-spam': 'markedAsSpamAt',
} as const

const arrived = ['sent', 'opened', 'clicked', 'marked-as-spam']

/** Whether the mail server has got the mail. */
export function isSent({ outcome }: OutboxRow): boolean {
  return outcome !== null && outcome.status !== 'render-error' && outcome.status !== 'skipped'
}

export function toOutboxItem(row: OutboxRow): v.InferOutput<typeof OutboxItem> {
  const { id, tsxSource, themeId, to, variables, skipDeliverabilityCheck, isPaused, draftId, templateId, outcome } = row
  const status = statusOf(row)
  // The hosted platform shows a paused mail as if it had not been rendered.
  const isRendered = row.rendered !== null && status !== 'paused'
  const isFailed = status === 'server-error'
  return {
    ...{ id, tsxSource, themeId: themeId || null, variables, skipDeliverabilityCheck, isPaused },
    to: {
      type: to.type,
      ...(to.userId !== undefined && { userId: to.userId }),
      ...(to.emails && { emails: [...to.emails] }),
    },
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
    scheduledAt: new Date(row.scheduledAt),
    createdWith: draftId === null ? 'programmatic-call' : 'draft',
    emailDraftId: draftId,
    emailProgrammaticCallTemplateId: templateId,
    sendRetries: isFailed ? 1 : 0,
    nextSendRetryAt: null,
    sendAttemptErrors: isFailed && outcome ? [attemptOf(outcome)] : null,
    status,
    simpleStatus: simpleStatusOf(row),
    hasRendered: isRendered,
    hasDelivered: arrived.includes(status),
    ...(isRendered && renderedFields(row)),
    ...(outcome && endOf(row, outcome)),
  }
}

function renderedFields({ rendered, isHighPriority }: OutboxRow) {
  if (!rendered) return {}
  const { at, subject, html, text, categoryId } = rendered
  const category = notificationCategories.find(({ id }) => id === categoryId)
  return {
    ...{ subject, html, text, isHighPriority, notificationCategoryId: categoryId },
    startedRenderingAt: new Date(at),
    renderedAt: new Date(at),
    isTransactional: category !== undefined && !category.canDisable,
  }
}

/** What the status adds. */
function endOf(row: OutboxRow, { status, at, reason = '' }: MailOutcome) {
  const time = new Date(at)
  return {
    ...(status === 'render-error' && { startedRenderingAt: time, renderError: reason }),
    ...(isSent(row) && { startedSendingAt: time, canHaveDeliveryInfo: false }),
    ...(arrived.includes(status) && { deliveredAt: time }),
    ...(status === 'server-error' && { serverError: reason }),
    ...(status === 'skipped' && { skippedReason: reason, skippedDetails: {} }),
    [timeOf[status]]: time,
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

// Written apart from the kit's declarations, so that tests can find a mistake in either.

/** Those that a mail has for a moment only, so that none is found. */
const passing = ['rendering', 'queued', 'sending'] as const

const list = endpoint('GET /emails/outbox', {
  access: 'server',
  query: {
    status: v.optional(v.string()),
    simpleStatus: v.optional(v.picklist(simpleStatuses)),
    userId: v.optional(uuid()),
    limit: v.optional(v.number()),
    cursor: v.optional(v.string()),
  },
  returns: page(OutboxItem),
})

const read = endpoint('GET /emails/outbox/{emailId}', { access: 'server', returns: OutboxItem })

const change = endpoint('PATCH /emails/outbox/{emailId}', {
  access: 'server',
  body: {
    tsxSource: v.optional(v.string()),
    themeId: themeId(),
    to: v.optional(recipient(laxEmail())),
    variables: variables(),
    skipDeliverabilityCheck: v.optional(v.boolean()),
    scheduledAt: v.optional(millis()),
    isPaused: v.optional(v.boolean()),
    cancel: v.optional(v.literal(true)),
  },
  returns: OutboxItem,
})

const statuses: readonly string[] = [...outboxStatuses, ...passing]

const mostListed = 100

/** The newer release's mails, newest first. */
export const newerEmailOutboxRoutes = [
  serve(
    list,
    { newer: { later: ['userId'] } },
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

  serve(read, {}, ({ engine, input: { emailId } }) => toOutboxItem(requireMail(engine, emailId))),

  serve(change, {}, ({ engine, caller: { project }, input }) => {
    const { emailId, cancel, scheduledAt, tsxSource, themeId, variables, to, ...changes } = input
    const row = requireMail(engine, emailId)
    const now = engine.clock.now()
    const { status } = row.outcome ?? {}
    if (row.outcome && status !== 'render-error' && status !== 'server-error') throw notEditable(row)
    const content = given({ tsxSource, themeId, variables, to: to && recipientOf(to) })
    const edited = {
      ...{ ...row, ...content, ...given(changes) },
      rendered: Object.keys(content).length > 0 ? null : row.rendered,
      ...(scheduledAt && { scheduledAt: scheduledAt.getTime() }),
      updatedAt: now,
      outcome: cancel ? { status: 'skipped' as const, at: now, reason: 'MANUALLY_CANCELLED' } : null,
    }
    queueMail(engine, project, edited)
    pruneOutbox(engine)
    // As the hosted platform answers: it renders the mail later.
    return toOutboxItem(edited.rendered ? requireMail(engine, emailId) : edited)
  }),
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
    return { type, ...given({ userId, emails }) }
  throw schemaError(
    `body.to of the type ${type} has ${needsUser ? 'a user_id' : 'no user_id'} and ${needsEmails ? '' : 'no '}emails`,
  )
}
