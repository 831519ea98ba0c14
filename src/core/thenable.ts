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
export function whenThere<T, R>(
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
