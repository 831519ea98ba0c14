import type { ReactNode } from 'react'
import type { SignedOutReason } from 'rxauth'
import { Frame } from '../components/frame'
import { PasswordForm } from '../components/password-form'

const reasons: Readonly<Record<SignedOutReason, string>> = {
  never: '',
  'signed-out': 'You are signed out.',
  elsewhere: 'You have signed out in another tab.',
  expired: 'Your session has ended. Please sign in again.',
  deleted: 'This account no longer exists.',
}

export function WelcomePage({ reason }: { readonly reason: SignedOutReason }): ReactNode {
  const text = reasons[reason]
  return (
    <>
      <title>Sign in · rxauth example</title>
      <Frame>
        <div className="narrow">
          <div role="status" className="note calm" hidden={text === ''}>
            {text}
          </div>
          <PasswordForm />
        </div>
      </Frame>
    </>
  )
}
