import { systemClock } from '../core/clock'
import type { Clock } from '../core/clock'
import { isRecord } from '../core/is-record'
import { hasWebhookSignature, webhookKey } from '../core/webhook-signature'
import { AuthError, invalidInput, invalidResponse } from '../errors/auth-error'
import type { ErrorDetails } from '../errors/details'
import { header } from '../session/request-like'
import type { RequestLike } from '../session/request-like'
import { checkedTolerance } from '../transport/period'
import { webhookEvent } from './webhook-events'
import type { WebhookEvent } from './webhook-events'
import type { WebhookMemory } from './webhook-memory'
import { unreadBody } from './unread-body'
import type { UnreadBody } from './unread-body'

/**
 * How strict a verification is.
 *
 * @example
 * const options: VerifyWebhookOptions = { memory: webhookMemory(), toleranceMillis: 60_000 }
 * const event = await verifyWebhook(request, '…', options)
 */
export interface VerifyWebhookOptions {
  /** How old a delivery may be, and how far ahead of this clock. Default 300 000. */
  readonly toleranceMillis?: number
  /** Refuses a delivery that it has seen. Without one, a recorded delivery is good until it is too old. */
  readonly memory?: WebhookMemory
  readonly clock?: Clock
}

/**
 * Where a webhook comes in: a fetch `Request`, Node's and Express's request, or headers and the body as it came.
 *
 * @example
 * const take = (request: WebhookRequest) => verifyWebhook(request, '…')
 * await take({ headers: { 'svix-id': '…' }, body: '{}' })
 */
export type WebhookRequest = RequestLike & UnreadBody

const defaultToleranceMillis = 300_000

/**
 * The event that a request carries, if the platform sent it. `secret` is the endpoint's, `whsec_…`.
 *
 * What the platform did not send, or not now, throws WEBHOOK_REJECTED with a reason; the answer to it is 400. The body must
 * be as it came: one that a framework has parsed is INVALID_INPUT.
 *
 * @example
 * const event = await verifyWebhook(request, process.env['WEBHOOK_SECRET'] ?? '')
 * if (event.type === 'user.created') console.log(event.data.primaryEmail)
 */
export async function verifyWebhook(
  request: WebhookRequest,
  secret: string,
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const { memory, clock = systemClock } = options
  const toleranceMillis = checkedTolerance('toleranceMillis', options.toleranceMillis ?? defaultToleranceMillis)
  const key = typeof secret === 'string' ? await webhookKey(secret) : null
  if (!key) throw invalidInput('secret', 'is not the secret of a webhook endpoint: whsec_ and base64')
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    name => header(request, `svix-${name}`) || header(request, `webhook-${name}`),
  ) as [string, string, string]
  if (!id || !timestamp || !signatures) throw rejected('unsigned', 'lacks one of the headers that sign it')
  const sentMillis = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : NaN
  // Also where it is no number.
  const ageMillis = clock.now() - sentMillis
  if (!(ageMillis <= toleranceMillis)) throw rejected('too-old', 'was sent too long ago')
  if (ageMillis < -toleranceMillis) throw rejected('too-new', 'was sent in the future; one of the clocks is wrong')
  const body = await unreadBody(request)
  if (!body) throw rejected('too-large', 'is larger than any that the platform sends')
  if (!(await hasWebhookSignature(key, { id, timestamp, body }, signatures)))
    throw rejected('forged', 'is not signed with this secret, or was changed on its way')
  // After the signature, or a forged request could claim the id of a real delivery.
  if (memory && !(await memory.claim(id, toleranceMillis - ageMillis + 1000)))
    throw rejected('replayed', 'has been taken before')
  const event = parsed(body)
  return webhookEvent({ id, sentAt: new Date(sentMillis) }, event.type, event.data)
}

function parsed(body: Uint8Array): { readonly type: string; readonly data: unknown } {
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder().decode(body))
  } catch {
    // Said below.
  }
  if (isRecord(event) && typeof event['type'] === 'string') return { type: event['type'], data: event['data'] }
  throw invalidResponse('the webhook is signed, but holds no event')
}

function rejected(reason: ErrorDetails['WEBHOOK_REJECTED']['reason'], what: string): AuthError<'WEBHOOK_REJECTED'> {
  return new AuthError('WEBHOOK_REJECTED', `the webhook ${what}`, { details: { reason } })
}
