import { CommandLineIcon } from '@heroicons/react/24/outline'
import { useState, type ReactNode } from 'react'
import { claimCliSession, cliSessionState, type AnyAuthError } from 'rxauth'
import { useAction, useApp, useAuth, useUser } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/screen'
import { Alert, Problem, Told } from '../ui/alert'
import { Button, ButtonLink } from '../ui/button'
import { Choice } from '../ui/field'
import { useQueryParameter } from '../ui/query-parameter'
import { useWords } from '../words/use-words'
import { DeadEnd, useOnArrival } from './dead-end'

/** The page to which a command line program sends its user. */
export function CliAuthConfirmPage(): ReactNode {
  const { pages: words } = useWords()
  const auth = useAuth()
  const loginCode = useQueryParameter('login_code')
  // The page of the claim stays until it leads on, although the user changes meanwhile.
  const [isClaiming, setIsClaiming] = useState(false)
  if (loginCode === null) return <UselessAddress reason={words.program.incomplete} />
  if (auth.status === 'signed-in') return <Confirm loginCode={loginCode} />
  if (auth.status === 'unknown' && !isClaiming) return <NotKnownYet error={auth.error} />
  return <CliClaim loginCode={loginCode} onClaim={() => setIsClaiming(true)} />
}

/** Asks the user to confirm the sign-in of a command line program, which then uses this session. */
function Confirm({ loginCode }: { readonly loginCode: string }): ReactNode {
  const { pages, ui } = useWords()
  const { program: words, toStart } = pages
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const confirm = useAction(() => app.completeCliLogin({ loginCode }))
  if (confirm.status === 'done')
    return (
      <AuthFrame title={words.done}>
        <Told>{words.doneText}</Told>
        <ButtonLink label={toStart} kind="plain" to="/" />
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
        <ButtonLink label={ui.cancel} kind="plain" to="/" />
        <Button label={ui.signIn} does={confirm} />
      </div>
    </AuthFrame>
  )
}

/**
 * The page of a program's login for a user who is not signed in: a program that was used without an account hands over what
 * was done there. Otherwise the sign-in comes first.
 *
 * The program keeps the session, so the code is compared here: a sign-up gives the program the account.
 */
function CliClaim({ loginCode, onClaim }: { readonly loginCode: string; readonly onClaim: () => void }): ReactNode {
  const { pages, ui } = useWords()
  const { program: words } = pages
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
        <Button label={ui.signUp} disabled={!isSame} does={claim} />
        <Button label={words.otherAccount} kind="quiet" onClick={() => void app.redirectTo('signIn')} />
      </div>
    </AuthFrame>
  )
}

/** The end of the code, as the terminal shows it, to tell two logins apart. */
const comparedLength = 6

/** Asks the user to compare the address of the page with that in the terminal. */
function CliCode({ loginCode }: { readonly loginCode: string }): ReactNode {
  const { program: words } = useWords().pages
  return (
    <>
      <p className="centred">{words.compare}</p>
      <code className="compared" aria-label={words.end}>
        {loginCode.slice(-comparedLength)}
      </code>
    </>
  )
}

/** Whether the platform knows the login of the address no more. */
function isUselessLogin({ code }: AnyAuthError): boolean {
  return code === 'SCHEMA_ERROR' || code === 'INVALID_INPUT'
}

/** The page for an address of a program that leads nowhere. */
function UselessAddress({ reason }: { readonly reason?: string }): ReactNode {
  const { program: words, toStart } = useWords().pages
  return <DeadEnd title={words.title} reason={reason ?? words.invalid} to="/" wayOn={toStart} />
}
