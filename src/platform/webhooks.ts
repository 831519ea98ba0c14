import type { Observable } from 'rxjs'
import { Subject } from 'rxjs'
import { toBase64Url } from '../core/base64url'
import type { Clock } from '../core/clock'
import type { WebRequest } from '../core/web-types'
import type { WebhookType } from '../server/webhook-events'
import type { HappenedEvent } from './webhook-events'
import { localSecret, signedRequest, WebhookReceiver } from './webhook-receiver'
import type { Message, WebhookDelivery, WebhookEndpoint } from './webhook-receiver'

/**
 * One event as it is told, with a request as an endpoint gets it.
 *
 * @example
 * const verify = ({ request }: Webhook) => verifyWebhook(request, platform.webhooks.secret)
 * platform.webhooks$.subscribe(webhook => void verify(webhook))
 */
export interface Webhook {
  readonly id: string
  /** Whose users it is about. Endpoints are told of the platform's own project, and of no other. */
  readonly projectId: string
  readonly type: WebhookType
  /** As it stands on the wire. */
  readonly data: unknown
  /** Signed with the platform's secret. */
  readonly request: WebRequest
}

/**
 * The endpoints that the platform delivers events to.
 *
 * @example
 * const tell = (webhooks: Webhooks, url: string) => webhooks.add({ url })
 * const stop = tell(platform.webhooks, 'http://localhost:3000/webhooks')
 */
export interface Webhooks {
  /** Not a secret: every local platform has it. For `verifyWebhook(request, secret)`. */
  readonly secret: string
  /** Every attempt, when it is over. */
  readonly deliveries$: Observable<WebhookDelivery>
  /** Adds an endpoint, which is told of what happens from now on; returns what removes it. */
  add(endpoint: WebhookEndpoint): () => void
  /** Delivers an event once more to every endpoint, under its old id. Rejects if none of the last 1,000 has this id. */
  replay(id: string): Promise<void>
  /** Resolves when no attempt is under way. Those that wait for their time to come do not count. */
  idle(): Promise<void>
}

/** The platform's side of it. */
interface WebhookSender {
  readonly webhooks: Webhooks
  readonly webhooks$: Observable<Webhook>
  /** Gives the event as it is told. */
  send(projectId: string, event: HappenedEvent): Message
  dispose(): void
}

const maxKept = 1000

/**
 * Tells endpoints of events, in the order in which they happened: an endpoint is told of the next one when it has answered,
 * or failed to. What failed is tried again later and holds nothing up, so that it may come after newer events.
 */
export function webhookSender(
  clock: Clock,
  ownProjectId: string,
  endpoints: readonly WebhookEndpoint[],
): WebhookSender {
  const deliveries$ = new Subject<WebhookDelivery>()
  const webhooks$ = new Subject<Webhook>()
  const messages = new Map<string, Message>()
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

  async function show(projectId: string, message: Message): Promise<void> {
    const { id, type, data } = message
    webhooks$.next({ id, projectId, type, data, request: await signedRequest(clock, message, {}) })
  }

  function keep(message: Message): void {
    messages.set(message.id, message)
    const [oldest] = messages.keys()
    if (messages.size > maxKept && oldest !== undefined) messages.delete(oldest)
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
      keep(message)
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

function messageOf({ type, data }: HappenedEvent): Message {
  const id = `msg_${toBase64Url(crypto.getRandomValues(new Uint8Array(20)))}`
  return { id, type, data, body: JSON.stringify({ type, data }) }
}
