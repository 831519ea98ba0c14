import { CommandLineIcon } from '@heroicons/react/24/outline'
import { Alert, Button, Center, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuth, useUser } from 'rxauth/react'
import { queryParameter } from '../app/navigation'
import { AuthFrame } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/not-known-yet'
import { ButtonLink } from '../ui/link'
import { Problem } from '../ui/problem'
import { CliClaim } from './cli-claim'
import { CliCode, isUselessLogin, UselessAddress } from './cli-code'

/** The page to which a command line program sends its user. */
export function CliAuthConfirmPage(): ReactNode {
  const auth = useAuth()
  const [loginCode] = useState(() => queryParameter('login_code'))
  // The page of the claim stays until it leads on, although the user changes meanwhile.
  const [isClaiming, setIsClaiming] = useState(false)
  if (loginCode === null)
    return (
      <UselessAddress reason="This address is incomplete. Copy the whole address that the program shows in your terminal." />
    )
  if (auth.status === 'signed-in') return <Confirm loginCode={loginCode} />
  if (auth.status === 'unknown' && !isClaiming) return <NotKnownYet error={auth.error} />
  return <CliClaim loginCode={loginCode} onClaim={() => setIsClaiming(true)} />
}

/** Asks the user to confirm the sign-in of a command line program, which then uses this session. */
function Confirm({ loginCode }: { readonly loginCode: string }): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const confirm = useAction(() => app.completeCliLogin({ loginCode }))
  if (confirm.status === 'done')
    return (
      <AuthFrame title="The program is signed in">
        <Text size="sm" ta="center" role="status">
          You can close this page and go back to your terminal.
        </Text>
        <ButtonLink to="/" variant="default">
          Go to the start page
        </ButtonLink>
      </AuthFrame>
    )
  if (confirm.status === 'failed' && isUselessLogin(confirm.error)) return <UselessAddress />
  return (
    <AuthFrame title="Sign in to a program?">
      <Stack gap="md">
        <Center>
          <ThemeIcon size={48} radius="xl" variant="light">
            <CommandLineIcon width={24} />
          </ThemeIcon>
        </Center>
        <Text size="sm" ta="center">
          A program in a terminal asks to act as{' '}
          <b className="breakable">{user.primaryEmail ?? user.displayName ?? user.id}</b>. It can do everything that you
          can do here, until you sign out.
        </Text>
        <CliCode loginCode={loginCode} />
        <Alert color="yellow">Continue only if you have started this program yourself, just now.</Alert>
        <Problem of={confirm} />
        <Group grow>
          <ButtonLink to="/" variant="default" size="md">
            Cancel
          </ButtonLink>
          <Button
            size="md"
            loading={confirm.status === 'running'}
            onClick={() => void confirm.run().catch(() => undefined)}
          >
            Sign in
          </Button>
        </Group>
      </Stack>
    </AuthFrame>
  )
}
