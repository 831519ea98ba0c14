import { EnvelopeIcon } from '@heroicons/react/24/outline'
import { CheckCircleIcon } from '@heroicons/react/24/solid'
import { useEffect, type ReactNode } from 'react'
import type { CurrentUser } from 'rxauth'
import { useAction, useApp, useAuth, useUser } from 'rxauth/react'
import { AppFrame } from '../app/app-frame'
import { useOwnWords } from '../app/words'
import { VerifyFirst } from '../handlers/email-verification'
import { AuthFrame } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/screen'
import { SignInPage } from '../sign-in/sign-in-page'
import { Alert, Problem, Told } from '../ui/alert'
import { Button, ButtonLink, TextLink } from '../ui/button'
import { PageHeading, Section } from '../ui/section'
import { useWords } from '../words/use-words'

/** The start page, signed in or out. Until that is known it shows neither, so that no sign-in form flashes. */
export function HomePage(): ReactNode {
  const auth = useAuth()
  switch (auth.status) {
    case 'unknown':
      return <NotKnownYet error={auth.error} />
    case 'signed-out':
      return <SignInPage />
    case 'anonymous':
      return <GuestHome />
    case 'signed-in':
      return auth.restriction ? <VerifyFirst user={auth.user} /> : <Home user={auth.user} />
  }
}

function Home({ user }: { readonly user: CurrentUser }): ReactNode {
  const words = useOwnWords()
  const { account } = useWords()
  const team = user.selectedTeam?.displayName
  const ways = [
    { title: words.notes, text: words.notesText, to: '/notes', open: words.openNotes },
    {
      title: words.team,
      text: team === undefined ? words.noTeam : words.currentTeam(team),
      to: '/handler/team',
      open: team === undefined ? words.openTeams : words.openTeam,
    },
    { title: account.title, text: words.accountText, to: '/handler/account-settings', open: words.openAccount },
  ]
  return (
    <AppFrame>
      <PageHeading title={user.displayName === null ? words.welcome : words.welcomeName(user.displayName)} />
      <SetUpSection user={user} />
      <div className="grid">
        {ways.map(({ title, text, to, open }) => (
          <Section key={to} title={title} description={text}>
            <div className="auth-row at-end">
              <ButtonLink label={open} kind="plain" isSmall to={to} />
            </div>
          </Section>
        ))}
      </div>
    </AppFrame>
  )
}

/** An anonymous user cannot return to the account after signing out. */
function GuestHome(): ReactNode {
  const words = useOwnWords()
  const { ui } = useWords()
  return (
    <AppFrame>
      <PageHeading title={words.welcomeGuest} />
      <Alert role="status">{words.guestText}</Alert>
      <Section
        title={words.keepWork}
        description={words.keepWorkText}
        action={<ButtonLink label={ui.signUp} to="/handler/sign-up" />}
      >
        <p>{words.guestNotes}</p>
      </Section>
    </AppFrame>
  )
}

/** The open steps of a new account. Each is ticked when done; the section disappears after the last one. */
function SetUpSection({ user }: { readonly user: CurrentUser }): ReactNode {
  const words = useOwnWords()
  const { account, pages } = useWords()
  const settings = '/handler/account-settings'
  const steps = [
    { text: pages.verify.title, to: '/welcome', isDone: user.primaryEmailVerified },
    { text: words.addName, to: settings, isDone: user.displayName !== null },
    { text: account.security.addPasskey, to: `${settings}/security`, isDone: user.passkeyAuthEnabled },
    { text: words.addSecondStep, to: `${settings}/security`, isDone: user.requiresTotpMfa },
  ]
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  return (
    <Section title={words.setUp} description={words.stepsDone(done, steps.length)}>
      <ul className="auth-stack snug">
        {steps.map(({ text, to, isDone }) => (
          <li key={text} className="auth-row oneline">
            {isDone ? (
              <CheckCircleIcon className="done" width={22} aria-label={words.done} role="img" />
            ) : (
              <div className="open-circle" aria-hidden="true" />
            )}
            {isDone ? <p className="dim">{text}</p> : <TextLink to={to}>{text}</TextLink>}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The page after a sign-up, while the address is unverified. Without an address to verify it continues at once. */
export function WelcomePage(): ReactNode {
  const words = useOwnWords()
  const { linkSent, pages, ui } = useWords()
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const send = useAction(() => app.sendVerificationEmail())
  const isWaiting = user.primaryEmail !== null && !user.primaryEmailVerified
  useEffect(() => {
    if (!isWaiting) void app.redirectTo('home', { replace: true })
  }, [app, isWaiting])
  return (
    <AuthFrame
      title={linkSent.title}
      icon={<EnvelopeIcon />}
      subtitle={<span role="status">{words.checkMailText(<b className="breakable">{user.primaryEmail}</b>)}</span>}
    >
      <Problem of={send} />
      {send.status === 'done' && <Told>{pages.verifyFirst.sentAgain}</Told>}
      <div className="auth-stack snug">
        <ButtonLink label={ui.next} to="/" />
        <Button label={ui.sendAgain} kind="quiet" does={send} />
      </div>
    </AuthFrame>
  )
}
