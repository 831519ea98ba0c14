import { Button, Divider, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuthRouting } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { TextLink } from '../ui/link'
import { EmailForm } from './email-form'
import { LinkSent } from './link-sent'
import { useMethods, WithMethods } from './methods'
import type { Methods } from './methods'
import { ProviderButtons } from './provider-buttons'
import { SignUpShape } from './shapes'
import { SignUpForm } from './sign-up-form'
import { useSentLink } from './use-sent-link'

/** Creates an account by one of the project's sign-up methods. */
export function SignUpPage(): ReactNode {
  useAuthRouting()
  const methods = useMethods()
  const sent = useSentLink()
  if (sent) return <LinkSent email={sent.email} onStartOver={sent.startOver} />
  return (
    <AuthFrame
      title="Create your account"
      subtitle="It takes less than a minute."
      hasFocusedField
      below={
        <>
          You have an account already? <TextLink to={`/handler/sign-in${location.search}`}>Sign in</TextLink>
        </>
      }
    >
      <WithMethods methods={methods} shape={<SignUpShape />}>
        {known => (known.signUpEnabled ? <SignUpWays methods={known} /> : <NoNewAccounts />)}
      </WithMethods>
    </AuthFrame>
  )
}

function SignUpWays({ methods }: { readonly methods: Methods }): ReactNode {
  const app = useApp()
  const [wantsLink, setWantsLink] = useState(!methods.credentialEnabled)
  const sendLink = useAction((email: string) => app.sendMagicLinkEmail({ email }))
  const providers = methods.enabledOauthProviders.map(({ id }) => id)
  const takesAddress = methods.credentialEnabled || methods.magicLinkEnabled
  return (
    <Stack gap="lg">
      {providers.length > 0 && <ProviderButtons ids={providers} />}
      {providers.length > 0 && takesAddress && <Divider label="or" />}
      {takesAddress && wantsLink && (
        <EmailForm
          label="E-mail address"
          autoComplete="email"
          submit="E-mail me a link"
          action={sendLink}
          onSubmit={email => void sendLink.run(email).catch(() => undefined)}
        />
      )}
      {takesAddress && !wantsLink && <SignUpForm />}
      {methods.credentialEnabled && methods.magicLinkEnabled && (
        <Button variant="subtle" color="gray" onClick={() => setWantsLink(!wantsLink)}>
          {wantsLink ? 'Use a password instead' : 'Use an e-mail link instead'}
        </Button>
      )}
    </Stack>
  )
}

function NoNewAccounts(): ReactNode {
  return (
    <Text role="status" ta="center">
      New accounts cannot be created here at the moment.
    </Text>
  )
}
