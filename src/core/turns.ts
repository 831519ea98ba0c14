import { isThenable } from './thenable'
import type { Maybe } from './thenable'

/** Runs functions one after the other: each starts when those before it have settled, at once if there is none. */
export class Turns {
  #last: Promise<unknown> | undefined

  take<T>(run: () => Maybe<T>): T | Promise<T> {
    const done = this.#last ? this.#last.then(run) : run()
    if (!isThenable(done)) return done
    const promise = Promise.resolve(done)
    const over = () => {
      if (this.#last === mine) this.#last = undefined
    }
    const mine: Promise<void> = promise.then(over, over)
    this.#last = mine
    return promise
  }
}
