import { EnvelopeIcon } from '@heroicons/react/24/outline'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { EmailForm } from '../ui/email-form'
import { Button } from '../ui/button'
import { TextLink } from '../ui/link'
import { useWords } from '../words/use-words'

/** Requests a mail, without showing whether the address has an account. */
export function ForgotPasswordPage(): ReactNode {
  const { forgot: words, toSignIn } = useWords().pages
  const app = useApp()
  const [address, setAddress] = useState('')
  const send = useAction(async (email: string) => {
    const result = await app.sendPasswordResetEmail({ email })
    if (result.ok) setAddress(email)
    return result
  })
  const back = <TextLink to="/handler/sign-in">{toSignIn}</TextLink>
  if (send.status === 'done')
    return (
      <AuthFrame
        title={words.sent}
        icon={<EnvelopeIcon />}
        subtitle={<span role="status">{words.sentText(<b className="breakable">{address}</b>)}</span>}
        below={back}
      >
        <Button kind="quiet" onClick={() => send.reset()}>
          {words.other}
        </Button>
      </AuthFrame>
    )
  return (
    <AuthFrame title={words.title} subtitle={words.text} hasFocusedField below={back}>
      <EmailForm label={words.email} autoComplete="email" initial={address} submit={words.submit} action={send} />
    </AuthFrame>
  )
}
