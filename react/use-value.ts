'use client'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import type { Snapshot, Store } from 'rxauth'
import { isServer } from '../src/inside'
import { attempt, endAttempt } from './attempts'
import { assertLoadable, usePage, type PageState } from './page-state'
import { useHookState, type StoreAccess, type SnapshotOrValue } from './use-hook-state'

/**
 * The value of a store, kept up to date while the component is mounted. Suspends until there is one.
 *
 * A first load that fails throws its error to the nearest error boundary; when the boundary is reset later, the store loads
 * again. After a later failure the last value stays; `useStore` shows the error. Null for `null` and `undefined`.
 *
 * On a server, throws NOT_DEHYDRATED for a store that is not in the provider's `state`, unless the app has the session of the
 * request: then it loads.
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
  const { access } = useHookState(store)
  const page = usePage()
  const current = useSyncExternalStore(access.listen, access.value, renderedValue(access, page))
  return access.store ? valueOf(access, access.store, current, page) : null
}

/**
 * Reads the value in the state of the provider. Unlike in useStore, a store that is not in it has its present value: one that
 * suspends keeps the server's markup meanwhile.
 */
export function renderedValue<T>({ store, value }: StoreAccess<T>, page: PageState | undefined): () => Snapshot<T> {
  return page && store ? () => page.snapshot(store) ?? value() : value
}

/** The value of the snapshot; else suspends, or throws the error of the component's own attempt. */
export function valueOf<T>(
  access: StoreAccess<T>,
  store: Store<T>,
  current: SnapshotOrValue<T>,
  page: PageState | undefined,
): T
export function valueOf<T, S>(
  access: StoreAccess<T>,
  store: Store<T>,
  current: SnapshotOrValue<S>,
  page: PageState | undefined,
  select: (value: T) => S,
): S
export function valueOf<T>(
  { inside, attempts }: StoreAccess<T>,
  store: Store<T>,
  current: SnapshotOrValue<unknown>,
  page: PageState | undefined,
  select?: (value: T) => unknown,
): unknown {
  if (current.status === 'ready') {
    if (inside && attempts && attempts.size > 0) endAttempt(inside)
    return current.value
  }
  // Code of the app would throw again after any load, and a store of another origin has only its snapshot.
  if (current.status === 'failed' && (inside?.hasThrown ?? true)) throw current.error
  // oxlint-disable-next-line typescript/only-throw-error -- React waits for a thrown promise
  if (!inside) throw store.get().then(nothing, nothing)
  if (current.status === 'failed' && page && isServer()) throw current.error
  // The state of the page may bring the value.
  page?.wait()
  assertLoadable(inside, page)
  const value = attempt(inside)
  return select ? select(value) : value
}

function nothing(): void {}
