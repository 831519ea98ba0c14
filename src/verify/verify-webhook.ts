import { systemClock } from '../core/clock'
import type { Clock } from '../core/clock'
import { isRecord } from '../core/is-record'
import { hasWebhookSignature, webhookKey } from '../core/webhook-signature'
import { AuthError, invalidInput, invalidResponse } from '../errors/auth-error'
import type { ErrorDetails } from '../errors/details'
import { assertRequest, header } from '../session/requests/request-like'
import type { RequestLike } from '../session/requests/request-like'
import { checkedTolerance } from '../transport/period'
import { setting } from '../errors/setting'
import { webhookEvent } from '../entities/webhooks/server-events'
import type { WebhookEvent } from '../entities/webhooks/server-events'
import type { WebhookMemory } from './webhook-memory'
import { unreadBody } from './unread-body'
import type { UnreadBody } from './unread-body'

/**
 * The limits of a verification.
 *
 * @example
 * const options: VerifyWebhookOptions = { memory: webhookMemory(), toleranceMillis: 60_000 }
 * const event = await verifyWebhook(request, '…', options)
 */
export interface VerifyWebhookOptions {
  /** The greatest age of a delivery, and how far it may be ahead of this clock. Default 300 000. */
  readonly toleranceMillis?: number
  /** Refuses repeated deliveries. Without it, a recorded delivery is accepted until it is too old. */
  readonly memory?: WebhookMemory
  readonly clock?: Clock
}

/**
 * A webhook's request: a fetch `Request`, a request of Node or Express, or its headers and unparsed body.
 *
 * @example
 * const take = (request: WebhookRequest) => verifyWebhook(request, '…')
 * await take({ headers: { 'svix-id': '…' }, body: '{}' })
 */
export type WebhookRequest = RequestLike & UnreadBody

const defaultToleranceMillis = 300_000

/**
 * The event in a request of the platform. `secret` is the endpoint's, `whsec_…`.
 *
 * A request that the platform did not send, or not just now, throws WEBHOOK_REJECTED with a reason; answer it with 400. A
 * body that a framework has parsed is INVALID_INPUT.
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
  assertRequest(request, 'verifyWebhook(request, secret)')
  const { memory, clock = systemClock } = options
  const toleranceMillis = checkedTolerance('toleranceMillis', options.toleranceMillis ?? defaultToleranceMillis)
  const key = await webhookKey(setting('secret', secret))
  if (!key) throw invalidInput('secret', 'is not the secret of a webhook endpoint: whsec_ and base64')
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    name => header(request, `svix-${name}`) || header(request, `webhook-${name}`),
  ) as [string, string, string]
  if (!id || !timestamp || !signatures) throw rejected('unsigned', 'lacks one of the headers that sign it')
  const sentMillis = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : NaN
  // The comparison also refuses NaN.
  const ageMillis = clock.now() - sentMillis
  if (!(ageMillis <= toleranceMillis)) throw rejected('too-old', 'was sent too long ago')
  if (ageMillis < -toleranceMillis) throw rejected('too-new', 'was sent in the future; one of the clocks is wrong')
  const body = await unreadBody(request)
  if (!body) throw rejected('too-large', 'is larger than any that the platform sends')
  if (!(await hasWebhookSignature(key, { id, timestamp, body }, signatures)))
    throw rejected('forged', 'is not signed with this secret, or was altered')
  // After the signature, or a forged request could claim the id of a real delivery.
  if (memory && !(await memory.claim(id, toleranceMillis - ageMillis + 1000)))
    throw rejected('replayed', 'was handled before')
  const event = parsed(body)
  return webhookEvent({ id, sentAt: new Date(sentMillis) }, event.type, event.data)
}

function parsed(body: Uint8Array): { readonly type: string; readonly data: unknown } {
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder().decode(body))
  } catch {
    // Reported below.
  }
  if (isRecord(event) && typeof event['type'] === 'string') return { type: event['type'], data: event['data'] }
  throw invalidResponse('the webhook is signed, but contains no event')
}

function rejected(reason: ErrorDetails['WEBHOOK_REJECTED']['reason'], what: string): AuthError<'WEBHOOK_REJECTED'> {
  return new AuthError('WEBHOOK_REJECTED', `the webhook ${what}`, { details: { reason } })
}
