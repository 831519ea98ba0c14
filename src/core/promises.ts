/** A value, or a promise of one: of this realm, of another (a frame, a zone, a sandbox) or of a library. */
export type Maybe<T> = T | PromiseLike<T>

/** Whether a value is a promise. `instanceof Promise` knows those of this realm alone. */
export function isThenable<T>(value: Maybe<T>): value is PromiseLike<T> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return 'then' in value && typeof value.then === 'function'
}

/**
 * Passes the value of `run` to `next`: synchronously if it is no promise, else in a promise of this realm. An error of
 * either goes to `fail`, which throws or returns a value instead; by default it rethrows.
 */
export function thenSync<T, R>(
  run: () => Maybe<T>,
  next: (value: T) => Maybe<R>,
  fail: (error: unknown) => R = rethrow,
): R | Promise<R> {
  try {
    const value = run()
    // Adopted, so that every rejection is handled.
    if (isThenable(value)) return Promise.resolve(value).then(next).catch(fail)
    const made = next(value)
    return isThenable(made) ? Promise.resolve(made).catch(fail) : made
  } catch (error) {
    return fail(error)
  }
}

function rethrow(error: unknown): never {
  throw error
}

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

/**
 * At most one run per key at a time, shared by all callers. A failed run is forgotten like any other, so the next call
 * starts a new one.
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>()

  run(key: string, start: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key)
    if (running) return running
    const promise = start().finally(() => this.#running.delete(key))
    this.#running.set(key, promise)
    return promise
  }

  /** The run under way for `key`, if there is one. */
  current(key: string): Promise<T> | undefined {
    return this.#running.get(key)
  }
}
