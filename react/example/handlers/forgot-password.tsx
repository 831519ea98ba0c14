import { EnvelopeIcon } from '@heroicons/react/24/outline'
import { Button, Center, Stack, Text, ThemeIcon } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { EmailForm } from '../sign-in/email-form'
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
      <AuthFrame title="Check your e-mail" below={back}>
        <Stack align="center" gap="md">
          <Center>
            <ThemeIcon size={48} radius="xl" variant="light">
              <EnvelopeIcon width={24} />
            </ThemeIcon>
          </Center>
          <Text size="sm" ta="center" role="status">
            If there is an account with <b className="breakable">{address}</b>, an e-mail with a link is on its way.
          </Text>
          <Button variant="subtle" onClick={() => send.reset()}>
            Try another address
          </Button>
        </Stack>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Forgot your password?"
      subtitle="Enter your e-mail address. We will send you a link to choose a new password."
      hasFocusedField
      below={back}
    >
      <EmailForm
        label="E-mail address"
        autoComplete="email"
        initial={address}
        submit="Send the link"
        action={send}
        onSubmit={email => void send.run(email).catch(() => undefined)}
      />
    </AuthFrame>
  )
}
