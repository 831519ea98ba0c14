import { useState } from 'react'
import type { ReactNode } from 'react'
import { claimCliSession, cliSessionState } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/not-known-yet'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { Choice } from '../ui/choice'
import { Problem } from '../ui/problem'
import { CliCode, isUselessLogin, UselessAddress } from './cli-code'
import { useOnArrival } from './use-on-arrival'
import { useWords } from '../words/use-words'

/**
 * The page of a program's login for a user who is not signed in: a program that was used without an account hands over what
 * was done there. Otherwise the sign-in comes first.
 *
 * The program keeps the session, so the code is compared here: a sign-up gives the program the account.
 */
export function CliClaim({
  loginCode,
  onClaim,
}: {
  readonly loginCode: string
  readonly onClaim: () => void
}): ReactNode {
  const { program: words } = useWords().pages
  const app = useApp()
  const [isSame, setIsSame] = useState(false)
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
  if (claim.status === 'failed' && isUselessLogin(claim.error)) return <UselessAddress />
  return (
    <AuthFrame title={words.claim}>
      <div className="auth-stack">
        <p className="centred">{words.claimText}</p>
        <CliCode loginCode={loginCode} />
        <Alert kind="warning">{words.warning}</Alert>
        <Choice label={words.isSame} checked={isSame} onChange={event => setIsSame(event.currentTarget.checked)} />
        <Problem of={claim} />
        <Button disabled={!isSame} does={claim}>
          {words.signUp}
        </Button>
        <Button kind="quiet" onClick={() => void app.redirectTo('signIn')}>
          {words.otherAccount}
        </Button>
      </div>
    </AuthFrame>
  )
}
