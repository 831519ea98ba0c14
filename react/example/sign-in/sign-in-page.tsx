import { CheckCircleIcon, InformationCircleIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useAuth, useAuthRouting } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Alert } from '../ui/alert'
import { TextLink } from '../ui/button'
import { useWords } from '../words/use-words'
import { LinkSent, useSentLink } from './link-sent'
import { RememberMe, WithMethods } from './methods'
import { SignInShape } from './shapes'
import { SignInSteps } from './sign-in-steps'

export function SignInPage(): ReactNode {
  const { signIn: words } = useWords()
  // The sessions of a browser to which one is added are of the kind that was chosen before.
  if (new URLSearchParams(location.search).has('add_account')) return <SignIn subtitle={words.adding} />
  return <SignIn subtitle={words.subtitle} hasGuests hasRememberMe />
}

interface Props {
  readonly subtitle: string
  /** Whether the app can be used without an account. */
  readonly hasGuests?: boolean
  /** Asks whether the session outlasts the browser; else it does. */
  readonly hasRememberMe?: boolean
}

/** The project's sign-in methods one after another: providers, an e-mail address, then its password or link. */
export function SignIn({ subtitle, hasGuests = false, hasRememberMe = false }: Props): ReactNode {
  useAuthRouting()
  const { signIn: words, ui } = useWords()
  const sent = useSentLink()
  if (sent) return <LinkSent email={sent.email} onStartOver={sent.startOver} />
  return (
    <AuthFrame
      title={words.title}
      subtitle={subtitle}
      hasFocusedField
      notice={<SignedOutNotice />}
      below={
        <>
          {words.isNew} <TextLink to={`/handler/sign-up${location.search}`}>{ui.signUp}</TextLink>
        </>
      }
    >
      <WithMethods shape={<SignInShape />}>
        {known => <SignInSteps methods={known} hasGuests={hasGuests} />}
      </WithMethods>
      {hasRememberMe && <RememberMe />}
    </AuthFrame>
  )
}

/** Why the last session of this tab has ended, if there was one. */
function SignedOutNotice(): ReactNode {
  const { signIn: words } = useWords()
  const auth = useAuth()
  if (auth.status !== 'signed-out' || auth.reason === 'never') return null
  const isExpected = ['signed-out', 'elsewhere', 'deleted'].includes(auth.reason)
  return (
    <Alert
      role="status"
      kind={isExpected ? 'good' : 'warning'}
      icon={isExpected ? <CheckCircleIcon /> : <InformationCircleIcon />}
    >
      {words.ended[auth.reason]}
    </Alert>
  )
}
