'use client'
import { useEffect, useRef, useState } from 'react'
import { flow$, navigateAfterAuth, redirectTo, type Flow } from 'rxauth'
import { useKit } from './provider'
import { useFlow } from './use-flow'

/**
 * On a page for signing in: navigates like `navigateAfterAuth` as soon as a sign-in on this page is done or needs its second
 * factor. The state from before the page loaded does not navigate, so that a user can return to the sign-in page.
 *
 * Errors (REDIRECT_LOOP, a target that is not trusted) go to the error boundary.
 *
 * @example
 * ```tsx
 * export const SignInPage = () => {
 *   const signIn = useAction(useApp().signInWithPasskey)
 *   useAuthRouting()
 *   return <button onClick={() => void signIn.run()}>Sign in with a passkey</button>
 * }
 * ```
 */
export function useAuthRouting(): void {
  const kit = useKit()
  const flow = useFlow()
  /** Undefined: the page begins to be shown. */
  const before = useRef<Flow | undefined>(flow$(kit).value)
  const [failure, setFailure] = useState<{ readonly error: unknown }>()

  useEffect(() => {
    // Not `flow`, which is always `idle` in the first render over a server's markup.
    const now = flow$(kit).value
    const last = (before.current ??= now)
    if (now === last) return
    before.current = now
    if (now.status === 'done') go(navigateAfterAuth(kit, { ok: true, value: now.signedIn }))
    // An error means wrong digits on the page of the second factor.
    else if (now.status === 'second-factor' && !now.error) go(redirectTo(kit, 'mfa', { automatic: true }))

    function go(going: Promise<unknown>) {
      going.catch((error: unknown) => setFailure({ error }))
    }
  }, [kit, flow])
  // Another kit, or a page that React hides for a while, such as one in `<Activity>`.
  useEffect(() => () => void (before.current = undefined), [kit])

  if (failure) throw failure.error
}
