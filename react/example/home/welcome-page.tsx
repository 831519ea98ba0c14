import { EnvelopeIcon } from '@heroicons/react/24/outline'
import { Button, Stack, Text, ThemeIcon } from '@mantine/core'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useUser } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { ButtonLink } from '../ui/link'
import { Problem } from '../ui/problem'

/** The page after a sign-up, while the address is unverified. Without an address to verify it continues at once. */
export function WelcomePage(): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const send = useAction(() => app.sendVerificationEmail())
  const isWaiting = user.primaryEmail !== null && !user.primaryEmailVerified
  useEffect(() => {
    if (!isWaiting) void app.redirectTo('home', { replace: true })
  }, [app, isWaiting])
  return (
    <AuthFrame title="Check your e-mail">
      <Stack align="center" gap="md">
        <ThemeIcon size={48} radius="xl" variant="light">
          <EnvelopeIcon width={24} />
        </ThemeIcon>
        <Text size="sm" ta="center" role="status">
          We sent a link to <b className="breakable">{user.primaryEmail}</b>. Open it to verify that this address is
          yours.
        </Text>
        <Problem of={send} />
      </Stack>
      <Stack gap="xs">
        <ButtonLink to="/" size="md">
          Continue
        </ButtonLink>
        <Button
          variant="subtle"
          loading={send.status === 'running'}
          onClick={() => void send.run().catch(() => undefined)}
        >
          {send.status === 'done' ? 'Sent. Send it once more' : 'Send it again'}
        </Button>
      </Stack>
    </AuthFrame>
  )
}
