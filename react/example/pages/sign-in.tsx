import { useState } from 'react'
import type { ReactNode } from 'react'
import type { SignedOutReason } from 'rxauth'
import { useAuthRouting } from 'rxauth/react'
import { Frame } from '../components/frame'
import { OtherWays } from '../components/other-ways'
import { PasswordForm } from '../components/password-form'
import type { Mode } from '../components/password-form'

const reasons: Readonly<Record<SignedOutReason, string>> = {
  never: '',
  'signed-out': 'You are signed out.',
  elsewhere: 'You have signed out in another tab.',
  expired: 'Your session has ended. Please sign in again.',
  deleted: 'This account no longer exists.',
}

const titles: Readonly<Record<Mode, string>> = { 'sign-in': 'Sign in', 'sign-up': 'Create an account' }

interface Props {
  readonly mode: Mode
  readonly reason?: SignedOutReason
}

/** All ways to sign in side by side; those that the project has switched off are not there. */
export function SignInPage({ mode: first, reason = 'never' }: Props): ReactNode {
  useAuthRouting()
  const [mode, setMode] = useState(first)
  const text = reasons[reason]
  return (
    <>
      <title>{`${titles[mode]} · rxauth example`}</title>
      <Frame>
        <div className="narrow">
          <div role="status" className="note calm" hidden={text === ''}>
            {text}
          </div>
          <article>
            <PasswordForm mode={mode} title={titles[mode]} onModeChange={setMode} />
            <OtherWays />
          </article>
        </div>
      </Frame>
    </>
  )
}
