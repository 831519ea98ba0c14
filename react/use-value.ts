'use client'
import type { Snapshot, Store } from 'rxauth'
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

/** The value that was seen; else suspends, or throws the failure that the component has just met. */
export function valueOf<T>(store: Store<unknown>, seen: Seen<T>): T {
  if (seen.status === 'ready') return seen.value
  // Asked in any case: of a kit that has been disposed of this throws, where waiting would never end. Nor would it for a
  // store that cannot tell, if its failures did not count.
  const hasFailedRecently = (store as Telling)['~hasFailedRecently'] ?? true
  if (hasFailedRecently && seen.status === 'failed') throw seen.error
  throw loading(store)
}

/** What React waits for before it renders again: the end of a load, whatever came of it. */
function loading(store: Store<unknown>): unknown {
  return store.get().then(nothing, nothing)
}

function nothing(): void {}
