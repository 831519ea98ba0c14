import type { ReactNode } from 'react'
import { signInMethods$ } from 'rxauth'
import type { SignInMethod } from 'rxauth'
import { useApp, useStore } from 'rxauth/react'
import { StatusBadge } from '../ui/status-badge'
import { useWords } from '../words/use-words'

/** A method in this browser: 'passkey', or the id of a provider; undefined if the project does not offer it. */
export function useMethodHere(name: string): SignInMethod | undefined {
  const methods = useStore(signInMethods$(useApp()))
  return methods.status === 'ready'
    ? methods.value.find(({ method, provider }) => (provider ?? method) === name)
    : undefined
}

/** For the button of the method used last. */
export function LastUsed(): ReactNode {
  const { signIn: words } = useWords()
  return <StatusBadge kind="info">{words.lastUsed}</StatusBadge>
}

/** Why a method may not work in this browser. The button stays, since apps are recognised by a text that any app can change. */
export function InAppNotice({ of, what }: { readonly of: SignInMethod | undefined; readonly what: string }): ReactNode {
  const { signIn: words } = useWords()
  if (of?.why !== 'in-app-browser') return null
  return (
    <p className="dim" role="note">
      {words.inOtherApp(what)}
    </p>
  )
}
