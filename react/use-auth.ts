'use client'
import { useCallback } from 'react'
import type { Auth } from 'rxauth'
import { useSyncExternalStore } from 'use-sync-external-store/shim'
import { useApp } from './provider'
import { isServer } from './use-snapshot'

const unknown: Auth = /* @__PURE__ */ Object.freeze({ phase: 'unknown' })

/**
 * Who is signed in, kept up to date. Never suspends and never throws: `unknown` is for a skeleton, not for a sign-in form.
 * Over a server's markup the first render is `unknown`.
 */
export function useAuth(): Auth {
  const { auth$ } = useApp()
  const listen = useCallback(
    (callback: () => void) => {
      const subscription = auth$.subscribe(callback)
      return () => subscription.unsubscribe()
    },
    [auth$],
  )
  const read = () => auth$.value
  return useSyncExternalStore(listen, read, () => (isServer() ? read() : unknown))
}
