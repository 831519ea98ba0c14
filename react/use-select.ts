'use client'
import { useCallback } from 'react'
import type { Store } from 'rxauth'
import { useSyncExternalStoreWithSelector } from 'use-sync-external-store/shim/with-selector'
import { isEqual } from './equal'
import { useSame } from './use-snapshot'
import { valueOf } from './use-value'
import type { Seen } from './use-value'

/**
 * A part of a store's value, or something made of it. Suspends and fails like `useValue`; renders again only when the
 * selection says something else than before, and an equal selection keeps its reference.
 */
export function useSelect<T, S>(store: Store<T>, select: (value: T) => S): S {
  const same = useSame(store) ?? store
  const listen = useCallback((callback: () => void) => same.listen(callback), [same])
  const read = (): Seen<T> => same.snapshot
  const seen = useSyncExternalStoreWithSelector(
    listen,
    read,
    read,
    (whole): Seen<S> => (whole.status === 'ready' ? { status: 'ready', value: select(whole.value) } : whole),
    isSame,
  )
  return valueOf(same, seen, select)
}

function isSame<S>(a: Seen<S>, b: Seen<S>): boolean {
  return a.status === 'ready' && b.status === 'ready' ? isEqual(a.value, b.value) : a === b
}
