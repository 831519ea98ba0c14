'use client'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import type { Snapshot, Store } from 'rxauth'
import { isServer } from './is-server'
import { pending, useHeld } from './use-held'

/**
 * The snapshot of a store, kept up to date while the component is mounted. Never suspends and never throws a failure.
 *
 * `null` and `undefined` (for a store whose input is not known yet) are pending. Over a server's markup the first render is
 * pending too, so that it equals the server's. Create a derived store once, outside of the component or with `useMemo`: each
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
  const { listen, snapshot } = useHeld(store).face
  return useSyncExternalStore(listen, snapshot, isServer() ? snapshot : hydrated)
}

function hydrated(): Snapshot<never> {
  return pending
}
