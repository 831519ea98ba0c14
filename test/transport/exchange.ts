import { virtualClock, type VirtualClock } from 'rxauth/platform'
import type { Config } from '../../src/transport/config'
import type { Credentials, Owner, Tokens } from '../../src/transport/access-token'
import { Trace, type TraceEvent, type Transport } from '../../src/transport/transport'

/** The network's behaviour for one request. */
export type Reply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  /** The fetch rejects with it. */
  | Error
  /** No answer until the request is aborted. */
  | 'silence'
  /** No answer, whatever the signal says. */
  | 'deafness'
  /** Headers arrive, the body never ends. */
  | 'endless body'

export interface Sent {
  /** Milliseconds since the exchange was made. */
  readonly at: number
  readonly url: string
  readonly headers: Headers
  readonly init: RequestInit
  /** The parsed body; undefined if there was none. */
  readonly body: unknown
}

export interface Exchange {
  readonly transport: Transport
  readonly clock: VirtualClock
  readonly sent: Sent[]
  readonly events: TraceEvent[]
}

export const owner: Owner = { '~owner': true }

export const config: Config = {
  projectId: 'the-project',
  publishableClientKey: 'pck_the-key',
  baseUrl: 'https://auth.example.com',
  extraHeaders: {},
  keys: { server: {}, admin: {} },
}

/** A transport over a scripted network; the last reply repeats. `random`: the clock's random number. */
export function exchange(
  replies: readonly Reply[],
  options: {
    readonly random?: number
    readonly config?: Partial<Config>
    readonly offline?: boolean
    readonly tokens?: Tokens | null
    readonly credentials?: Partial<Credentials>
  } = {},
): Exchange {
  const { random = 0.5, offline = false, tokens = null } = options
  const virtual = { ...virtualClock(), random: () => random }
  const clock = Object.assign(virtual, { tap: { sent: 0, answered: 0 }, running: 0, uncounted: virtual })
  const startedAt = clock.now()
  const sent: Sent[] = []
  const events: TraceEvent[] = []
  const trace = new Trace(clock)
  trace.events$.subscribe(event => events.push(event))
  const transport: Transport = {
    config: { ...config, ...options.config },
    clock,
    trace,
    attemptTimeoutMillis: 30_000,
    isOnline: () => !offline,
    credentials: {
      tokensFor: () => Promise.resolve(tokens),
      refused: () => undefined,
      userMissing: () => Promise.resolve(false),
      ...options.credentials,
    },
    fetch: async (input, init = {}) => {
      const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined
      const headers = new Headers(init.headers)
      // As the platform would see it: fetch resolves the URL.
      const { href } = new URL(input as string)
      sent.push({ at: clock.now() - startedAt, url: href, headers, init, body })
      return answer(replies[Math.min(sent.length, replies.length) - 1]!, init.signal!)
    },
  }
  return { transport, clock, sent, events }
}

function answer(reply: Reply, signal: AbortSignal): Response | Promise<Response> {
  if (reply instanceof Error) throw reply
  if (reply === 'deafness') return new Promise(() => undefined)
  if (reply === 'silence')
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  if (reply === 'endless body') return new Response(new ReadableStream({}))
  const { status = 200, headers, body = {} } = reply
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, ...(headers && { headers }) })
}

/** A known error as it is on the wire: 200, with the true status in a header. */
export function refusal(code: string, status = 400, details?: object, message = 'no'): Reply {
  return {
    headers: { 'x-stack-known-error': code, 'x-stack-actual-status': `${status}` },
    body: { code, error: message, ...(details && { details }) },
  }
}

/** The state of a promise. */
export interface Outcome<T> {
  value?: T
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- used by assertions only
  error?: any
}

export function watch<T>(promise: Promise<T>): Outcome<T> {
  const outcome: Outcome<T> = {}
  promise.then(
    value => (outcome.value = value),
    (error: unknown) => (outcome.error = error),
  )
  return outcome
}
