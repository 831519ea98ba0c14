import type { Clock } from '../core/clock'
import { macrotasks } from '../platform/test-tools/virtual-clock'

interface Due {
  /** In monotonic time. */
  readonly due: number
  readonly millis: number
}

interface Timer extends Due {
  readonly run: () => void
}

/** By how much a played timer may differ from the recorded one: a turn of a browser takes time, and one of the player none. */
const unsureMillis = 100
/** With how many of the timers that run after it one is compared. */
const maxLater = 100

/**
 * The clock of a recording. A timer runs when the recording says that it has run. Of one that was due, and of which it does not
 * tell, the event may have been left out.
 */
export class ScriptedClock {
  readonly clock: Clock
  #wallStart: number
  #monotonic = 0
  readonly #timers = new Set<Timer>()
  /** The timers that ran in the recording, in this order. */
  readonly #told: readonly Due[]
  #ran = 0
  readonly #turn = macrotasks()

  constructor(wall: number, told: readonly Due[], random: () => number) {
    this.#told = told
    this.#wallStart = wall
    this.clock = {
      now: () => this.#wallStart + this.#monotonic,
      monotonic: () => this.#monotonic,
      random,
      setTimeout: (run, millis) => {
        const timer = { due: this.#monotonic + millis, millis, run }
        this.#timers.add(timer)
        return () => void this.#timers.delete(timer)
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

  moveTo(at: number): void {
    this.#monotonic = Math.max(this.#monotonic, at)
  }

  /** Runs the next timer that ran in the recording, if it is here: those of calls that are not played are not. */
  async runTold(): Promise<void> {
    const told = this.#told[this.#ran++]
    if (!told) return
    const later = this.#told.slice(this.#ran, this.#ran + maxLater)
    let nearest: Timer | undefined
    let least = unsureMillis
    for (const timer of this.#timers) {
      const difference = differenceOf(timer, told)
      // It may be the one of a later event.
      if (difference >= least || later.some(each => differenceOf(timer, each) < difference)) continue
      nearest = timer
      least = difference
    }
    if (nearest) await this.#run(nearest)
  }

  async #run(timer: Timer): Promise<void> {
    this.#timers.delete(timer)
    timer.run()
    await this.settle()
  }
}

function differenceOf(one: Due, other: Due): number {
  return Math.max(Math.abs(one.due - other.due), Math.abs(one.millis - other.millis))
}
