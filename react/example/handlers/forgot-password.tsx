import { EnvelopeIcon } from '@heroicons/react/24/outline'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { EmailForm } from '../ui/email-form'
import { Button } from '../ui/button'
import { TextLink } from '../ui/link'

/** Requests a mail, without showing whether the address has an account. */
export function ForgotPasswordPage(): ReactNode {
  const app = useApp()
  const [address, setAddress] = useState('')
  const send = useAction(async (email: string) => {
    const result = await app.sendPasswordResetEmail({ email })
    if (result.ok) setAddress(email)
    return result
  })
  const back = <TextLink to="/handler/sign-in">Back to sign-in</TextLink>
  if (send.status === 'done')
    return (
      <AuthFrame
        title="Check your e-mail"
        icon={<EnvelopeIcon />}
        subtitle={
          <span role="status">
            If there is an account with <b className="breakable">{address}</b>, an e-mail with a link is on its way.
          </span>
        }
        below={back}
      >
        <Button kind="quiet" onClick={() => send.reset()}>
          Try another address
        </Button>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Forgot your password?"
      subtitle="Enter your e-mail address. We will send you a link to choose a new password."
      hasFocusedField
      below={back}
    >
      <EmailForm label="E-mail address" autoComplete="email" initial={address} submit="Send the link" action={send} />
    </AuthFrame>
  )
}
