import { CommandLineIcon } from '@heroicons/react/24/outline'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuth, useUser } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/not-known-yet'
import { Alert } from '../ui/alert'
import { Button, ButtonLink } from '../ui/button'
import { queryParameter } from '../ui/navigation'
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
        <p className="centred" role="status">
          You can close this page and go back to your terminal.
        </p>
        <ButtonLink kind="plain" to="/">
          Go to the start page
        </ButtonLink>
      </AuthFrame>
    )
  if (confirm.status === 'failed' && isUselessLogin(confirm.error)) return <UselessAddress />
  return (
    <AuthFrame
      title="Sign in to a program?"
      icon={<CommandLineIcon />}
      subtitle={
        <>
          A program in a terminal asks to act as{' '}
          <b className="breakable">{user.primaryEmail ?? user.displayName ?? user.id}</b>. It can do everything that you
          can do here, until you sign out.
        </>
      }
    >
      <CliCode loginCode={loginCode} />
      <Alert kind="warning">Continue only if you have started this program yourself, just now.</Alert>
      <Problem of={confirm} />
      <div className="row equal">
        <ButtonLink kind="plain" to="/">
          Cancel
        </ButtonLink>
        <Button does={confirm}>Sign in</Button>
      </div>
    </AuthFrame>
  )
}
