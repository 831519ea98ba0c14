import * as v from 'valibot'
import { json, millis } from '../../core/wire'
import { notificationCategories } from '../mail/outbox'
import { endStatuses } from '../model/emails'
import type { MailOutcome, OutboxRow } from '../model/emails'

/** The statuses that a request can find. The release has others, which a mail of this platform has only for a moment. */
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

/** The field with the time at which the mail got this last status. */
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

/** The fields that depend on the last status. */
function endOf(row: OutboxRow, { status, at, reason = '', startedRenderingAt, startedSendingAt }: MailOutcome) {
  const time = new Date(at)
  return {
    ...(startedRenderingAt !== undefined && { startedRenderingAt: new Date(startedRenderingAt) }),
    ...(startedSendingAt !== undefined && { startedSendingAt: new Date(startedSendingAt) }),
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
