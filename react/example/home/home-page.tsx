import type { ReactNode } from 'react'
import type { CurrentUser } from 'rxauth'
import { useAuth } from 'rxauth/react'
import { VerifyFirst } from '../handlers/verify-first'
import { AppFrame } from '../app/app-frame'
import { useOwnWords } from '../app/words'
import { NotKnownYet } from '../shell/not-known-yet'
import { SignInPage } from '../sign-in/sign-in-page'
import { Alert } from '../ui/alert'
import { ButtonLink } from '../ui/button'
import { PageHeading } from '../ui/page-heading'
import { Section } from '../ui/section'
import { SetUpSection } from './set-up-section'

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
  return (
    <AppFrame>
      <PageHeading title={user.displayName === null ? words.welcome : words.welcomeName(user.displayName)} />
      <SetUpSection user={user} />
      <div className="grid">
        <Section title={words.notes} description={words.notesText}>
          <div className="auth-row at-end">
            <ButtonLink kind="plain" isSmall to="/notes">
              {words.openNotes}
            </ButtonLink>
          </div>
        </Section>
        <Section
          title={words.team}
          description={user.selectedTeam ? words.currentTeam(user.selectedTeam.displayName) : words.noTeam}
        >
          <div className="auth-row at-end">
            <ButtonLink kind="plain" isSmall to="/handler/team">
              {user.selectedTeam ? words.openTeam : words.openTeams}
            </ButtonLink>
          </div>
        </Section>
        <Section title={words.account} description={words.accountText}>
          <div className="auth-row at-end">
            <ButtonLink kind="plain" isSmall to="/handler/account-settings">
              {words.openAccount}
            </ButtonLink>
          </div>
        </Section>
      </div>
    </AppFrame>
  )
}

/** An anonymous user cannot return to the account after signing out. */
function GuestHome(): ReactNode {
  const words = useOwnWords()
  return (
    <AppFrame>
      <PageHeading title={words.welcomeGuest} />
      <Alert role="status">{words.guestText}</Alert>
      <Section
        title={words.keepWork}
        description={words.keepWorkText}
        action={<ButtonLink to="/handler/sign-up">{words.signUp}</ButtonLink>}
      >
        <p>{words.guestNotes}</p>
      </Section>
    </AppFrame>
  )
}
