'use client'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import type { Store } from 'rxauth'
import { attempt, endAttempt } from './attempts'
import { telling } from './telling'
import { useHeld } from './use-held'
import type { Face, Seen } from './use-held'

/**
 * The value of a store, kept up to date while the component is mounted. Suspends until there is one.
 *
 * A first load that fails throws its error to the nearest error boundary; when the boundary is reset later, the store
 * loads again. A later failure leaves the last known value: `useStore` tells of it. Null for `null` and `undefined`.
 *
 * @example
 * ```tsx
 * export const Teams = () => {
 *   const teams = useValue(useApp().teams$)
 *   return <ul>{teams.map(team => <li key={team.id}>{team.displayName}</li>)}</ul>
 * }
 * ```
 */
export function useValue<T>(store: Store<T>): T
export function useValue<T>(store: Store<T> | null | undefined): T | null
export function useValue<T>(store: Store<T> | null | undefined): T | null {
  const { face } = useHeld(store)
  // Unlike useStore's, the hydrating render takes what is there: one that suspends keeps the server's markup meanwhile.
  const seen = useSyncExternalStore(face.listen, face.value, face.value)
  return face.store ? valueOf(face, face.store, seen) : null
}

/** The value that was seen; else suspends, or throws the failure that the component's own attempt has come to. */
export function valueOf<T>(face: Face<T>, store: Store<T>, seen: Seen<T>): T
export function valueOf<T, S>(face: Face<T>, store: Store<T>, seen: Seen<S>, select: (value: T) => S): S
export function valueOf<T>(
  { parts, attempts }: Face<T>,
  store: Store<T>,
  seen: Seen<unknown>,
  select?: (value: T) => unknown,
): unknown {
  if (seen.status === 'ready') {
    if (parts && attempts && attempts.size > 0) endAttempt(parts, store)
    return seen.value
  }
  // Code of the app throws again however often something is loaded, and a store that cannot tell has only its snapshot.
  if (seen.status === 'failed' && (telling(store).hasThrown ?? true)) throw seen.error
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- what React waits for is a promise
  if (!parts) throw store.get().then(nothing, nothing)
  const value = attempt(parts, store)
  return select ? select(value) : value
}

function nothing(): void {}
