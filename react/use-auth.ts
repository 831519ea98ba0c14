'use client'
import { useMemo } from 'react'
import { anyUser$, auth$ } from 'rxauth'
import type { Auth, Auth$, CurrentUser, Kit, Snapshot } from 'rxauth'
import { usePage } from './page-state'
import type { PageState } from './page-state'
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
  return useLatest(auth$(kit), hydrated, rendered)
}

/** The internal interface of `auth$`. */
interface Rendering {
  readonly '~rendered': (identity: string | null | undefined, user: Snapshot<CurrentUser | null> | undefined) => Auth
}

function rendering(kit: Kit, page: PageState): () => Auth {
  const { '~rendered': stateOf } = auth$(kit) as Auth$ & Rendering
  let user: Snapshot<CurrentUser | null> | undefined
  let last: Auth | undefined
  return () => {
    const now = page.snapshot(anyUser$(kit))
    // React compares by reference.
    if (!last || now !== user) last = stateOf(page.identity(), now)
    user = now
    return last
  }
}

function hydrated(): Auth {
  return unknown
}
