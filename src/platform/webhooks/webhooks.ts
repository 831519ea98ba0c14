import type { Observable } from 'rxjs'
import { Subject } from 'rxjs'
import { toBase64Url } from '../../core/encoding'
import type { Clock } from '../../core/clock'
import type { WebRequest } from '../../core/web-types'
import type { WebhookType } from '../../entities/webhooks/server-events'
import type { HappenedEvent } from '../model/engine'
import { localSecret, signedRequest, WebhookReceiver } from './webhook-receiver'
import type { WebhookMessage, WebhookDelivery, WebhookEndpoint } from './webhook-receiver'

/** One event, with the request that an endpoint receives. */
export interface Webhook {
  readonly id: string
  /** The project of the event. Endpoints receive the events of the platform's own project only. */
  readonly projectId: string
  readonly type: WebhookType
  /** In wire names. */
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

/** The platform's view of it. */
interface WebhookSender {
  readonly webhooks: Webhooks
  readonly webhooks$: Observable<Webhook>
  /** Sends the event and returns it as a message. */
  send(projectId: string, event: HappenedEvent): WebhookMessage
  dispose(): void
}

const maxKept = 1000

/**
 * Sends events to endpoints in the order in which they happened: an endpoint receives the next event after it has
 * answered or failed. A failed delivery is repeated later without holding up newer events, so it may arrive after them.
 */
export function webhookSender(
  clock: Clock,
  ownProjectId: string,
  endpoints: readonly WebhookEndpoint[],
): WebhookSender {
  const deliveries$ = new Subject<WebhookDelivery>()
  const webhooks$ = new Subject<Webhook>()
  const messages = new Map<string, WebhookMessage>()
  const receivers = new Set<WebhookReceiver>()
  let showing: Promise<unknown> = Promise.resolve()

  function add(endpoint: WebhookEndpoint): () => void {
    const receiver = new WebhookReceiver(clock, endpoint, delivery => {
      deliveries$.next(delivery)
    })
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
        await Promise.all([showing, ...[...receivers].map(({ queue }) => queue)])
      },
    },
    webhooks$: webhooks$.asObservable(),
    send(projectId, event) {
      const message = messageOf(event)
      if (webhooks$.observed) showing = showing.then(() => show(projectId, message))
      if (projectId !== ownProjectId) return message
      keep(message, messages)
      for (const receiver of receivers) void receiver.push(message)
      return message
    },
    dispose() {
      for (const receiver of receivers) receiver.end()
      deliveries$.complete()
      webhooks$.complete()
    },
  }
}

/** Keeps the message in place of the oldest one. */
function keep(message: WebhookMessage, messages: Map<string, WebhookMessage>): void {
  messages.set(message.id, message)
  const [oldest] = messages.keys()
  if (messages.size > maxKept && oldest !== undefined) messages.delete(oldest)
}

function messageOf({ type, data }: HappenedEvent): WebhookMessage {
  const id = `msg_${toBase64Url(crypto.getRandomValues(new Uint8Array(20)))}`
  return { id, type, data, body: JSON.stringify({ type, data }) }
}
