import { UserGroupIcon } from '@heroicons/react/24/outline'
import { Button, Center, Stack, Text, ThemeIcon } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuth } from 'rxauth/react'
import { queryParameter } from '../app/navigation'
import { AuthFrame } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/not-known-yet'
import { Problem } from '../ui/problem'
import { DeadEnd } from './dead-end'
import { Invitation } from './invitation'
import { isUseless, uselessInvitation } from './useless-invitation'
import { useOnArrival } from './use-on-arrival'
import { VerifyFirst } from './verify-first'
import { Waiting } from './waiting'

/**
 * The target of the mail's link, signed in or not. The invitation is checked before the page asks for anything, and
 * accepted when the user presses a button, because mail scanners open links too.
 */
export function TeamInvitationPage(): ReactNode {
  const auth = useAuth()
  const [code] = useState(() => queryParameter('code'))
  if (code === null)
    return (
      <DeadEnd
        title="Join a team"
        reason="This link is incomplete. Open the link in the e-mail again, or ask for a new invitation."
        to="/team"
        wayOn="Go to your teams"
      />
    )
  switch (auth.status) {
    case 'unknown':
      return <NotKnownYet error={auth.error} />
    case 'signed-in':
      // The platform lets a restricted user neither see nor accept it.
      return auth.restriction ? (
        <VerifyFirst user={auth.user} />
      ) : (
        <Invitation key={auth.user.id} code={code} user={auth.user} />
      )
    // An anonymous user could not sign in to the team again.
    case 'anonymous':
    case 'signed-out':
      return <SignedOutInvitation code={code} />
  }
}

/** The team requires an account. Every sign-in method returns to this page. */
function SignedOutInvitation({ code }: { readonly code: string }): ReactNode {
  const app = useApp()
  const { run: check, ...checked } = useAction(() => app.checkTeamInvitationCode({ code }))
  useOnArrival(() => void check().catch(() => undefined))
  const signIn = useAction(() => app.redirectTo('signIn'))
  const signUp = useAction(() => app.redirectTo('signUp'))
  if (checked.status === 'failed')
    return isUseless(checked.error) ? (
      <DeadEnd title="Join a team" reason={uselessInvitation(checked.error)} to="/handler/sign-in" wayOn="Sign in" />
    ) : (
      <AuthFrame title="Join a team">
        <Problem of={checked} />
        <Button onClick={() => void check().catch(() => undefined)}>Try again</Button>
      </AuthFrame>
    )
  if (checked.status !== 'done') return <Waiting title="Join a team" />
  return (
    <AuthFrame title="Join a team" below="Use an account with the e-mail address that was invited.">
      <Stack gap="md">
        <Center>
          <ThemeIcon size={48} radius="xl" variant="light">
            <UserGroupIcon width={24} />
          </ThemeIcon>
        </Center>
        <Text size="sm" ta="center">
          You are invited to a team. Sign in or create an account to see which one, and to join it.
        </Text>
      </Stack>
      <Stack gap="xs">
        <Button
          size="md"
          loading={signIn.status === 'running'}
          onClick={() => void signIn.run().catch(() => undefined)}
        >
          Sign in
        </Button>
        <Button
          size="md"
          variant="default"
          loading={signUp.status === 'running'}
          onClick={() => void signUp.run().catch(() => undefined)}
        >
          Create an account
        </Button>
        <Problem of={signIn} />
        <Problem of={signUp} />
      </Stack>
    </AuthFrame>
  )
}
