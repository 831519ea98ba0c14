'use client'
import { auth$ } from 'rxauth'
import type { Auth } from 'rxauth'
import { useKit } from './provider'
import { useLatest } from './use-latest'

const unknown: Auth = /* @__PURE__ */ Object.freeze({ status: 'unknown' })

/**
 * The state of the session, kept up to date. Never suspends and never throws: `unknown` is for a skeleton, not for a sign-in
 * form. Over a server's markup the first render is `unknown`.
 *
 * @example
 * ```tsx
 * export const Badge = () => {
 *   const auth = useAuth()
 *   return <b>{auth.status === 'signed-in' ? auth.user.displayName : auth.status}</b>
 * }
 * ```
 */
export function useAuth(): Auth {
  return useLatest(auth$(useKit()), hydrated)
}

function hydrated(): Auth {
  return unknown
}
