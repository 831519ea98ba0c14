import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuthRouting } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Button } from '../ui/button'
import { EmailForm } from '../ui/email-form'
import { TextLink } from '../ui/link'
import { LinkSent } from './link-sent'
import { WithMethods } from './methods'
import type { Methods } from './methods'
import { ProviderButtons } from './provider-buttons'
import { SignUpShape } from './shapes'
import { SignUpForm } from './sign-up-form'
import { useSentLink } from './use-sent-link'
import { useWords } from '../words/use-words'

/** Creates an account by one of the project's sign-up methods. */
export function SignUpPage(): ReactNode {
  const { signUp: words } = useWords()
  useAuthRouting()
  const sent = useSentLink()
  if (sent) return <LinkSent email={sent.email} onStartOver={sent.startOver} />
  return (
    <AuthFrame
      title={words.title}
      subtitle={words.subtitle}
      hasFocusedField
      below={
        <>
          {words.hasAccount} <TextLink to={`/handler/sign-in${location.search}`}>{words.toSignIn}</TextLink>
        </>
      }
    >
      <WithMethods shape={<SignUpShape />}>
        {known => (known.signUpEnabled ? <SignUpWays methods={known} /> : <NoNewAccounts />)}
      </WithMethods>
    </AuthFrame>
  )
}

function SignUpWays({ methods }: { readonly methods: Methods }): ReactNode {
  const { signIn, signUp: words } = useWords()
  const app = useApp()
  const [wantsLink, setWantsLink] = useState(!methods.credentialEnabled)
  const sendLink = useAction((email: string) => app.sendMagicLinkEmail({ email }))
  const providers = methods.enabledOauthProviders.map(({ id }) => id)
  const takesAddress = methods.credentialEnabled || methods.magicLinkEnabled
  return (
    <div className="auth-stack loose">
      {providers.length > 0 && <ProviderButtons ids={providers} />}
      {providers.length > 0 && takesAddress && <p className="or">{signIn.or}</p>}
      {takesAddress && wantsLink && (
        <EmailForm label={signIn.email} autoComplete="email" submit={words.sendLink} action={sendLink} />
      )}
      {takesAddress && !wantsLink && <SignUpForm />}
      {methods.credentialEnabled && methods.magicLinkEnabled && (
        <Button kind="quiet" onClick={() => setWantsLink(!wantsLink)}>
          {wantsLink ? words.usePassword : words.useLink}
        </Button>
      )}
    </div>
  )
}

function NoNewAccounts(): ReactNode {
  const { signUp: words } = useWords()
  return (
    <p className="centred" role="status">
      {words.isClosed}
    </p>
  )
}
