import * as v from 'valibot'
import type { Shape } from '../declare'
import { check, fromWire } from '../../core/wire'
import { invalidResponse } from '../../errors/auth-error'
import { ServerTeam } from '../teams/server'
import { ServerUser } from '../users/server'

const ofMember = v.object({ teamId: v.string(), userId: v.string() })
const ofTeam = v.object({ id: v.string(), teamId: v.string(), userId: v.string() })
const ofProject = v.object({ id: v.string(), userId: v.string() })
const removed = v.object({ id: v.string() })

/** The data of each kind of event. */
const shapes = {
  'user.created': ServerUser,
  'user.updated': ServerUser,
  'user.deleted': v.object({ id: v.string(), teams: v.array(removed) }),
  'team.created': ServerTeam,
  'team.updated': ServerTeam,
  'team.deleted': removed,
  'team_membership.created': ofMember,
  'team_membership.deleted': ofMember,
  'team_permission.created': ofTeam,
  'team_permission.deleted': ofTeam,
  'project_permission.created': ofProject,
  'project_permission.deleted': ofProject,
} as const

type Shapes = typeof shapes

/** The kinds of events that this version knows. */
export type WebhookType = keyof Shapes

interface Delivered {
  /** The id of the delivery, equal in all its attempts. */
  readonly id: string
  /** When this attempt was sent. A retry of an older event can be sent later than a newer event. */
  readonly sentAt: Date
}

/** An event unknown to this version; `name` is its type. */
export interface UnknownWebhookEvent extends Delivered {
  readonly type: 'unknown'
  readonly name: string
  readonly data: unknown
}

type KnownEvents = {
  readonly [T in WebhookType]: Delivered & { readonly type: T; readonly data: v.InferOutput<Shapes[T]> }
}

/** The platform's events for a backend; narrows by `type`. `WebhookEvent<'user.created'>` is one kind. */
export type WebhookEvent<T extends WebhookType | 'unknown' = WebhookType | 'unknown'> = {
  readonly [K in T]: K extends WebhookType ? KnownEvents[K] : UnknownWebhookEvent
}[T]

/**
 * Reads an event that another process has verified and passed on: `{ id, sentAt, type, data }` or its JSON, with `data` as
 * in the body of the delivery. For pages and other processes. It verifies nothing, so the event must come from the app's own
 * backend. INVALID_RESPONSE if it is not such an event.
 *
 * @example
 * const events = new EventSource('/api/events')
 * events.onmessage = ({ data }) => void applyWebhook(server, readWebhook(data))
 */
export function readWebhook(handedOn: unknown): WebhookEvent {
  const result = check(handedOnEvent, typeof handedOn === 'string' ? jsonIn(handedOn) : handedOn)
  if (!result.success) throw invalidResponse('this is not a webhook event: it must be { id, sentAt, type, data }')
  const { type, data, ...delivered } = result.output
  return webhookEvent(delivered, type, data)
}

const handedOnEvent = v.object({
  id: v.string(),
  sentAt: v.pipe(
    v.union([v.string(), v.date()]),
    v.transform(instant => new Date(instant)),
    v.date(),
  ),
  type: v.string(),
  data: v.unknown(),
})

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The event in a verified body, in local terms; INVALID_RESPONSE if it is not as documented. */
export function webhookEvent(delivered: Delivered, type: string, wire: unknown): WebhookEvent {
  if (!isKnown(type)) return { ...delivered, type: 'unknown', name: type, data: wire }
  const shape: Shape<unknown> = shapes[type]
  const result = check(shape, fromWire(shape, wire))
  // The shape belongs to the type.
  if (result.success) return { ...delivered, type, data: result.output } as WebhookEvent
  const [issue] = result.issues
  throw invalidResponse(
    `the webhook's field "data.${v.getDotPath(issue) ?? '(whole)'}" is not as documented for ${type}: expected ${issue.expected ?? issue.type}`,
  )
}

function isKnown(type: string): type is WebhookType {
  return Object.hasOwn(shapes, type)
}
