import { useEffect } from 'react'
import { useApp } from 'rxauth/react'

/** Offers passkeys among the suggestions of the form's field, as long as the form is there. */
export function usePasskeyAutofill(isEnabled: boolean): void {
  const app = useApp()
  useEffect(() => {
    if (!isEnabled) return
    const subscription = app.passkeyAutofill$().subscribe()
    return () => subscription.unsubscribe()
  }, [app, isEnabled])
}
