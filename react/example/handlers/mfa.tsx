import type { ReactNode } from 'react'
import { useApp, useAuthRouting, useFlow } from 'rxauth/react'
import { useWords, wordsFor } from '../words/use-words'
import { AuthFrame } from '../shell/auth-frame'
import { CodeInput } from '../ui/code-input'
import { TextLink } from '../ui/link'
import { DeadEnd } from './dead-end'

const title = 'Two-step verification'

/** Asks for the second factor after any first one. */
export function MfaPage(): ReactNode {
  const app = useApp()
  const words = useWords()
  useAuthRouting()
  const flow = useFlow()
  // `useAuthRouting` opens the next page; the form stays until then.
  if (flow.status === 'second-factor' || flow.status === 'done')
    return (
      <AuthFrame
        title={title}
        subtitle="Enter the six digits that your authenticator app shows."
        hasFocusedField
        below={<TextLink to="/handler/sign-in">Use another method</TextLink>}
      >
        <CodeInput label="Code" kind="digits" onComplete={totp => app.continueSignIn({ totp })} />
      </AuthFrame>
    )
  return (
    <DeadEnd
      title={title}
      reason={flow.status === 'failed' ? wordsFor(flow.error, words) : 'There is no sign-in to continue in this tab.'}
      to="/handler/sign-in"
      wayOn="Sign in again"
    />
  )
}
