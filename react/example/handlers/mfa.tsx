import type { ReactNode } from 'react'
import { useApp, useAuthRouting, useFlow } from 'rxauth/react'
import { useWords, wordsFor } from '../words/use-words'
import { AuthFrame } from '../shell/auth-frame'
import { CodeInput } from '../ui/code-input'
import { TextLink } from '../ui/link'
import { DeadEnd } from './dead-end'

/** Asks for the second factor after any first one. */
export function MfaPage(): ReactNode {
  const app = useApp()
  const words = useWords()
  const { mfa: texts } = words.pages
  useAuthRouting()
  const flow = useFlow()
  // `useAuthRouting` opens the next page; the form stays until then.
  if (flow.status === 'second-factor' || flow.status === 'done')
    return (
      <AuthFrame
        title={texts.title}
        subtitle={texts.text}
        hasFocusedField
        below={<TextLink to="/handler/sign-in">{texts.otherMethod}</TextLink>}
      >
        <CodeInput label={texts.code} kind="digits" onComplete={totp => app.continueSignIn({ totp })} />
      </AuthFrame>
    )
  return (
    <DeadEnd
      title={texts.title}
      reason={flow.status === 'failed' ? wordsFor(flow.error, words) : texts.nothing}
      to="/handler/sign-in"
      wayOn={texts.signIn}
    />
  )
}
