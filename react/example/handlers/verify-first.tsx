import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CurrentUser } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Problem } from '../ui/problem'
import { TextLink } from '../ui/link'

/** The page for a restricted user. The kit leaves it when the address is verified in any tab. */
export function VerifyFirst({ user }: { readonly user: CurrentUser }): ReactNode {
  const app = useApp()
  const send = useAction(() => app.sendVerificationEmail())
  const look = useAction(() => app.user$.refresh())
  const below = <TextLink to="/handler/sign-out">Sign out</TextLink>
  if (user.restriction?.type !== 'email_not_verified')
    return <AuthFrame title="Your account is restricted" subtitle="Ask the support of this app." below={below} />
  return (
    <AuthFrame
      title="Verify your e-mail address first"
      subtitle={`Open the link in the mail to ${user.primaryEmail ?? 'your address'}, then come back.`}
      below={below}
    >
      <Problem of={send} />
      {send.status === 'done' && (
        <Text size="sm" ta="center" role="status">
          Another link is on its way.
        </Text>
      )}
      <Button size="md" loading={look.status === 'running'} onClick={() => void look.run().catch(() => undefined)}>
        I have opened it
      </Button>
      <Button
        variant="subtle"
        loading={send.status === 'running'}
        onClick={() => void send.run().catch(() => undefined)}
      >
        Send it again
      </Button>
    </AuthFrame>
  )
}
