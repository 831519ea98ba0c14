import { Subject, type Observable } from 'rxjs'
import { toBase64Url } from '../../core/encoding'
import type { Clock } from '../../core/clock'
import type { WebRequest, WebResponse } from '../../core/web-types'
import type { WebhookType } from '../../entities/webhooks/server-events'
import type { HappenedEvent } from '../model/engine'
import { parseUrl } from '../../core/urls'
import { webhookKey, webhookSignature } from '../../core/webhook-signature'

/** Where events are delivered: a URL, or a handler in this process. */
export type WebhookEndpoint = (
  | { readonly url: string }
  | { readonly handler: (request: WebRequest) => WebResponse | undefined | Promise<WebResponse | undefined> }
) & {
  /** The secret that signs its deliveries. Default: the local platform's `platform.webhooks.secret`. */
  readonly secret?: string
}

/** One attempt to deliver an event. */
export interface WebhookDelivery {
  /** The event's id, the same for every attempt. */
  readonly id: string
  readonly type: WebhookType
  /** Null for a handler in this process. */
  readonly url: string | null
  /** 1 for the first. */
  readonly attempt: number
  readonly isDelivered: boolean
  /** The status that the endpoint answered; null without an answer. A handler that returns nothing counts as 204. */
  readonly status: number | null
  /** The time of the next attempt; null: there is none. */
  readonly nextAt: Date | null
}

export interface WebhookMessage extends HappenedEvent {
  readonly id: string
  readonly body: string
}

/** Not secret: it is the same on every local platform. */
const localSecret = 'whsec_bG9jYWwtcGxhdGZvcm0tbm90LWEtc2VjcmV0'

/** The waits between attempts, as Svix has them; after the last one the event is dropped. */
const waitsMillis = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map(seconds => seconds * 1000)

/** Svix's time limit for an answer. */
const limitMillis = 15_000

/** Delivers to one endpoint, one request at a time. Calls `told` after every attempt. */
function receiverFor(clock: Clock, endpoint: WebhookEndpoint, told: (delivery: WebhookDelivery) => void) {
  if ('url' in endpoint && !/^https?:$/.test(parseUrl(endpoint.url)?.protocol ?? ''))
    throw new Error(`a webhook cannot be sent to "${endpoint.url}", which is no http or https address`)
  const waiting = new Set<() => void>()
  let queue: Promise<unknown> = Promise.resolve()
  let hasEnded = false

  function push(message: WebhookMessage, attempt = 1): Promise<unknown> {
    queue = queue.then(() => deliver(message, attempt))
    return queue
  }

  async function deliver(message: WebhookMessage, attempt: number): Promise<void> {
    if (hasEnded) return
    const status = await statusOf(clock, endpoint, message)
    const isDelivered = status !== null && status >= 200 && status < 300
    const waitMillis = isDelivered || hasEnded ? undefined : waitsMillis[attempt - 1]
    if (waitMillis !== undefined) {
      const again = () => {
        waiting.delete(cancel)
        void push(message, attempt + 1)
      }
      const cancel = clock.setTimeout(again, waitMillis, { keepAlive: false })
      waiting.add(cancel)
    }
    const url = 'url' in endpoint ? endpoint.url : null
    const nextAt = waitMillis === undefined ? null : new Date(clock.now() + waitMillis)
    told({ id: message.id, type: message.type, url, attempt, isDelivered, status, nextAt })
  }

  return {
    push,
    /** Resolves after every delivery pushed so far, without later retries. */
    idle: () => queue,
    end() {
      hasEnded = true
      for (const cancel of waiting) cancel()
      waiting.clear()
    },
  }
}

async function statusOf(clock: Clock, endpoint: WebhookEndpoint, message: WebhookMessage): Promise<number | null> {
  const ends = new AbortController()
  let cancel: () => void = () => undefined
  const tooLate = new Promise<null>(resolve => {
    cancel = clock.setTimeout(() => {
      resolve(null)
      ends.abort()
    }, limitMillis)
  })
  const answer = async () => {
    const request = await signedRequest(clock, message, endpoint)
    if ('handler' in endpoint) return (await endpoint.handler(request))?.status ?? 204
    return (await fetch(request, { redirect: 'manual', signal: ends.signal })).status
  }
  try {
    return await Promise.race([answer(), tooLate])
  } catch {
    // The endpoint's error is not reported; only the failed delivery is.
    return null
  } finally {
    cancel()
  }
}

