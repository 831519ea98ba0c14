'use client'
import type { Snapshot, Store } from 'rxauth'
import { attempt, endAttempt } from './attempts'
import { pending, useSame, useSnapshot } from './use-snapshot'
import type { Telling } from './use-snapshot'

/** A snapshot, of which only the value matters once it is there. */
export type Seen<T> = Exclude<Snapshot<T>, { status: 'ready' }> | { readonly status: 'ready'; readonly value: T }

/**
 * The value of a store, kept up to date while the component is mounted. Suspends until there is one.
 *
 * A first load that fails throws its error to the nearest error boundary; when the boundary is reset later, the store
 * loads again. A later failure leaves the last known value: `useStore` tells of it. Null for `null` and `undefined`.
 */
export function useValue<T>(store: Store<T>): T
export function useValue<T>(store: Store<T> | null | undefined): T | null
export function useValue<T>(store: Store<T> | null | undefined): T | null {
  const same = useSame(store)
  // Unlike useStore's, the hydrating render takes what is there: one that suspends keeps the server's markup meanwhile.
  const snapshot = useSnapshot(same, () => same?.snapshot ?? pending)
  return same ? valueOf(same, snapshot) : null
}

/** The value that was seen; else suspends, or throws the failure that the component's own attempt has come to. */
export function valueOf<T>(store: Store<T>, seen: Seen<T>): T
export function valueOf<T, S>(store: Store<T>, seen: Seen<S>, select: (value: T) => S): S
export function valueOf<T>(store: Store<T>, seen: Seen<unknown>, select?: (value: T) => unknown): unknown {
  const { '~parts': parts, hasThrown } = store as Telling<T>
  const isSame = (other: object) => other === store || (store as Telling<T>)['~isSame']?.(other) === true
  if (seen.status === 'ready') {
    if (parts) endAttempt(parts, isSame)
    return seen.value
  }
  // Code of the app throws again however often something is loaded, and a store that cannot tell has only its snapshot.
  if (seen.status === 'failed' && (hasThrown ?? true)) throw seen.error
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- what React waits for is a promise
  if (!parts) throw store.get().then(nothing, nothing)
  const value = attempt(parts, store, isSame, () => store.get())
  return select ? select(value) : value
}

function nothing(): void {}
