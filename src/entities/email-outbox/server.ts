import * as v from 'valibot'
import { json, millis, newer, page } from '../../core/wire'
import { coreOf, eachOf, endpoint, lacking, lenient, mutation, patch, serverStore } from '../declare'
import type { Attempted, Kit } from '../declare'
import { answerOf } from '../rows'
import { isAuthError } from '../../errors/auth-error'
import { orUnlisted } from '../otherwise'
import { OutboxEmail, simpleStatusOfEmail, statusOfEmail } from './shape'
import { givenRecipient, mailsSent, type EmailRecipient } from '../emails/shape'

export { OutboxEmail, type EmailState } from './shape'
export type { EmailRecipient } from '../emails/shape'

/**
 * One page of the project's mails, those that wait too, by status, by `simpleStatus` or of one user. `listEmailOutbox` iterates
 * over all pages. Not every release has the filter `userId`.
 *
 * A mail changes by itself when its time comes: watch the store with `refreshOn: { everyMillis }`. Throws NOT_ON_THIS_PLATFORM on
 * release 2.8.18, as all of these calls do; `sentEmails$` of an admin shows its last mails.
 *
 * @example
 * const { items } = await emailOutbox$(server, { simpleStatus: 'error', limit: 20 }).get()
 */
export const emailOutbox$ = serverStore('GET /emails/outbox', {
  query: {
    status: v.optional(statusOfEmail),
    simpleStatus: v.optional(simpleStatusOfEmail),
    userId: newer(v.optional(v.string())),
    limit: v.optional(v.number()),
    cursor: v.optional(v.string()),
  },
  returns: lenient(page(OutboxEmail)),
  notOnPlatform: lacking(404),
  follows: [mailsSent],
})

/**
 * Every mail, page by page.
 *
 * @example
 * for await (const { subject, status } of listEmailOutbox(server, { status: 'scheduled' })) console.log(subject, status)
 */
export const listEmailOutbox = eachOf(emailOutbox$)

/**
 * One mail; null if there is none with this id.
 *
 * @example
 * const email = await outboxEmail$(server, { emailId: 'email-1' }).get()
 */
export const outboxEmail$ = orUnlisted(
  serverStore('GET /emails/outbox/{emailId}', { returns: OutboxEmail, follows: [mailsSent] }),
  emailOutbox$,
  { limit: 1 },
)

const change = endpoint('PATCH /emails/outbox/{emailId}', {
  access: 'server',
  body: {
    tsxSource: v.optional(v.string()),
    themeId: v.optional(v.nullable(v.union([v.literal(false), v.string()]))),
    to: v.optional(givenRecipient),
    variables: v.optional(json<Readonly<Record<string, unknown>>>()),
    skipDeliverabilityCheck: v.optional(v.boolean()),
    scheduledAt: v.optional(millis()),
    isPaused: v.optional(v.boolean()),
    cancel: v.optional(v.literal(true)),
  },
  returns: OutboxEmail,
  fails: ['EMAIL_NOT_EDITABLE'],
  notOnPlatform: lacking(404),
})

/** A mail of the outbox. */
export interface OutboxEmailId {
  readonly emailId: string
}

/** A 404 is of a mail that does not exist, or of a release without an outbox: its list tells. */
async function isUnknown(error: unknown, _: OutboxEmailId, kit: Kit, { signal }: Attempted): Promise<boolean> {
  if (!isAuthError(error, 'NOT_ON_THIS_PLATFORM') || error.details.call !== change.route) return false
  try {
    await answerOf(kit, emailOutbox$, { limit: 1 }, { signal })
  } catch {
    return false
  }
  throw error.cause as Error
}

const refreshes = () => [mailsSent]
const writes = ({ emailId }: OutboxEmailId, changed: OutboxEmail) => [patch(outboxEmail$, { emailId }, () => changed)]

/**
 * Stops a mail until `resumeEmail`. A mail that has gone out is EMAIL_NOT_EDITABLE, as in all of these calls, and a result.
 *
 * @example
 * const result = await pauseEmail(server, { emailId: 'email-1' })
 */
export const pauseEmail = mutation(change, {
  prepare: (_, { emailId }: OutboxEmailId) => ({ emailId, isPaused: true }),
  done: isUnknown,
  refreshes,
  writes,
})

/**
 * Lets a paused mail go, at once if its time has passed.
 *
 * @example
 * const result = await resumeEmail(server, { emailId: 'email-1' })
 */
export const resumeEmail = mutation(change, {
  prepare: (_, { emailId }: OutboxEmailId) => ({ emailId, isPaused: false }),
  done: isUnknown,
  refreshes,
  writes,
})

/**
 * Takes a mail back that has not gone out; it is then `skipped`.
 *
 * @example
 * const result = await cancelEmail(server, { emailId: 'email-1' })
 * if (!result.ok) console.log(result.error.details.status)
 */
export const cancelEmail = mutation(change, {
  prepare: (_, { emailId }: OutboxEmailId) => ({ emailId, cancel: true as const }),
  done: isUnknown,
  refreshes,
  writes,
})

/**
 * Sends a mail now: one that failed (`render-error`, `server-error`) once more, and a scheduled one before its time. It is
 * rendered again, and stays paused if it is. The platform has no call of its own for this: its time is set to this kit's clock.
 *
 * @example
 * const result = await retryEmail(server, { emailId: 'email-1' })
 */
export const retryEmail = mutation(change, {
  prepare: (kit, { emailId }: OutboxEmailId) => ({ emailId, scheduledAt: new Date(coreOf(kit).clock.now()) }),
  done: isUnknown,
  refreshes,
  writes,
})

/** Changes of one mail, for `updateOutboxEmail`. */
export interface OutboxEmailChanges extends OutboxEmailId {
  readonly tsxSource?: string
  readonly themeId?: string | false | null
  readonly to?: EmailRecipient
  readonly variables?: Readonly<Record<string, unknown>>
  readonly skipDeliverabilityCheck?: boolean
  readonly scheduledAt?: Date
}

/** The same fields, with lists that are not marked as unchangeable. */
type ChangesOnWire = Omit<OutboxEmailChanges, 'to'> & { readonly to?: v.InferInput<typeof givenRecipient> }

/**
 * Changes a mail that has not gone out; fields left out stay. A mail that failed is then sent again. A source that cannot be
 * rendered makes the mail a `render-error`.
 *
 * @example
 * const result = await updateOutboxEmail(server, { emailId: 'email-1', scheduledAt: new Date('2026-05-01T09:00:00Z') })
 */
export const updateOutboxEmail = mutation(change, {
  prepare: (_, changes: OutboxEmailChanges) => changes as ChangesOnWire,
  done: isUnknown,
  refreshes,
  writes,
})
