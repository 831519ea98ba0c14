import { jsonText } from '../../core/values'
import { maxWaitMillis } from '../../core/clock'
import { isEdge } from '../../core/host'
import { isThenable, thenSync } from '../../core/promises'
import { onAbort } from '../../core/signals'
import type { WebResponse } from '../../core/web-types'
import { assertKnownNames, invalidInput, isAuthError, misuse, toAuthError } from '../../errors/auth-error'
import { setting } from '../../errors/setting'
import { verifierOf } from '../../kit/verifier-of'
import { header, type RequestLike } from '../../session/requests/request-like'
import { coreOf, type Kit } from '../../store/kit-parts'
import type { VerifiedToken } from '../../verify/verified-token'
import { verifyWebhook, type WebhookRequest } from '../../verify/verify-webhook'
import { textOf, type EventNotice } from './message'
import { inTime } from './questions'
import { ChangeBroadcaster } from './change-broadcaster'

/** Who may know of an event, and how several processes share events. */
export interface ChangesOptions {
  /**
   * Whether the user may know of the event; it is given what the page would be told: the type, and the ids alone. At most eight
   * questions are without an answer at once, and one for each user and subject. An error refuses, and goes to `onUnhandled`. Default:
   * the platform's members and permissions decide, as the guide says.
   */
  readonly mayKnow?: (userId: string, event: EventNotice) => boolean | Promise<boolean>
  /** Sends a text to all processes, this one included or not. If it fails, the platform is asked to send the webhook again. */
  readonly publish?: (text: string) => void | Promise<void>
  /** Calls `listener` with each text that a process has published, until the function that it returns is called. */
  readonly subscribe?: (listener: (text: string) => void) => () => void
}

/** Reads a signal of the kit. An edge runtime makes none where a module is loaded, and shows it to no other request. */
function inOneContext(read: () => unknown): void {
  try {
    read()
  } catch (cause) {
    if (!isEdge() || isAuthError(cause)) throw cause
    // A bundle for production has the text too: some workers run nowhere else.
    throw invalidInput(
      'server',
      'of changes() belongs to another request, which this runtime keeps apart; on Cloudflare, call changes() in the constructor of a Durable Object, and send the webhooks and streams there',
    )
  }
}

/**
 * The backend's half of live updates: takes the platform's webhooks, and tells the pages of users who may know of a change. The other
 * half is `followChanges(app, changesFrom('/api/changes'))`.
 *
 * `receive` answers a webhook: 200, also to one that was received before; 401 to one that is forged, old or unsigned, of which nothing
 * is told; 500 if `publish` fails. `stream` answers with server-sent events for the user of the request's access token, or with the
 * refusal of `verifyAccessToken.request`. Both take a fetch `Request` or a request of Node. `close` ends all streams.
 *
 * @example
 * const live = changes(createServerApp(), { webhookSecret: process.env['STACK_WEBHOOK_SECRET'] ?? '' })
 * const POST = (request: Request) => live.receive(request)
 * const GET = (request: Request) => live.stream(request)
 */
export function changes(
  server: Kit<'server'>,
  options: ChangesOptions & { readonly webhookSecret: string },
): {
  receive(request: WebhookRequest): Promise<WebResponse>
  stream(request: RequestLike): Promise<WebResponse>
  close(): void
} {
  const core = coreOf(server)
  inOneContext(() => {
    core.assertAlive()
  })
  assertKnownNames(options, 'webhookSecret mayKnow publish subscribe')
  const { mayKnow, publish, subscribe, webhookSecret } = options
  const secret = setting('webhookSecret', webhookSecret)
  if (!secret) throw misuse('webhookSecret', 'is missing: the secret of the webhook endpoint, whsec_…')
  const { clock, session } = core
  const report = (error: unknown) => {
    core.onUnhandled(toAuthError(error))
  }
  const broadcaster = new ChangeBroadcaster(server, report, mayKnow)
  const verify = verifierOf(server)
  const unsubscribe = subscribe?.(text => {
    broadcaster.take(text)
  })
  const close = () => {
    forget()
    if (broadcaster.close())
      void thenSync<unknown, unknown>(
        () => unsubscribe?.(),
        () => undefined,
        report,
      )
  }
  const forget = onAbort(session.ended, close)

  return {
    async receive(request) {
      inOneContext(() => session.ended.aborted)
      if (broadcaster.isClosed) return answer(503, 5)
      let text: string | undefined
      try {
        const event = await verifyWebhook(request, secret, { clock })
        if (!broadcaster.has(event.id)) text = textOf(event)
      } catch (error) {
        if (isAuthError(error, 'WEBHOOK_REJECTED')) return answer(401)
        if (!isAuthError(error, 'INVALID_RESPONSE')) throw error
        const id = header(request, 'svix-id') || header(request, 'webhook-id')
        if (!broadcaster.has(id)) {
          // The event is the platform's, but not as documented: pages load what they show.
          report(error)
          text = jsonText({ type: 'missed', id })
        }
      }
      if (text !== undefined) {
        try {
          const published = publish?.(text)
          if (isThenable(published)) await inTime(clock, published, 'publish')
        } catch (error) {
          report(error)
          return answer(500)
        }
        broadcaster.take(text)
      }
      return answer(200)
    },
    async stream(request) {
      inOneContext(() => session.ended.aborted)
      const { user, refusal } = await verify.request(request, { allowAnonymous: true })
      if (refusal) return refusal
      if (broadcaster.isClosed) return answer(503, 5)
      return open(request, user)
    },
    close,
  }

  function open(request: RequestLike, { userId, expiresAt, issuedAt }: VerifiedToken): WebResponse {
    if (broadcaster.isGone(userId)) return answer(401)
    const stream = broadcaster.open(userId, header(request, 'last-event-id'))
    if (!stream) return answer(429, 60)
    const lifeMillis = expiresAt.getTime() - (issuedAt?.getTime() ?? -Infinity)
    // This clock may be slow.
    const millis = Math.min(expiresAt.getTime() - clock.now(), lifeMillis, maxWaitMillis)
    stream.endAfter(Math.max(0, millis))
    const { signal } = request as { readonly signal?: AbortSignal }
    if (signal?.aborted) stream.end()
    signal?.addEventListener('abort', () => {
      stream.end()
    })
    return new Response(stream.body, {
      headers: {
        'content-type': 'text/event-stream',
        // Without changes on the way: a proxy that compresses may keep parts.
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    })
  }
}

function answer(status: number, retrySeconds?: number): WebResponse {
  const headers = { 'cache-control': 'no-store', ...(retrySeconds && { 'retry-after': `${retrySeconds}` }) }
  return new Response(null, { status, headers })
}
