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
  return useSyncExternalStore(access.listen, access.snapshot, useRendered(access))
}

/** A part of the snapshot: the component renders again when the part changes. */
export function useSnapshotPart<T, P>(store: Store<T> | null | undefined, part: (snapshot: Snapshot<T>) => P): P {
  const { access } = useHookState(store)
  const rendered = useRendered(access)
  return useSyncExternalStore(
    access.listen,
    () => part(access.snapshot()),
    () => part(rendered()),
  )
}

/** Reads the snapshot for the render of a server, and for the first one over its markup. */
function useRendered<T>({ store, snapshot }: StoreAccess<T>): () => Snapshot<T> {
  const page = usePage()
  if (page) return () => (store && page.snapshot(store)) ?? pending
  return isServer() ? snapshot : () => pending
}
