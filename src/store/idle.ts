import type { Clock } from '../core/clock'

/** How long a cell lives on after its last subscriber. */
const idleMillis = 5_000

/** The idle time of an unused cell. The timer keeps no process running. */
export class Idle {
  readonly #clock: Clock
  readonly #end: () => void
  #cancel: (() => void) | undefined

  constructor(clock: Clock, end: () => void) {
    this.#clock = clock
    this.#end = end
  }

  /** `anew`: from now, whatever was left. */
  start(anew: boolean): void {
    if (this.#cancel && !anew) return
    this.cancel()
    this.#cancel = this.#clock.setTimeout(
      () => {
        this.#cancel = undefined
        this.#end()
      },
      idleMillis,
      { keepAlive: false },
    )
  }

  cancel(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
