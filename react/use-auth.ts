'use client'
import { useMemo } from 'react'
import { anyUser$, auth$, type Auth, type CurrentUser, type Kit, type Snapshot } from 'rxauth'
import { stateOf } from '../src/inside'
import { usePage, type PageState } from './page-state'
import { useKit } from './provider'
import { useLatest } from './use-latest'

const unknown: Auth = /* @__PURE__ */ Object.freeze({ status: 'unknown' })

/**
 * The state of the session, kept up to date. Never suspends and never throws: `unknown` is for a skeleton, not for a sign-in
 * form. Over a server's markup the first render is `unknown`, unless the provider's `state` has `user$`.
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
  const kit = useKit()
  const page = usePage()
  const rendered = useMemo(() => page && rendering(kit, page), [kit, page])
  return useLatest(auth$(kit), unknown, rendered)
}

function rendering(kit: Kit, page: PageState): () => Auth {
  let user: Snapshot<CurrentUser | null> | undefined
  let last = unknown
  return () => {
    const before = user
    user = page.snapshot(anyUser$(kit))
    // React compares by reference.
    if (user && user !== before)
      last = stateOf(page.identity(anyUser$(kit)) === null ? 'signed-out' : 'user', 'never', user) ?? unknown
    return last
  }
}
