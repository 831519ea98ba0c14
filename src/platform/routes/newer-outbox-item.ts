import * as v from 'valibot'
import { json, millis } from '../../core/wire'
import { notificationCategories } from '../directory/notifications'
import { endStatuses } from '../model/email-tables'
import type { OutboxRow } from '../model/email-tables'
import { themeId } from './newer-email-fields'

/** The statuses of mails; this platform renders and sends at once, so that the others of the release never last. */
export const outboxStatuses = ['paused', 'scheduled', ...endStatuses] as const

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
  themeId: themeId(),
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
  isHighPriority: v.boolean(),
  notificationCategoryId: text(),
  startedRenderingAt: at(),
  renderedAt: at(),
  startedSendingAt: at(),
  deliveredAt: at(),
  openedAt: at(),
  clickedAt: at(),
  bouncedAt: at(),
  skippedAt: at(),
  markedAsSpamAt: at(),
  renderError: text(),
  serverError: text(),
  skippedReason: text(),
  skippedDetails: v.optional(json()),
})

export function statusOf({ outcome, isPaused }: OutboxRow): (typeof outboxStatuses)[number] {
  return outcome?.status ?? (isPaused ? 'paused' : 'scheduled')
}

export function simpleStatusOf({ outcome }: OutboxRow): (typeof simpleStatuses)[number] {
  if (!outcome) return 'in-progress'
  return ['render-error', 'server-error', 'bounced'].includes(outcome.status) ? 'error' : 'ok'
}

/** The time of what has happened to the mail, by the field that tells it. */
const timeOf = {
  'render-error': null,
  'server-error': null,
  skipped: 'skippedAt',
  bounced: 'bouncedAt',
  'delivery-delayed': null,
  sent: 'deliveredAt',
  opened: 'openedAt',
  clicked: 'clickedAt',
  'marked-as-spam': 'markedAsSpamAt',
} as const

/** The ends of mails that the mail server never gets. */
const unsent = ['render-error', 'skipped']

const arrived = ['sent', 'opened', 'clicked', 'marked-as-spam']

export function toOutboxItem(row: OutboxRow): v.InferOutput<typeof OutboxItem> {
  const { createdAt, updatedAt, scheduledAt, to, rendered, outcome, draftId, templateId } = row
  const status = statusOf(row)
  const reason = outcome?.reason ?? ''
  const category = notificationCategories.find(({ id }) => id === rendered?.categoryId)
  const time = outcome && timeOf[outcome.status]
  return {
    ...row,
    to: {
      type: to.type,
      ...(to.userId !== undefined && { userId: to.userId }),
      ...(to.emails && { emails: [...to.emails] }),
    },
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    scheduledAt: new Date(scheduledAt),
    createdWith: draftId === null ? 'programmatic-call' : 'draft',
    emailDraftId: draftId,
    emailProgrammaticCallTemplateId: templateId,
    sendRetries: 0,
    nextSendRetryAt: null,
    sendAttemptErrors: status === 'server-error' ? [{ message: reason }] : null,
    status,
    simpleStatus: simpleStatusOf(row),
    hasRendered: rendered !== null,
    hasDelivered: arrived.includes(status),
    subject: rendered?.subject,
    ...(rendered && {
      html: rendered.html,
      text: rendered.text,
      startedRenderingAt: new Date(rendered.at),
      renderedAt: new Date(rendered.at),
      notificationCategoryId: rendered.categoryId,
      isTransactional: !category?.canDisable,
    }),
    ...(outcome && arrived.includes(status) && { deliveredAt: new Date(outcome.at) }),
    ...(outcome && !unsent.includes(status) && { startedSendingAt: new Date(outcome.at) }),
    ...(outcome && time && { [time]: new Date(outcome.at) }),
    ...(status === 'render-error' && { renderError: reason }),
    ...(status === 'server-error' && { serverError: reason }),
    ...(status === 'skipped' && { skippedReason: reason, skippedDetails: {} }),
  }
}
