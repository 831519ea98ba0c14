'use client'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { onCommitted, onIdentityChange, tokens$, type Kit } from 'rxauth'
import { coreOf, toAuthError } from '../src/inside'
import { usePage, type PageState } from './page-state'
import { useKit } from './provider'
import { useLatest } from './use-latest'

/** The props of `ServerRendered`. */
export interface ServerRenderedProps {
  /** Renders the page on the server again: `() => router.refresh()` in Next.js. Its errors go to the app's `onUnhandled`. */
  readonly refresh: () => unknown
  readonly children?: ReactNode
}

/**
 * Around what a server has rendered or loaded, below an `AuthProvider` with `state`. Calls `refresh` after each change of who is
 * signed in, also in another tab, and after each write of this kit; once as well if the page comes to a browser with another
 * session.
 *
 * Hides its children while they are of a user who is no longer the signed-in one, until the provider has a new state. Children
 * that were rendered while signed out contain nothing of a user, and stay: a sign-in form keeps its state. What must not
 * disappear when the server cannot be reached, such as a menu, stands beside it.
 *
 * @example
 * ```tsx
 * export const Page = ({ state }: { state: Dehydrated }) => (
 *   <AuthProvider app={app} state={state}>
 *     <ServerRendered refresh={() => location.reload()}>
 *       <p>Rendered by the server</p>
 *     </ServerRendered>
 *   </AuthProvider>
 * )
 * ```
 */
export function ServerRendered({ refresh, children }: ServerRenderedProps): ReactNode {
  const kit = useKit()
  const page = usePage()
  const latest = useRef(refresh)
  const hasLooked = useRef(false)
  const standing$ = useMemo(() => standingOf(kit, page), [kit, page])
  const standing = useLatest<Standing>(standing$, 'unknown', () => 'unknown')

  useEffect(() => {
    latest.current = refresh
  })
  useEffect(() => {
    const run = () => void ask(kit, latest.current)
    const stops = [onIdentityChange(kit, run), onCommitted(kit, run)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [kit])
  useEffect(() => {
    // Once: a server that never sees this browser's session would be asked without end.
    if (hasLooked.current || standing === 'unknown') return
    hasLooked.current = true
    if (standing === 'other') void ask(kit, latest.current)
  }, [kit, standing])

  return standing === 'other' && page?.payload?.identity !== null ? null : children
}

async function ask(kit: Kit, refresh: () => unknown): Promise<void> {
  try {
    await refresh()
  } catch (error) {
    coreOf(kit).onUnhandled(toAuthError(error))
  }
}

type Standing = 'same' | 'other' | 'unknown'

/** Whether this browser's session is the one for which the server has rendered; it is known before its user is. */
function standingOf(kit: Kit, page: PageState | undefined) {
  return {
    get value(): Standing {
      const payload = page?.payload
      if (!payload) return 'unknown'
      // The server could not find out whose page it is: then only a sign-out tells that it is of another.
      if (payload.identity === '' && tokens$(kit).value) return 'unknown'
      return payload.standing
    },
    subscribe(observer: { next: () => void; error: () => void }) {
      page?.whenRead(observer.next)
      return tokens$(kit).subscribe(observer)
    },
  }
}
