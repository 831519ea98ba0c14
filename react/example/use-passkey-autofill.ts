import { useEffect } from 'react'
import { useApp } from 'rxauth/react'

/** Offers passkeys among the suggestions of the form field, as long as the form is there. */
export function usePasskeyAutofill(): void {
  const app = useApp()
  useEffect(() => {
    const subscription = app.passkeyAutofill$().subscribe()
    return () => subscription.unsubscribe()
  }, [app])
}
