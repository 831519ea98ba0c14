import { Alert, Group, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CurrentUser } from 'rxauth'
import { useAuth } from 'rxauth/react'
import { VerifyFirst } from '../handlers/verify-first'
import { AppFrame } from '../shell/app-frame'
import { NotKnownYet } from '../shell/not-known-yet'
import { SignInPage } from '../sign-in/sign-in-page'
import { ButtonLink } from '../ui/link'
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
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Section title="Notes" description="Data of your own backend, which verifies the access token.">
          <Group mt="auto">
            <ButtonLink to="/notes" variant="default" size="xs">
              Open notes
            </ButtonLink>
          </Group>
        </Section>
        <Section
          title="Team"
          description={
            user.selectedTeam ? `You work in ${user.selectedTeam.displayName}.` : 'Work together with others.'
          }
        >
          <Group mt="auto">
            <ButtonLink to="/team" variant="default" size="xs">
              {user.selectedTeam ? 'Open team' : 'Open teams'}
            </ButtonLink>
          </Group>
        </Section>
        <Section title="Account settings" description="Profile, security, connected accounts and sessions.">
          <Group mt="auto">
            <ButtonLink to="/handler/account-settings" variant="default" size="xs">
              Open settings
            </ButtonLink>
          </Group>
        </Section>
      </SimpleGrid>
    </AppFrame>
  )
}

/** An anonymous user cannot return to the account after signing out. */
function GuestHome(): ReactNode {
  return (
    <AppFrame>
      <PageHeading title="Welcome, guest" />
      <Alert color="brand" role="status">
        You are looking around without an account. After you sign out, you cannot come back to this one.
      </Alert>
      <Section
        title="Keep what you do here"
        description="With an account of your own you can sign in from every device."
        action={
          <ButtonLink to="/handler/sign-up" size="sm">
            Create an account
          </ButtonLink>
        }
      >
        <Text size="sm">Notes that you write as a guest stay with the guest.</Text>
      </Section>
    </AppFrame>
  )
}
