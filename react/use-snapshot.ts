'use client'
import { useCallback, useState } from 'react'
import type { Snapshot, Store } from 'rxauth'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import type { Parts } from './attempts'

/** What a store may tell React besides its public face. */
export interface Telling<T = unknown> {
  /** Its snapshot, or what `get()` has just given: a component that has waited for that watches nothing yet. */
  readonly '~seen'?: Snapshot<T>
  /** Whether another handle is of the same store. */
  '~isSame'?(other: unknown): boolean
  /** Whether code of the app has failed, which it does again however often something is loaded. */
  readonly hasThrown?: boolean
  /** What its kit is made of. */
  readonly '~parts'?: Parts
}

/** One object for all, because React compares by reference. */
export const pending: Snapshot<never> = /* @__PURE__ */ Object.freeze({ status: 'pending' })

/** A page can hydrate, a server cannot. */
export const isServer = (): boolean => typeof document === 'undefined'

/**
 * The handle of an earlier render while later ones mean the same store. Handles are cheap and often made while rendering;
 * subscribing anew for each would count as a new subscriber, and load again after every failure.
 */
export function useSame<T>(store: Store<T> | null | undefined): Store<T> | null | undefined {
  const [held, hold] = useState(store)
  if (held === store) return store
  const isSame = store && held ? (held as Telling)['~isSame']?.(store) : false
  if (isSame) return held
  // A store that cannot tell may come as a new handle with every render, and holding each would never end.
  if (isSame === false) hold(store)
  return store
}

/** Subscribes when the component has mounted; `hydrated` is what the first render over a server's markup shows. */
export function useSnapshot<T>(store: Store<T> | null | undefined, hydrated: () => Snapshot<T>): Snapshot<T> {
  const listen = useCallback((callback: () => void) => store?.listen(callback) ?? nothing, [store])
  const see = () => (store as Telling<T> | null | undefined)?.['~seen'] ?? store?.snapshot ?? pending
  return useSyncExternalStore(listen, see, hydrated)
}

function nothing(): void {}
