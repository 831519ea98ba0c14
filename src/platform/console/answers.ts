import * as v from 'valibot'
import { plain, RefusedRequest } from '../model/refusal'
import { Subscription, type Observable } from 'rxjs'
import type { Clock } from '../../core/clock'

/** Accepts JSON only: a form on another page cannot send JSON without a preflight. */
export async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw plain(415, 'The body must be JSON, with the content type that says so.')
  return request.json().catch(() => {
    throw plain(400, 'The body is not valid JSON.')
  })
}

export function failure(error: unknown): Response {
  if (error instanceof RefusedRequest) return refused(error.status, error.message)
  if (v.isValiError(error)) {
    const [issue] = error.issues
    // The place and the message quote the body.
    const [where, what] = [v.getDotPath(issue) ?? 'the whole', issue.message].map(text => text.slice(0, 300))
    return refused(400, `The body does not fit: ${where}: ${what}.`)
  }
  return refused(500, `The local platform itself failed. ${error instanceof Error ? error.message : String(error)}`)
}

/** Headers that keep other origins from reading, framing or caching an answer. */
export const common = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export function json(value: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { status, headers: { ...common, ...headers } })
}

export function refused(status: number, error: string): Response {
  return json({ error }, status)
}

interface ConsoleRequest {
  readonly request: Request
  readonly url: URL
  /** The last segment of the address. */
  readonly id: string | undefined
  readonly body: unknown
}

/** Handlers by address, without the prefix, and by method. The address `requests/` is followed by an id. */
export type Routes = Readonly<
  Record<string, Readonly<Record<string, (asked: ConsoleRequest) => Response | Promise<Response>>>>
>

/** The interval of heartbeats: proxies may close a connection that is silent for longer. */
const beatMillis = 20_000

/** A comment, which readers ignore. */
const stillHere = ': still here\n\n'

/** A reader with this many unread events is disconnected: its browser reconnects and asks for what it has missed. */
const maxWaiting = 1000

interface StreamEvent {
  readonly type: string
}

const named = ({ type, ...rest }: StreamEvent) => `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`

/** Calls `run` at each heartbeat, until the returned function is called. */
function beating(clock: Clock, run: () => void): () => void {
  let stop = () => {}
  const wait = () => {
    const beat = () => {
      wait()
      run()
    }
    stop = clock.setTimeout(beat, beatMillis, { keepAlive: false })
  }
  wait()
  return () => stop()
}

/** Server-sent events: each value as `textOf` writes it, until the source completes or the reader disconnects. */
export function eventStream<T extends StreamEvent>(
  source$: Observable<T>,
  first: T | undefined,
  clock: Clock,
  textOf: (value: T) => string = named,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const open = new Subscription()
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = () => {
          if (open.closed) return
          open.unsubscribe()
          controller.close()
        }
        const send = (text: string) => {
          if (open.closed) return
          controller.enqueue(encoder.encode(text))
          if ((controller.desiredSize ?? 0) <= 0) close()
        }
        // Sent at once: some proxies forward the headers only with the first bytes.
        send(first ? textOf(first) : stillHere)
        open.add(beating(clock, () => send(stillHere)))
        open.add(source$.subscribe({ next: value => send(textOf(value)), complete: close }))
      },
      cancel: () => open.unsubscribe(),
    },
    { highWaterMark: maxWaiting },
  )
}
