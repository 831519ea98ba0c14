'use client'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import { isServer } from '../src/inside'

/** A source that always has a value and emits each new one. */
interface Latest<T> {
  readonly value: T
  subscribe(observer: { next: () => void; error: () => void }): { readonly closed: boolean; unsubscribe(): void }
}

/** The subscription to a source that all components share, however many there are. */
interface Share<T> {
  readonly listen: (callback: () => void) => () => void
  readonly read: () => T
}

const shares = new WeakMap<Latest<unknown>, Share<unknown>>()

/**
 * The source's value, kept up to date while the component is mounted; `hydrated` is the value of the first render over a
 * server's markup, `rendered` that and the one on the server, if the provider has a state.
 */
export function useLatest<T>(source$: Latest<T>, hydrated: T, rendered?: () => T): T {
  const { listen, read } = shareOf(source$)
  return useSyncExternalStore(listen, read, rendered ?? (isServer() ? read : () => hydrated))
}

function shareOf<T>(source$: Latest<T>): Share<T> {
  let share = shares.get(source$)
  if (!share) shares.set(source$, (share = newShare(source$)))
  // The share of a Latest<T> is a Share<T>.
  return share as Share<T>
}

function newShare<T>(source$: Latest<T>): Share<T> {
  const callbacks = new Set<() => void>()
  let subscription: ReturnType<Latest<T>['subscribe']> | undefined
  const observer = {
    next: () => {
      for (const callback of callbacks) callback()
    },
    // A disposed kit refuses subscribers; the value stays what it is.
    error: () => undefined,
  }
  return {
    read: () => source$.value,
    listen: callback => {
      // The end of a kit closes it, and each later component hears of that.
      if (!subscription || subscription.closed) subscription = source$.subscribe(observer)
      callbacks.add(callback)
      return () => {
        callbacks.delete(callback)
        if (callbacks.size > 0) return
        subscription?.unsubscribe()
        subscription = undefined
      }
    },
  }
}
