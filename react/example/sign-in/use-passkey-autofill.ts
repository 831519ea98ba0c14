import { useEffect } from 'react'
import { useApp } from 'rxauth/react'

/** Offers passkeys in the suggestions of the form's field while the form is mounted. */
export function usePasskeyAutofill(isEnabled: boolean): void {
  const app = useApp()
  useEffect(() => {
    if (!isEnabled) return
    const subscription = app.passkeyAutofill$().subscribe()
    return () => subscription.unsubscribe()
  }, [app, isEnabled])
}
