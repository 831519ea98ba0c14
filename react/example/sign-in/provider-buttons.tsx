import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Button } from '../ui/button'
import { Problem } from '../ui/problem'
import { InAppNotice, LastUsed, useMethodHere } from './method-here'
import { providerOf } from './providers'
import { useWords } from '../words/use-words'

/** One button per provider, with its logo and prescribed text. */
export function ProviderButtons({ ids }: { readonly ids: readonly string[] }): ReactNode {
  return (
    <div className="auth-stack snug">
      {ids.map(id => (
        <ProviderButton key={id} id={id} />
      ))}
    </div>
  )
}

/** Redirects to the provider. */
function ProviderButton({ id }: { readonly id: string }): ReactNode {
  const { signIn: words } = useWords()
  const app = useApp()
  const { name, mark } = providerOf(id)
  const here = useMethodHere(id)
  const leave = useAction(() => app.signInWithOAuth({ provider: id }))
  return (
    <>
      <Button kind="plain" icon={mark} after={here?.lastUsed && <LastUsed />} does={leave}>
        {words.withProvider(name)}
      </Button>
      <InAppNotice of={here} what={name} />
      <Problem of={leave} />
    </>
  )
}
