import { useEffect, useState, type ReactNode } from 'react'
import { changePrimaryEmail, orThrow, until, type CurrentUser } from 'rxauth'
import { useAction, useApp, useAuth } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/screen'
import { Alert, Problem, Told } from '../ui/alert'
import { Button, ButtonLink, TextLink } from '../ui/button'
import { useQueryParameter } from '../ui/query-parameter'
import { EmailForm } from '../ui/short-forms'
import { useWords } from '../words/use-words'
import { DeadEnd, isUselessLink, wordsForLink } from './dead-end'

const addresses = '/handler/account-settings/emails'

/** The target of the mail's link. The user presses a button, because mail scanners open links too. */
export function EmailVerificationPage(): ReactNode {
  const words = useWords()
  const { verify: texts, newMail } = words.pages
  const app = useApp()
  const code = useQueryParameter('code')
  const verify = useAction((text: string) => app.verifyEmail({ code: text }))
  if (code === null) return <WithoutCode />
  if (verify.status === 'done')
    return (
      <AuthFrame title={texts.done}>
        <ButtonLink label={words.ui.next} to="/" />
      </AuthFrame>
    )
  if (verify.status === 'failed' && isUselessLink(verify.error))
    return <DeadEnd title={texts.title} reason={wordsForLink(verify.error, words)} to={addresses} wayOn={newMail} />
  return (
    <AuthFrame title={texts.title}>
      <Problem of={verify} />
      {verify.status !== 'failed' && <p className="centred">{texts.text}</p>}
      <Button label={texts.submit} does={{ ...verify, run: () => verify.run(code) }} />
    </AuthFrame>
  )
}

/** The page for restricted users. It returns to the former page when the restriction has ended. */
function WithoutCode(): ReactNode {
  const { pages: words } = useWords()
  const app = useApp()
  const auth = useAuth()
  const [hasWaited, setHasWaited] = useState(false)
  const isRestricted = auth.status === 'signed-in' && auth.restriction !== undefined
  if (isRestricted && !hasWaited) setHasWaited(true)
  const goesOn = hasWaited && auth.status === 'signed-in' && !isRestricted
  useEffect(() => {
    if (goesOn) void app.redirectTo('afterSignIn', { automatic: true, replace: true })
  }, [app, goesOn])
  if (isRestricted) return <VerifyFirst user={auth.user} />
  return goesOn ? (
    <NotKnownYet />
  ) : (
    <DeadEnd title={words.verify.title} reason={words.link.incomplete} to={addresses} wayOn={words.newMail} />
  )
}

/** The page for a restricted user: why, and the way out. The kit leaves it when the restriction has ended. */
export function VerifyFirst({ user }: { readonly user: CurrentUser }): ReactNode {
  const { pages, ui } = useWords()
  const { verifyFirst: words } = pages
  const app = useApp()
  const send = useAction(() => app.sendVerificationEmail())
  const look = useAction(() => app.user$.refresh())
  const [isOther, setIsOther] = useState(false)
  const type = user.restriction?.type
  useEffect(() => {
    const left = new AbortController()
    // The link may be opened on another device, of which this page is not told.
    until(app.user$, now => now?.restriction?.type !== type, { signal: left.signal }).catch(() => undefined)
    return () => left.abort()
  }, [app, type])
  const below = <TextLink to="/handler/sign-out">{ui.signOut}</TextLink>
  if (type !== 'email_not_verified')
    return (
      <AuthFrame title={words.restricted} subtitle={words.restrictedText} below={below}>
        {user.restriction?.reason !== undefined && <Alert kind="warning">{user.restriction.reason}</Alert>}
        <Button label={words.look} kind="plain" does={look} />
      </AuthFrame>
    )
  return (
    <AuthFrame title={words.title} subtitle={words.text(user.primaryEmail)} below={below}>
      <Problem of={send} />
      {send.status === 'done' && <Told>{words.sentAgain}</Told>}
      <Button label={words.done} does={look} />
      <Button label={ui.sendAgain} kind="quiet" does={send} />
      {isOther ? (
        <OtherAddress onSent={() => setIsOther(false)} />
      ) : (
        <Button label={words.other} kind="quiet" onClick={() => setIsOther(true)} />
      )}
    </AuthFrame>
  )
}

/** Another address for a user who mistyped the first one; the mail goes there at once. */
function OtherAddress({ onSent }: { readonly onSent: () => void }): ReactNode {
  const { verifyFirst: words } = useWords().pages
  const app = useApp()
  const change = useAction(async (primaryEmail: string) => {
    const result = await changePrimaryEmail(app, { primaryEmail })
    if (!result.ok) return result
    // An address that was verified before ends the restriction.
    if (!result.value.primaryEmailVerified) orThrow(await app.sendVerificationEmail())
    onSent()
    return result
  })
  return (
    <EmailForm
      inline={words.other}
      label={words.otherEmail}
      autoComplete="email"
      submit={words.otherSubmit}
      action={change}
    />
  )
}
