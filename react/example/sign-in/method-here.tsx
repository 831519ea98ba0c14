import type { ReactNode } from 'react'
import { signInMethods$ } from 'rxauth'
import type { SignInMethod } from 'rxauth'
import { useApp, useStore } from 'rxauth/react'
import { StatusBadge } from '../ui/status-badge'

/** A method in this browser: 'passkey', or the id of a provider; undefined if the project does not offer it. */
export function useMethodHere(name: string): SignInMethod | undefined {
  const methods = useStore(signInMethods$(useApp()))
  return methods.status === 'ready'
    ? methods.value.find(({ method, provider }) => (provider ?? method) === name)
    : undefined
}

/** For the button of the method used last. */
export function LastUsed(): ReactNode {
  return <StatusBadge kind="info">Last used</StatusBadge>
}

/** Why a method may not work in this browser. The button stays, since apps are recognised by a text that any app can change. */
export function InAppNotice({ of, what }: { readonly of: SignInMethod | undefined; readonly what: string }): ReactNode {
  if (of?.why !== 'in-app-browser') return null
  return (
    <p className="dim" role="note">
      {what} may not work inside another app. Open this page in your browser.
    </p>
  )
}
