import type { ReactNode } from 'react'
import { useAuthRouting } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { TextLink } from '../ui/link'
import { LinkSent } from './link-sent'
import { WithMethods } from './methods'
import { SignInShape } from './shapes'
import { SignInSteps } from './sign-in-steps'
import { SignedOutNotice } from './signed-out-notice'
import { useSentLink } from './use-sent-link'

export function SignInPage(): ReactNode {
  return <SignIn subtitle="Welcome back. Please sign in to continue." hasGuests />
}

interface Props {
  readonly subtitle: string
  /** Whether the app can be used without an account. */
  readonly hasGuests?: boolean
}

/** The project's sign-in methods one after another: providers, an e-mail address, then its password or link. */
export function SignIn({ subtitle, hasGuests = false }: Props): ReactNode {
  useAuthRouting()
  const sent = useSentLink()
  if (sent) return <LinkSent email={sent.email} onStartOver={sent.startOver} />
  return (
    <AuthFrame
      title="Sign in"
      subtitle={subtitle}
      hasFocusedField
      notice={<SignedOutNotice />}
      below={
        <>
          New here? <TextLink to={`/handler/sign-up${location.search}`}>Create an account</TextLink>
        </>
      }
    >
      <WithMethods shape={<SignInShape />}>
        {known => <SignInSteps methods={known} hasGuests={hasGuests} />}
      </WithMethods>
    </AuthFrame>
  )
}
