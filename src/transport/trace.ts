import { Observable, Subject } from 'rxjs'
import type { Clock } from '../core/clock'

/**
 * What the kit did and why. Holds no bodies, queries, headers or addresses of people, so there is nothing to redact later.
 *
 * @example
 * const isSlow = (event: TraceEvent) => event.type === 'request' && event.millis > 1_000
 * app.trace$.subscribe(event => isSlow(event) && console.log(event))
 */
export type TraceEvent = { readonly at: Date } & (
  | {
      readonly type: 'request'
      readonly method: string
      /** The route as declared, parameters unfilled. */
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
  | { readonly type: 'oauth-callback'; readonly outcome: 'ignored'; readonly reason: string }
  /** Another session, or none; new tokens of the same one are no change. `cause`: what has brought it. */
  | { readonly type: 'identity'; readonly to: 'unknown' | 'signed-out' | 'user'; readonly cause: string }
  | { readonly type: 'commit'; readonly cause: string; readonly stores: readonly string[] }
)

type Untimed<E> = E extends unknown ? Omit<E, 'at'> : never

/** Tells nobody and costs nothing while nobody listens. */
export class Trace {
  /** Those who listen. */
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
    // Sound: the union member is the one that `event` made, with its date.
    if (this.#events$.observed) this.#events$.next({ at: new Date(this.#clock.now()), ...event() })
  }
}
