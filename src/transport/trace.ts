import { Observable, Subject } from 'rxjs'
import type { Clock } from '../core/clock'

/**
 * What the kit did and why. Contains no bodies, queries, headers or e-mail addresses, so it needs no redaction.
 *
 * @example
 * const isSlow = (event: TraceEvent) => event.type === 'request' && event.millis > 1_000
 * app.trace$.subscribe(event => isSlow(event) && console.log(event))
 */
export type TraceEvent = { readonly at: Date } & (
  | {
      readonly type: 'request'
      readonly method: string
      /** The declared route, with its parameters unfilled. */
      readonly path: string
      /** 1 for the first. */
      readonly attempt: number
      readonly status: number | null
      readonly code: string | null
      readonly millis: number
    }
  | {
      readonly type: 'retry'
      readonly method: string
      readonly path: string
      readonly cause: string
      readonly waitMillis: number
    }
  | { readonly type: 'refresh'; readonly outcome: 'refreshed' | 'taken-over' | 'ended' | 'transient' }
  /** An item of a list cannot be read, and is left out. `field`: what is not as documented. */
  | { readonly type: 'left-out'; readonly path: string; readonly id: string; readonly field: string }
  | { readonly type: 'oauth-callback'; readonly outcome: 'ignored'; readonly reason: string }
  /** Another session, or none; new tokens of the same session are no change. `cause`: what changed it. */
  | { readonly type: 'identity'; readonly to: 'unknown' | 'signed-out' | 'user'; readonly cause: string }
  | { readonly type: 'commit'; readonly cause: string; readonly stores: readonly string[] }
)

type Untimed<E> = E extends unknown ? Omit<E, 'at'> : never

/** Emits nothing, and builds no events, without subscribers. */
export class Trace {
  /** The number of subscribers. */
  listeners = 0
  readonly events$ = new Observable<TraceEvent>(subscriber => {
    this.listeners++
    subscriber.add(() => this.listeners--)
    subscriber.add(this.#events$.subscribe(subscriber))
  })

  readonly #events$ = new Subject<TraceEvent>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  end(): void {
    this.#events$.complete()
  }

  emit(event: () => Untimed<TraceEvent>): void {
    // Sound: the union member that `event` made, plus its date.
    if (this.#events$.observed) this.#events$.next({ at: new Date(this.#clock.now()), ...event() })
  }
}
