import type { AnyAuthError } from '../errors/auth-error'

/**
 * The present state of an entity.
 *
 * @example
 * const text = (snapshot: Snapshot<Team[]>) =>
 *   snapshot.status === 'ready' ? `${snapshot.value.length} teams` : snapshot.status
 */
export type Snapshot<T> =
  | { readonly status: 'pending' }
  | {
      readonly status: 'ready'
      readonly value: T
      readonly fetchedAt: Date
      readonly refreshing: boolean
      /** The number of writes whose overlays are in `value`: the platform has not answered them yet. */
      readonly unconfirmed: number
      /** The last refresh failed; `value` is the last known one. */
      readonly error?: AnyAuthError
      /** The last value of a derived store, shown while a store that it reads now is pending. */
      readonly isHeld?: boolean
    }
  | { readonly status: 'failed'; readonly error: AnyAuthError; readonly failedAt: Date; readonly refreshing: boolean }

/** One object for all, comparable by reference. */
export const pending: Snapshot<never> = /* @__PURE__ */ Object.freeze({ status: 'pending' })

/** Whether there is a value of what the store reads now. */
export function isKnown<T>(snapshot: Snapshot<T>): snapshot is Extract<Snapshot<T>, { status: 'ready' }> {
  return snapshot.status === 'ready' && !snapshot.isHeld
}

/** `next`, or `previous` if it is equal. */
export function sameSnapshot<T>(previous: Snapshot<T>, next: Snapshot<T>): Snapshot<T> {
  // All names of the fields, of which the type knows the one that all snapshots have.
  const names = Object.keys(next) as 'status'[]
  return names.length === Object.keys(previous).length && names.every(name => Object.is(next[name], previous[name]))
    ? previous
    : next
}
