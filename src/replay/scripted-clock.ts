import type { Clock } from '../core/clock'
import { macrotasks } from '../platform/test-tools/virtual-clock'

interface Timer {
  /** In monotonic time. */
  readonly at: number
  readonly run: () => void
}

/** By how much a timer of a browser may be late. */
const lateMillis = 20

/** The clock of a recording. Its timers run one at a time: which of those that fall due at one time comes first, the recording says. */
export class ScriptedClock {
  readonly clock: Clock
  #wallStart: number
  #monotonic = 0
  /** Sorted by time, then by creation. */
  readonly #timers: Timer[] = []
  readonly #turn = macrotasks()

  constructor(wall: number, random: () => number) {
    this.#wallStart = wall
    this.clock = {
      now: () => this.#wallStart + this.#monotonic,
      monotonic: () => this.#monotonic,
      random,
      setTimeout: (run, millis) => {
        const timer = { at: this.#monotonic + Math.max(0, millis || 0), run }
        this.#timers.splice(this.#placeOf(timer.at), 0, timer)
        return () => {
          const index = this.#timers.indexOf(timer)
          if (index >= 0) this.#timers.splice(index, 1)
        }
      },
    }
  }

  shiftWall(millis: number): void {
    this.#wallStart += millis
  }

  /** Resolves when everything that is ready has run. */
  async settle(): Promise<void> {
    await this.#turn()
  }

  /**
   * Moves to a time, and runs the timers that were due well before it: not those that are due at it, or late as timers are. One
   * whose effect is seen at its own time has an event there; others ran late, as after a sleep.
   */
  async moveTo(at: number): Promise<void> {
    this.jumpTo(at)
    while ((this.#timers[0]?.at ?? at) < at - lateMillis) await this.runNext()
  }

  /** Moves to a time before any timer runs. */
  jumpTo(at: number): void {
    this.#monotonic = Math.max(this.#monotonic, at)
  }

  /** Runs the next timer that is due by now, if `isDue`; false: there is none. */
  async runDue(): Promise<boolean> {
    const isDue = (this.#timers[0]?.at ?? Infinity) <= this.#monotonic
    if (isDue) await this.runNext()
    return isDue
  }

  /** The index after the timers that are due earlier or at the same time: mostly the last. */
  #placeOf(at: number): number {
    let index = this.#timers.length
    while (index > 0 && (this.#timers[index - 1]?.at ?? 0) > at) index--
    return index
  }

  async runNext(): Promise<void> {
    const next = this.#timers.shift()
    if (!next) return
    this.#monotonic = Math.max(this.#monotonic, next.at)
    next.run()
    await this.settle()
  }
}
