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
import { useWords } from '../words/use-words'

/** The page to which a command line program sends its user. */
export function CliAuthConfirmPage(): ReactNode {
  const { pages: words } = useWords()
  const auth = useAuth()
  const [loginCode] = useState(() => queryParameter('login_code'))
  // The page of the claim stays until it leads on, although the user changes meanwhile.
  const [isClaiming, setIsClaiming] = useState(false)
  if (loginCode === null) return <UselessAddress reason={words.program.incomplete} />
  if (auth.status === 'signed-in') return <Confirm loginCode={loginCode} />
  if (auth.status === 'unknown' && !isClaiming) return <NotKnownYet error={auth.error} />
  return <CliClaim loginCode={loginCode} onClaim={() => setIsClaiming(true)} />
}

/** Asks the user to confirm the sign-in of a command line program, which then uses this session. */
function Confirm({ loginCode }: { readonly loginCode: string }): ReactNode {
  const { program: words, toStart } = useWords().pages
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const confirm = useAction(() => app.completeCliLogin({ loginCode }))
  if (confirm.status === 'done')
    return (
      <AuthFrame title={words.done}>
        <p className="centred" role="status">
          {words.doneText}
        </p>
        <ButtonLink kind="plain" to="/">
          {toStart}
        </ButtonLink>
      </AuthFrame>
    )
  if (confirm.status === 'failed' && isUselessLogin(confirm.error)) return <UselessAddress />
  return (
    <AuthFrame
      title={words.question}
      icon={<CommandLineIcon />}
      subtitle={words.text(<b className="breakable">{user.primaryEmail ?? user.displayName ?? user.id}</b>)}
    >
      <CliCode loginCode={loginCode} />
      <Alert kind="warning">{words.warning}</Alert>
      <Problem of={confirm} />
      <div className="auth-row equal">
        <ButtonLink kind="plain" to="/">
          {words.cancel}
        </ButtonLink>
        <Button does={confirm}>{words.submit}</Button>
      </div>
    </AuthFrame>
  )
}
