import { Subscription } from 'rxjs'
import { abortWith, onAbort } from '../../core/signals'
import { millisSince, momentOf, type Moment } from '../../core/clock'
import { thenSync } from '../../core/promises'
import type { Signal, WebEventTarget } from '../../core/web-types'
import { isAuthError, toAuthError, misuse } from '../../errors/auth-error'
import type { Core } from '../../store/kit-parts'
import { sentTokensOf } from '../../backend/bearer'

/** How long an access token must remain valid to open a connection. */
const tokenMillis = 20_000
/** How long a connection may take to open. */
const openingMillis = 20_000
/** A connection open this long counts as lasting. */
const lastedMillis = 10_000
/** How often it looks whether the machine has slept. */
const lookMillis = 15_000
/** Longer than the timers of a hidden page may be late. */
const sleptMillis = 120_000
/** WebSocket close code 4001 and HTTP status 401: the server refuses the token. */
const refusals: readonly unknown[] = [4001, 401]
const normalClosure = 1000
/** The `readyState` of an open WebSocket or EventSource. */
const openState = 1

/**
 * The connection that `open` returns: a `WebSocket`, an `EventSource` or another target of the events 'open', 'close' and
 * 'error'.
 */
export interface Connection extends WebEventTarget {
  close(code?: number): void
}

export type Open = (token: string, signal: Signal) => Connection | PromiseLike<Connection>

/** How a try has ended: open another one at once, or after a pause, or when the session changes. */
export type AttemptEnd = 'again' | 'failed' | 'without-token'

interface AttemptListener {
  /** Called every 15 seconds: the machine may have slept. */
  look(): void
  show(status: 'opening' | 'open'): void
  ended(how: AttemptEnd): void
  /** `open` has failed. */
  threw(error: unknown): void
}

/** One try to open, and the connection that it has led to. */
export class LiveAttempt {
  readonly #core: Core
  readonly #open: Open
  readonly #listener: AttemptListener
  readonly #controller = new AbortController()
  readonly #all = new Subscription()
  #seen: Moment
  #token = ''
  #connection: Connection | undefined
  #openSince: Moment | undefined

  constructor(core: Core, open: Open, listener: AttemptListener) {
    this.#core = core
    this.#open = open
    this.#listener = listener
    this.#seen = momentOf(core.clock)
    // Timers stand still while the machine sleeps.
    const wait = () => {
      const cancel = core.clock.setTimeout(
        () => {
          this.#all.remove(cancel)
          wait()
          listener.look()
        },
        lookMillis,
        { keepAlive: false },
      )
      this.#all.add(cancel)
    }
    wait()
  }

  /** Whether the machine has slept since this was read last. */
  get hasSlept(): boolean {
    const { clock } = this.#core
    const hasSlept = millisSince(this.#seen, clock) > sleptMillis
    this.#seen = momentOf(clock)
    return hasSlept
  }

  get hasLasted(): boolean {
    return this.#openSince !== undefined && millisSince(this.#openSince, this.#core.clock) >= lastedMillis
  }

  async run(): Promise<void> {
    const { committedSession, session } = this.#core
    try {
      const tokens = await session.current(tokenMillis, this.#controller.signal)
      if (this.#all.closed) return
      const accessToken = tokens?.accessToken
      if (session.tokens?.accessToken !== accessToken || this.hasSlept) this.#finish('again')
      // Stores may show no user yet, while caches of the app are cleared.
      else if (!accessToken || committedSession.kind !== 'user') this.#finish('without-token')
      // The machine has slept while the answer was on its way.
      else if (session.serverClock.remaining(accessToken) <= 0) this.#finish('failed')
      else this.#connect(accessToken)
    } catch (error) {
      this.#finish(isAuthError(error, 'SESSION_CHANGED') ? 'again' : 'failed')
    }
  }

  /** `reason`: of the signal that `open` was given. */
  end(reason?: unknown): void {
    if (this.#all.closed) return
    this.#all.unsubscribe()
    abortWith(this.#controller, reason)
    this.#close()
  }

  #finish(how: AttemptEnd, reason?: unknown): void {
    if (this.#all.closed) return
    this.end(reason)
    this.#listener.ended(how)
  }

  #connect(token: string): void {
    const { clock, kit, session } = this.#core
    const { signal } = this.#controller
    this.#token = token
    const ended = sentTokensOf(kit).endOf(session.identity.owner)
    this.#all.add(
      onAbort(ended, () => {
        this.#finish('without-token', ended.reason)
      }),
    )
    const limit = () => {
      if (!this.#openSince) this.#finish('failed')
    }
    this.#all.add(clock.setTimeout(limit, openingMillis, { keepAlive: false }))
    this.#listener.show('opening')
    // A subscriber of the state has ended the attempt.
    if (signal.aborted) return
    void thenSync(
      () => this.#open(token, signal),
      connection => {
        this.#take(connection)
      },
      error => {
        if (!signal.aborted) this.#listener.threw(error)
        this.#finish('failed')
      },
    )
  }

  #take(connection: Connection): void {
    // The value is kept before its check: a Socket.IO socket fails the check while it is open, and has to be closed.
    this.#connection = connection
    try {
      if (!isConnection(connection))
        throw misuse('open', 'returns no connection: an EventTarget with close(), such as a WebSocket')
      // The listeners stay: a socket of Node's `ws` that is closed while it opens throws its error if no listener takes it.
      for (const type of ['open', 'close', 'error'])
        connection.addEventListener(type, event => {
          if (type === 'open') this.#opened()
          else this.#lose(event as { readonly code?: unknown; readonly status?: unknown })
        })
      if ((connection as { readonly readyState?: unknown }).readyState === openState) this.#opened()
    } finally {
      // The attempt ended before `open` returned the connection.
      if (this.#all.closed) this.#close()
    }
  }

  #opened(): void {
    if (this.#all.closed || this.#openSince) return
    this.#openSince = momentOf(this.#core.clock)
    this.#listener.show('open')
  }

  /** The connection has ended by itself. */
  #lose({ code, status }: { readonly code?: unknown; readonly status?: unknown }): void {
    if (this.#all.closed) return
    const isRefused = refusals.includes(code) || refusals.includes(status)
    this.#finish(isRefused && sentTokensOf(this.#core.kit).refuse(this.#token) ? 'again' : 'failed')
  }

  #close(): void {
    const connection: Partial<Connection> | undefined | null = this.#connection
    this.#connection = undefined
    // A promise too, of a transport that closes later.
    void thenSync<unknown, unknown>(
      () => connection?.close?.(normalClosure),
      () => undefined,
      error => {
        this.#core.onUnhandled(toAuthError(error))
      },
    )
  }
}

function isConnection(connection: unknown): boolean {
  const { addEventListener, close } = (connection ?? {}) as Partial<Connection>
  return typeof addEventListener === 'function' && typeof close === 'function'
}
