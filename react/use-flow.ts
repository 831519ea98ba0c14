'use client'
import { useCallback } from 'react'
import type { Flow } from 'rxauth'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import { useApp } from './provider'
import { isServer } from './use-snapshot'

const idle: Flow = /* @__PURE__ */ Object.freeze({ step: 'idle' })

/**
 * The sign-in under way in this tab: `idle`, `code-sent`, `second-factor`, `done` or `failed`. Never suspends and never
 * throws. Over a server's markup the first render is `idle`.
 */
export function useFlow(): Flow {
  const { flow$ } = useApp()
  const listen = useCallback(
    (callback: () => void) => {
      const subscription = flow$.subscribe(callback)
      return () => subscription.unsubscribe()
    },
    [flow$],
  )
  const read = () => flow$.value
  return useSyncExternalStore(listen, read, () => (isServer() ? read() : idle))
}
