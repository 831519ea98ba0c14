'use client'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import type { Snapshot, Store } from 'rxauth'
import { isServer, pending } from '../src/inside'
import { usePage } from './page-state'
import { useHookState, type StoreAccess } from './use-hook-state'

/**
 * The snapshot of a store, kept up to date while the component is mounted. Never suspends and never throws a failure.
 *
 * `null` and `undefined` (for a store whose input is not known yet) are pending. Over a server's markup the first render shows
 * what the provider's `state` has, or is pending, so that it equals the server's. Create a derived store once, outside of the component or with `useMemo`: each
 * `derive` creates a new store.
 *
 * @example
 * ```tsx
 * export const Teams = () => {
 *   const snapshot = useStore(useApp().teams$)
 *   if (snapshot.status === 'ready') return <b>{snapshot.value.length} teams</b>
 *   return <p>{snapshot.status === 'failed' ? snapshot.error.message : 'One moment …'}</p>
 * }
 * ```
 */
export function useStore<T>(store: Store<T> | null | undefined): Snapshot<T> {
  const { access } = useHookState(store)
  const { listen, snapshot } = access
  return useSyncExternalStore(listen, snapshot, useRendered(access) ?? (isServer() ? snapshot : () => pending))
}

/** Reads the snapshot in the state of the provider; undefined if that has none. */
export function useRendered<T>({ store }: StoreAccess<T>): (() => Snapshot<T>) | undefined {
  const page = usePage()
  return page && (() => (store && page.snapshot(store)) ?? pending)
}