/** A signed request that delivers the message now. */
async function signedRequest(
  clock: Clock,
  { id, body }: WebhookMessage,
  { url = 'http://localhost/webhook', secret = localSecret }: { readonly url?: string; readonly secret?: string },
): Promise<Request> {
  // A virtual clock does not see WebCrypto's work.
  const work = (clock as Clock & { begin?(): { end(): void } }).begin?.()
  try {
    const key = await webhookKey(secret)
    if (!key) throw new Error('the secret of a webhook endpoint is whsec_ and base64')
    const timestamp = String(Math.floor(clock.now() / 1000))
    const signature = await webhookSignature(key, { id, timestamp, body: new TextEncoder().encode(body) })
    // Signed under Svix's header names and under those of the specification.
    const signing = ['svix', 'webhook'].flatMap(prefix => [
      [`${prefix}-id`, id],
      [`${prefix}-timestamp`, timestamp],
      [`${prefix}-signature`, signature],
    ])
    const headers = { 'content-type': 'application/json', ...(Object.fromEntries(signing) as Record<string, string>) }
    return new Request(url, { method: 'POST', headers, body })
  } finally {
    work?.end()
  }
}

/** One event, with the request that an endpoint receives. */
export interface Webhook {
  readonly id: string
  /** The project of the event. Endpoints receive the events of the platform's own project only. */
  readonly projectId: string
  readonly type: WebhookType
  readonly data: unknown
  /** Signed with the platform's secret. */
  readonly request: WebRequest
}

/** The platform's webhook endpoints. */
export interface Webhooks {
  /** Not secret: it is the same on every local platform. For `verifyWebhook(request, secret)`. */
  readonly secret: string
  /** Emits after every attempt. */
  readonly deliveries$: Observable<WebhookDelivery>
  /** Adds an endpoint for events from now on; returns a function that removes it. */
  add(endpoint: WebhookEndpoint): () => void
  /** Delivers an event again to every endpoint, with the same id. Rejects if none of the last 1,000 events has this id. */
  replay(id: string): Promise<void>
  /** Resolves when no delivery is running. Waiting retries do not count. */
  idle(): Promise<void>
}

const maxKept = 1000

/**
 * Sends events to endpoints in the order in which they happened: an endpoint receives the next event after it has
 * answered or failed. A failed delivery is repeated later without holding up newer events, so it may arrive after them.
 */
export function webhookSender(clock: Clock, ownProjectId: string, endpoints: readonly WebhookEndpoint[]) {
  const deliveries$ = new Subject<WebhookDelivery>()
  const webhooks$ = new Subject<Webhook>()
  const messages = new Map<string, WebhookMessage>()
  const receivers = new Set<ReturnType<typeof receiverFor>>()
  let showing: Promise<unknown> = Promise.resolve()

  function add(endpoint: WebhookEndpoint): () => void {
    const receiver = receiverFor(clock, endpoint, delivery => deliveries$.next(delivery))
    receivers.add(receiver)
    return () => {
      receivers.delete(receiver)
      receiver.end()
    }
  }

  async function show(projectId: string, message: WebhookMessage): Promise<void> {
    const { id, type, data } = message
    webhooks$.next({ id, projectId, type, data, request: await signedRequest(clock, message, {}) })
  }

  for (const endpoint of endpoints) add(endpoint)
  return {
    webhooks: {
      secret: localSecret,
      deliveries$: deliveries$.asObservable(),
      add,
      async replay(id) {
        const message = messages.get(id)
        if (!message) throw new Error(`there is no webhook "${id}" among the last ${maxKept} of this platform`)
        await Promise.all([...receivers].map(receiver => receiver.push(message)))
      },
      async idle() {
        await Promise.all([showing, ...[...receivers].map(receiver => receiver.idle())])
      },
    } satisfies Webhooks,
    webhooks$: webhooks$.asObservable(),
    /** Sends the event and returns it as a message. */
    send(projectId: string, event: HappenedEvent): WebhookMessage {
      const id = `msg_${toBase64Url(crypto.getRandomValues(new Uint8Array(20)))}`
      const message = { ...event, id, body: JSON.stringify({ type: event.type, data: event.data }) }
      if (webhooks$.observed) showing = showing.then(() => show(projectId, message))
      if (projectId !== ownProjectId) return message
      messages.set(id, message)
      const [oldest] = messages.keys()
      if (messages.size > maxKept && oldest !== undefined) messages.delete(oldest)
      for (const receiver of receivers) void receiver.push(message)
      return message
    },
    dispose(): void {
      for (const receiver of receivers) receiver.end()
      deliveries$.complete()
      webhooks$.complete()
    },
  }
}
