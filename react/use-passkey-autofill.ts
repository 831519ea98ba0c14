'use client'
import { useEffect } from 'react'
import { passkeyAutofill$ } from 'rxauth'
import { useKit } from './provider'

/**
 * Offers passkeys among the suggestions of a form field (`autoComplete="username webauthn"`) while the component is mounted
 * and no user is signed in. `useAuthRouting` continues when one was chosen.
 *
 * Pass false while the project is not known to have passkeys. Does nothing in browsers without the feature.
 *
 * @example
 * ```tsx
 * export const EmailField = () => {
 *   usePasskeyAutofill()
 *   useAuthRouting()
 *   return <input type="email" name="email" autoComplete="username webauthn" />
 * }
 * ```
 */
export function usePasskeyAutofill(isOffered = true): void {
  const kit = useKit()
  useEffect(() => {
    if (!isOffered) return
    const subscription = passkeyAutofill$(kit).subscribe()
    return () => subscription.unsubscribe()
  }, [kit, isOffered])
}
