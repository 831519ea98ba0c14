import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from './problem'

/** Makes a passkey, or gives it up. */
export function PasskeyCard({ hasPasskey }: { readonly hasPasskey: boolean }): ReactNode {
  const app = useApp()
  const make = useAction(() => app.registerPasskey())
  const remove = useAction(() => app.updateUser({ passkeyAuthEnabled: false }))
  const isBusy = make.status === 'running' || remove.status === 'running'
  return (
    <article>
      <h2>Passkey</h2>
      <p>{hasPasskey ? 'You can sign in with a passkey.' : 'Sign in with your fingerprint, face or screen lock.'}</p>
      <button
        className="outline"
        aria-busy={isBusy}
        onClick={() => void (isBusy || (hasPasskey ? remove : make).run())}
      >
        {hasPasskey ? 'Remove the passkey' : 'Add a passkey'}
      </button>
      <Problem of={make} />
      <Problem of={remove} />
    </article>
  )
}
