import { macrotasks } from '../../core/clock'

/** Microtasks after an event that are counted. */
const maxSteps = 200

/** Numbers the turns of an app, and within a turn its microtasks: by these a recording tells what came before what. */
export class TurnNumbers {
  turn = 0
  step = 0
  #isInTurn = false
  #left = 0
  readonly #later = macrotasks()
  /** A listener for each step. */
  onStep: (() => void) | undefined

  /** An event has come. Returns whether it is the first of its turn. */
  mark(): boolean {
    const isFirst = !this.#isInTurn
    if (isFirst) {
      this.#isInTurn = true
      this.turn++
      this.step = 0
      void this.#later().then(() => (this.#isInTurn = false))
    }
    if (this.#left === 0) this.#count()
    this.#left = maxSteps
    return isFirst
  }

  #count(): void {
    void Promise.resolve().then(() => {
      this.step++
      // The next step is queued before what this one leads to.
      if (--this.#left > 0) this.#count()
      this.onStep?.()
    })
  }
}
