'use client'
import { useEffect, useRef, useState } from 'react'
import type { Flow } from 'rxauth'
import { useApp } from './provider'
import { useFlow } from './use-flow'

/**
 * On a page that signs people in: goes on as `navigateAfterAuth` does, as soon as a sign-in on this page is done or needs its
 * second factor. What was so before the page came up moves nobody: who comes back to the sign-in page may stay there.
 *
 * What stops it (REDIRECT_LOOP, a target that is not trusted) goes to the error boundary.
 *
 * @example
 * ```tsx
 * export const SignInPage = () => {
 *   const app = useApp()
 *   useAuthRouting()
 *   return <button onClick={() => void app.signInWithPasskey()}>Sign in with a passkey</button>
 * }
 * ```
 */
export function useAuthRouting(): void {
  const app = useApp()
  const flow = useFlow()
  const before = useRef<Flow>(undefined)
  const [failure, setFailure] = useState<{ readonly error: unknown }>()

  useEffect(() => {
    // Read here, because the first render over a server's markup shows `idle` whatever there is.
    before.current ??= app.flow$.value
    if (flow === before.current) return
    before.current = flow
    if (flow.step === 'done') go(app.navigateAfterAuth({ ok: true, value: flow.signedIn }))
    // With an error it has been there already, and the digits were wrong.
    else if (flow.step === 'second-factor' && !flow.error) go(app.redirectToMfa({ automatic: true }))

    function go(going: Promise<unknown>) {
      going.catch((error: unknown) => setFailure({ error }))
    }
  }, [app, flow])

  if (failure) throw failure.error
}
