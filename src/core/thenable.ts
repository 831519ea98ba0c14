/** A value that is there, or a promise of one: of this realm, of another one (a frame, a zone, a sandbox) or of a library. */
export type Maybe<T> = T | PromiseLike<T>

/** Whether a value has to be waited for. `instanceof Promise` knows the promises of this realm alone. */
export function isThenable<T>(value: Maybe<T>): value is PromiseLike<T> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return 'then' in value && typeof value.then === 'function'
}

/**
 * What `next` makes of what `run` gives: at once if that is there, else by a promise of this realm. What either throws or
 * rejects with goes to `fail`, which throws what the caller is told, or gives a value after all; by default it throws the
 * same.
 */
export function whenThere<T, R>(
  run: () => Maybe<T>,
  next: (value: T) => Maybe<R>,
  fail: (error: unknown) => R = rethrow,
): R | Promise<R> {
  try {
    const value = run()
    // Adopted, so that no promise is left whose rejection nothing handles.
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
