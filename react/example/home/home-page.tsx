import type { ReactNode } from 'react'
import type { CurrentUser } from 'rxauth'
import { useAuth } from 'rxauth/react'
import { VerifyFirst } from '../handlers/verify-first'
import { AppFrame } from '../app/app-frame'
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
  return (
    <AppFrame>
      <PageHeading title={user.displayName === null ? 'Welcome' : `Welcome, ${user.displayName}`} />
      <SetUpSection user={user} />
      <div className="grid">
        <Section title="Notes" description="Data of your own backend, protected by the access token.">
          <div className="row at-end">
            <ButtonLink kind="plain" isSmall to="/notes">
              Open notes
            </ButtonLink>
          </div>
        </Section>
        <Section
          title="Team"
          description={
            user.selectedTeam
              ? `Your current team is ${user.selectedTeam.displayName}.`
              : 'Work together with other people.'
          }
        >
          <div className="row at-end">
            <ButtonLink kind="plain" isSmall to="/team">
              {user.selectedTeam ? 'Open team' : 'Open teams'}
            </ButtonLink>
          </div>
        </Section>
        <Section title="Account settings" description="Profile, security, connected accounts and sessions.">
          <div className="row at-end">
            <ButtonLink kind="plain" isSmall to="/handler/account-settings">
              Open settings
            </ButtonLink>
          </div>
        </Section>
      </div>
    </AppFrame>
  )
}

/** An anonymous user cannot return to the account after signing out. */
function GuestHome(): ReactNode {
  return (
    <AppFrame>
      <PageHeading title="Welcome, guest" />
      <Alert role="status">You are using a guest account. It is lost when you sign out.</Alert>
      <Section
        title="Keep your work"
        description="With an account you can sign in again, on any device."
        action={<ButtonLink to="/handler/sign-up">Create an account</ButtonLink>}
      >
        <p>Notes that you write as a guest belong to the guest account.</p>
      </Section>
    </AppFrame>
  )
}
