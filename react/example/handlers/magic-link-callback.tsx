import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuthRouting } from 'rxauth/react'
import { queryParameter } from '../app/navigation'
import { AuthFrame } from '../shell/auth-frame'
import { ButtonLink, TextLink } from '../ui/link'
import { Problem } from '../ui/problem'
import { DeadEnd, missingCode } from './dead-end'

/** The target of the mail's link. The user presses a button, because mail scanners open links too. */
export function MagicLinkCallbackPage(): ReactNode {
  const app = useApp()
  useAuthRouting()
  const [code] = useState(() => queryParameter('code'))
  const enter = useAction((text: string) => app.signInWithMagicLink({ code: text }))
  if (code === null)
    return <DeadEnd title="Sign in" reason={missingCode} to="/handler/sign-in" wayOn="Ask for a new e-mail" />
  const isUseless = enter.status === 'failed' && enter.error.code.startsWith('VERIFICATION_CODE')
  return (
    <AuthFrame title="Sign in" below={<TextLink to="/handler/sign-in">Sign in another way</TextLink>}>
      <Problem of={enter} />
      {enter.status !== 'failed' && (
        <Text size="sm" ta="center">
          Continue to sign in to your account.
        </Text>
      )}
      {isUseless ? (
        <ButtonLink to="/handler/sign-in" size="md">
          Ask for a new e-mail
        </ButtonLink>
      ) : (
        <Button
          size="md"
          loading={enter.status === 'running'}
          onClick={() => void enter.run(code).catch(() => undefined)}
        >
          {enter.status === 'failed' ? 'Try again' : 'Continue'}
        </Button>
      )}
    </AuthFrame>
  )
}
