import type { Clock } from '../core/clock'
import { isVirtual } from './test-tools/virtual-clock'
import type { Work } from './test-tools/virtual-clock'

/** Fills a platform with data; requests wait for it. */
export class Filling {
  /** Resolves when the data is there. Rejects if the platform could not be filled when it was made. */
  ready: Promise<void> = Promise.resolve()
  readonly #clock: Clock
  #running = 0
  #hasEnded = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isRunning(): boolean {
    return this.#running > 0
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Fills the new platform. */
  begin(work: Promise<void>): void {
    this.ready = this.#run(work)
  }

  /** Adds to the data that is there. If it fails, later requests are answered all the same. */
  add(work: () => Promise<void>): Promise<void> {
    const added = this.#run(this.ready.then(work))
    this.ready = added.catch(() => undefined)
    return added
  }

  /** Runs once the data is there. A virtual clock waits for it. Rejects after the end of the platform. */
  async tracked<T>(run: (work: Work | undefined) => Promise<T>): Promise<T> {
    const work = this.#announced()
    try {
      await this.ready
      if (this.#hasEnded) throw new Error('this local platform has been disposed')
      return await run(work)
    } finally {
      work?.end()
    }
  }

  end(): void {
    this.#hasEnded = true
  }

  #run(work: Promise<void>): Promise<void> {
    this.#running++
    // The virtual clock waits for the seed, so that its rows carry the time of the call.
    const announced = this.#announced()
    const filled = work.finally(() => {
      this.#running--
      announced?.end()
    })
    // A failure rejects `ready`; without this handler it would also be an unhandled rejection.
    filled.catch(() => undefined)
    return filled
  }

  #announced(): Work | undefined {
    return isVirtual(this.#clock) ? this.#clock.begin() : undefined
  }
}
