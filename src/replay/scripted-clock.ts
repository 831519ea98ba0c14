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

/**
 * The clock of a recording. A timer runs when the recording says that it has run. One of which it does not tell was cancelled, or
 * its event has been left out.
 */
export class ScriptedClock {
  readonly clock: Clock
  #wallStart: number
  #monotonic = 0
  readonly #timers = new Set<Timer>()
  /** The timers of the recording that have not run yet, by the parts of time in which they were due. */
  readonly #told = new Map<number, Set<Due>>()
  readonly #turn = macrotasks()

  constructor(wall: number, told: readonly Due[], random: () => number) {
    this.#wallStart = wall
    for (const each of told) {
      const all = this.#told.get(partOf(each)) ?? new Set()
      this.#told.set(partOf(each), all.add(each))
    }
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

  /** Runs the timer that ran in the recording, if it is here: those of calls that are not played are not. */
  async run(told: Due): Promise<void> {
    this.#told.get(partOf(told))?.delete(told)
    let nearest: Timer | undefined
    let least = unsureMillis
    for (const timer of this.#timers) {
      const difference = differenceOf(timer, told)
      if (difference >= least || this.#isNearer(timer, difference)) continue
      nearest = timer
      least = difference
    }
    if (nearest) await this.#run(nearest)
  }

  /** Runs a timer that is due by now and of which the recording does not tell; false: there is none. */
  async runUntold(): Promise<boolean> {
    for (const timer of this.#timers) {
      if (timer.due > this.#monotonic || this.#isNearer(timer, unsureMillis)) continue
      await this.#run(timer)
      return true
    }
    return false
  }

  async #run(timer: Timer): Promise<void> {
    this.#timers.delete(timer)
    timer.run()
    await this.settle()
  }

  /** Whether a timer of the recording that has not run differs from this one by less. */
  #isNearer(timer: Timer, difference: number): boolean {
    const part = partOf(timer)
    const near = [part - 1, part, part + 1].flatMap(each => [...(this.#told.get(each) ?? [])])
    return near.some(each => differenceOf(each, timer) < difference)
  }
}

function differenceOf(one: Due, other: Due): number {
  return Math.max(Math.abs(one.due - other.due), Math.abs(one.millis - other.millis))
}

function partOf({ due }: Due): number {
  return Math.floor(due / unsureMillis)
}
