'use client'
import { useMemo } from 'react'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import { isServer } from '../src/inside'

/** A source that always has a value and emits each new one. */
interface Latest<T> {
  readonly value: T
  subscribe(next: () => void): { unsubscribe(): void }
}

/**
 * The source's value, kept up to date while the component is mounted; `hydrated` is the value of the first render over a
 * server's markup, `rendered` that and the one on the server, if the provider has a state.
 */
export function useLatest<T>(source$: Latest<T>, hydrated: () => T, rendered?: () => T): T {
  const { listen, read } = useMemo(
    () => ({
      listen: (callback: () => void) => {
        const subscription = source$.subscribe(callback)
        return () => {
          subscription.unsubscribe()
        }
      },
      read: () => source$.value,
    }),
    [source$],
  )
  return useSyncExternalStore(listen, read, rendered ?? (isServer() ? read : hydrated))
}
