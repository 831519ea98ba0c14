import { systemClock, type Clock } from '../core/clock'
import { isRecord } from '../core/values'
import { invalidInput, AuthError, invalidResponse, isAuthError } from '../errors/auth-error'
import { hasWebhookSignature, webhookKey } from '../core/webhook-signature'
import type { ErrorDetails } from '../errors/details'
import { assertRequest, header, type RequestLike } from '../session/requests/request-like'
import { checkedTolerance } from '../transport/config'
import { setting } from '../errors/setting'
import { webhookEvent, type WebhookEvent } from '../entities/webhooks/server-events'

/**
 * Remembers the handled deliveries. `webhookMemory()` is for one process; several processes need a shared memory, in Redis
 * `SET id 1 NX PX keepMillis`.
 */
export interface WebhookMemory {
  /** Records the delivery with this id for `keepMillis`. False: it was recorded before. */
  claim(id: string, keepMillis: number): boolean | PromiseLike<boolean>
}

/**
 * The deliveries that this process has handled, each for as long as its signature is accepted, ten minutes at most.
 *
 * @example
 * const memory = webhookMemory()
 * const event = await verifyWebhook(request, '…', { memory })
 */
export function webhookMemory({ clock = systemClock }: { readonly clock?: Clock } = {}): WebhookMemory & {
  /** Forgets the delivery after its handling has failed: the platform sends it again with the same id. */
  release(id: string): void
} {
  /** Expiry by id, in monotonic time and in the order of claims. */
  const taken = new Map<string, number>()
  return {
    claim(id, keepMillis) {
      const now = clock.monotonic()
      for (const [old, until] of taken) {
        if (until > now) break
        taken.delete(old)
      }
      if ((taken.get(id) ?? 0) > now) return false
      taken.delete(id)
      taken.set(id, now + keepMillis)
      return true
    },
    release(id) {
      taken.delete(id)
    },
  }
}

/** A text or its bytes: an ArrayBuffer, a Buffer, any typed array, a DataView. */
type BodyPart = string | ArrayBufferLike | ArrayBufferView

/** A Blob as far as it is read: a program may know no DOM. */
interface BlobLike {
  readonly size: number
  arrayBuffer(): Promise<ArrayBufferLike>
}

/** A ReadableStream as far as it is read. */
interface StreamLike {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
    cancel(): Promise<unknown>
  }
}

/** A request whose body has been neither read nor parsed: a text, bytes in any form, a Blob or a stream. */
export type UnreadBody =
  | { text(): Promise<string> }
  | { readonly body: BodyPart | BlobLike | StreamLike | AsyncIterable<BodyPart> }
  | AsyncIterable<string | Uint8Array>

/** Far above the size of any event. */
const maxBytes = 1_048_576

/** The bytes of a request's body; null above the limit. */
async function unreadBody(request: object): Promise<Uint8Array<ArrayBuffer> | null> {
  const { body, text, rawBody } = request as Readonly<Record<string, unknown>>
  // Platforms that parse the body provide its bytes beside it.
  for (const given of [rawBody, body]) {
    const bytes = bytesOf(given)
    if (bytes) return joined([bytes])
  }
  if ('bodyUsed' in request && request.bodyUsed === true) throw alreadyRead()
  // The text of a request has no limit, where its stream has one.
  if (typeof text === 'function' && !isStream(body))
    return joined([new TextEncoder().encode(await (request as { text(): Promise<string> }).text())])
  const source: unknown = body ?? request
  if (isBlob(source)) return source.size > maxBytes ? null : joined([new Uint8Array(await source.arrayBuffer())])
  const parts: Uint8Array[] = []
  let size = 0
  for await (const given of partsOf(source)) {
    const part = bytesOf(given)
    if (!part) throw alreadyRead()
    parts.push(part)
    size += part.length
    if (size > maxBytes) return null
  }
  return joined(parts)
}

/** The bytes of a part, of another realm too; undefined if it is none. */
function bytesOf(part: unknown): Uint8Array | undefined {
  if (typeof part === 'string') return new TextEncoder().encode(part)
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
  const isBuffer = /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(part))
  return isBuffer ? new Uint8Array(part as ArrayBufferLike) : undefined
}

function isBlob(source: unknown): source is BlobLike {
  return isRecord(source) && typeof source['arrayBuffer'] === 'function'
}

function isStream(source: unknown): source is StreamLike {
  return isRecord(source) && typeof source['getReader'] === 'function'
}

function partsOf(source: unknown): AsyncIterable<unknown> {
  if (!isRecord(source) || source['locked'] === true || source['readableEnded'] === true) throw alreadyRead()
  // Not every runtime can iterate over a stream of the web.
  if (isStream(source)) return read(source)
  if (Symbol.asyncIterator in source) return source as unknown as AsyncIterable<unknown>
  throw alreadyRead()
}

async function* read(stream: StreamLike): AsyncGenerator<unknown> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    // Also ends an upload that is too large. Not awaited: the end may fail, or never come.
    reader.cancel().catch(() => undefined)
  }
}

function alreadyRead() {
  return invalidInput(
    'request',
    'has no unparsed body, which the signature needs; handle the webhook before a body parser: express.raw({ type: "*/*" }), or pass { headers, body } with the text, its bytes, a Blob or a stream',
  )
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | null {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  if (size > maxBytes) return null
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The limits of a verification. */
export interface VerifyWebhookOptions {
  /** The greatest age of a delivery, and how far it may be ahead of this clock. Default 300 000. */
  readonly toleranceMillis?: number
  /** Refuses repeated deliveries. Without it, a recorded delivery is accepted until it is too old. */
  readonly memory?: WebhookMemory
  readonly clock?: Clock
}

/** A webhook's request: a fetch `Request`, a request of Node or Express, or its headers and unparsed body. */
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
  const body = await unreadBody(request).catch((error: unknown) => {
    throw isAuthError(error) ? error : rejected('incomplete', 'broke off before its end')
  })
  if (!body) throw rejected('too-large', 'is larger than any that the platform sends')
  if (!(await hasWebhookSignature(key, { id, timestamp, body }, signatures)))
    throw rejected('forged', 'is not signed with this secret, or was altered')
  const { type, data } = parsed(body)
  const event = webhookEvent({ id, sentAt: new Date(sentMillis) }, type, data)
  // After the signature, or a forged request could claim the id of a real delivery; and not of one that no handler gets.
  if (memory && !(await memory.claim(id, toleranceMillis - ageMillis + 1000)))
    throw rejected('replayed', 'was handled before')
  return event
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
