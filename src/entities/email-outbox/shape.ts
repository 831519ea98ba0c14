import * as v from 'valibot'
import { json, millis, type Shape } from '../declare'
import { recipient, type EmailRecipient } from '../emails/shape'

const statuses = [
  'paused',
  'preparing',
  'rendering',
  'render-error',
  'scheduled',
  'queued',
  'sending',
  'server-error',
  'skipped',
  'bounced',
  'delivery-delayed',
  'sent',
  'opened',
  'clicked',
  'marked-as-spam',
] as const

export const statusOfEmail = v.picklist(statuses)
export const simpleStatusOfEmail = v.picklist(['in-progress', 'ok', 'error'])

/** Absent, or null, until it is known. */
function known<S extends v.GenericSchema>(schema: S) {
  return v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform(value => value ?? undefined),
    ),
  )
}
const text = () => known(v.string())
const at = () => known(millis())

const fields = v.object({
  id: v.string(),
  createdAt: millis(),
  updatedAt: millis(),
  tsxSource: v.string(),
  /** Null: the project's theme; false: none. */
  themeId: v.optional(v.nullable(v.union([v.literal(false), v.string()])), null),
  to: recipient,
  /** The values that the template shows. */
  variables: v.optional(v.record(v.string(), v.unknown()), {}),
  skipDeliverabilityCheck: v.optional(v.boolean(), false),
  scheduledAt: millis(),
  createdWith: v.optional(v.picklist(['draft', 'programmatic-call'])),
  /** The draft that it was sent from. */
  emailDraftId: v.optional(v.nullable(v.string()), null),
  /** The template that it was sent from. */
  emailProgrammaticCallTemplateId: v.optional(v.nullable(v.string()), null),
  sendRetries: v.optional(v.number(), 0),
  nextSendRetryAt: v.optional(v.nullable(millis()), null),
  /** In the platform's own form; null: none. */
  sendAttemptErrors: v.optional(json(), null),
  status: statusOfEmail,
  simpleStatus: simpleStatusOfEmail,
  isPaused: v.boolean(),
  hasRendered: v.optional(v.boolean(), false),
  hasDelivered: v.optional(v.boolean(), false),
  // Present once they are known.
  subject: text(),
  html: text(),
  text: text(),
  isTransactional: known(v.boolean()),
  isHighPriority: known(v.boolean()),
  /** Null: of no category. */
  notificationCategoryId: v.optional(v.nullable(v.string()), null),
  startedRenderingAt: at(),
  renderedAt: at(),
  startedSendingAt: at(),
  deliveredAt: at(),
  /** Whether `openedAt` and the like can become known. */
  canHaveDeliveryInfo: known(v.boolean()),
  deliveryDelayedAt: at(),
  errorAt: at(),
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

type OutboxFields = v.InferOutput<typeof fields>
type OutboxBase = Omit<OutboxFields, StatusField | 'status' | 'to'>
/** The fields that a status alone has. */
type StatusField =
  | 'renderError'
  | 'serverError'
  | 'skippedReason'
  | 'skippedDetails'
  | 'bouncedAt'
  | 'markedAsSpamAt'
  | 'skippedAt'

/** The status of a mail, with the fields that it alone has. */
export type EmailState =
  | { readonly status: 'paused' | 'preparing' | 'rendering' | 'scheduled' | 'queued' | 'sending' }
  | ({ readonly status: 'render-error' } & Pick<OutboxFields, 'renderError'>)
  | ({ readonly status: 'server-error' } & Pick<OutboxFields, 'serverError'>)
  | ({ readonly status: 'skipped' } & Pick<OutboxFields, 'skippedReason' | 'skippedDetails' | 'skippedAt'>)
  | ({ readonly status: 'bounced' } & Pick<OutboxFields, 'bouncedAt'>)
  | { readonly status: 'delivery-delayed' | 'sent' | 'opened' | 'clicked' }
  | ({ readonly status: 'marked-as-spam' } & Pick<OutboxFields, 'markedAsSpamAt'>)

/** A mail of the project, waiting or ended; tell its states apart by `status`. `simpleStatus` sums them up. */
export type OutboxEmail = OutboxBase & EmailState & { readonly to: EmailRecipient }
// The type tells which status has which of the optional fields.
export const OutboxEmail = fields as unknown as Shape<OutboxEmail>
