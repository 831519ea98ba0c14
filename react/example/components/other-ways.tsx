import type { ReactNode } from 'react'
import { useAction, useApp, useFlow, useStore } from 'rxauth/react'
import { MagicLinkForm } from './magic-link-form'
import { Problem } from './problem'
import { ProviderButton } from './provider-button'
import { TypedCodeForm } from './typed-code-form'

/** Every way without a password that the project has. What comes of it, `flow$` tells the page. */
export function OtherWays(): ReactNode {
  const app = useApp()
  const flow = useFlow()
  const project = useStore(app.project$)
  const usePasskey = useAction(() => app.signInWithPasskey())
  const stayUnknown = useAction(() => app.signUpAnonymously())
  if (project.status !== 'ready') return null
  const { magicLinkEnabled, passkeyEnabled, enabledOauthProviders } = project.value.config
  return (
    <section className="ways" aria-label="Other ways">
      <p className="divider">or</p>
      {magicLinkEnabled && flow.step === 'code-sent' && <TypedCodeForm email={flow.email} />}
      {magicLinkEnabled && <MagicLinkForm isRepeated={flow.step === 'code-sent'} />}
      {passkeyEnabled && (
        <>
          <button className="outline" aria-busy={usePasskey.status === 'running'} onClick={() => void usePasskey.run()}>
            Use a passkey
          </button>
          <Problem of={usePasskey} />
        </>
      )}
      {enabledOauthProviders.map(({ id }) => (
        <ProviderButton key={id} provider={id} />
      ))}
      <button
        className="secondary outline"
        aria-busy={stayUnknown.status === 'running'}
        onClick={() => void stayUnknown.run()}
      >
        Look around first
      </button>
      <Problem of={stayUnknown} />
    </section>
  )
}
