import { Alert, Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { claimCliSession, cliSessionState } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/not-known-yet'
import { Problem } from '../ui/problem'
import { useOnArrival } from './use-on-arrival'

/**
 * The page of a program's login for a user who is not signed in: a program that was used without an account hands over what
 * was done there. Otherwise the sign-in comes first.
 */
export function CliClaim({
  loginCode,
  onClaim,
}: {
  readonly loginCode: string
  readonly onClaim: () => void
}): ReactNode {
  const app = useApp()
  const signIn = () => app.redirectTo('signIn', { automatic: true, replace: true })
  const ask = useAction(async () => {
    const result = await cliSessionState(app, { loginCode })
    if (!result.ok || result.value === 'none') await signIn()
    return result
  })
  const claim = useAction(async () => {
    onClaim()
    const result = await claimCliSession(app, { loginCode })
    if (result.ok) await app.redirectTo('signUp')
    return result
  })
  // A release without such logins, and one that cannot be reached, say nothing of the program.
  useOnArrival(() => void ask.run().catch(signIn))
  if (ask.status !== 'done' || ask.value !== 'anonymous') return <NotKnownYet />
  return (
    <AuthFrame title="Keep what you did in the program?">
      <Stack gap="md">
        <Text size="sm" ta="center">
          The program in your terminal was used without an account. If you create one now, everything that you did there
          belongs to it.
        </Text>
        <Alert color="yellow">Continue only if you have started this program yourself, just now.</Alert>
        <Problem of={claim} />
        <Button size="md" loading={claim.status === 'running'} onClick={() => void claim.run().catch(() => undefined)}>
          Create an account
        </Button>
        <Button variant="subtle" onClick={() => void app.redirectTo('signIn')}>
          Sign in to another account instead
        </Button>
      </Stack>
    </AuthFrame>
  )
}
