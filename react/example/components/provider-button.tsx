import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from './problem'

/** As people write them. */
export const providerNames: Readonly<Record<string, string>> = {
  github: 'GitHub',
  google: 'Google',
  microsoft: 'Microsoft',
}

/** Leaves the page for the provider's. */
export function ProviderButton({ provider }: { readonly provider: string }): ReactNode {
  const app = useApp()
  const leave = useAction(() => app.signInWithOAuth({ provider }))
  return (
    <>
      <button className="outline" aria-busy={leave.status === 'running'} onClick={() => void leave.run()}>
        Continue with {providerNames[provider] ?? provider}
      </button>
      <Problem of={leave} />
    </>
  )
}
