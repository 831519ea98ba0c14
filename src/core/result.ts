import { DEV } from './dev'
/**
 * The result of a call with expected failures.
 *
 * @example
 * const half = (even: number): Result<number, 'odd'> =>
 *   even % 2 === 0 ? { ok: true, value: even / 2 } : { ok: false, error: 'odd' }
 */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

export function succeeded<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function failed<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}

/** The result without its value. */
export function withoutValue<E>(result: Result<unknown, E>): Result<void, E> {
  return result.ok ? succeeded(undefined) : result
}

/**
 * The value, or throws the error.
 *
 * @example
 * const { userId } = orThrow(await app.signInWithPassword({ email: 'ada@example.com', password: 'correct horse' }))
 */
export function orThrow<T>(result: Result<T, unknown>): T {
  // Without this check, a promise would throw undefined.
  if ('then' in result)
    throw new TypeError(DEV ? 'orThrow() was given a promise; await it first: orThrow(await …)' : 'orThrow(): await it')
  if (result.ok) return result.value
  throw result.error
}
