import { ComputerDesktopIcon } from '@heroicons/react/24/outline'
import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { GeoInfo, Session } from 'rxauth'
import { useApp } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'

const instant = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The user's sessions; each but the current one can be ended. */
export function Sessions(): ReactNode {
  const app = useApp()
  return (
    <Section
      title="Where you are signed in"
      description="Sign out the devices that you no longer use, and those that you do not know."
    >
      <StoreList store={app.sessions$} label="Sessions" empty="There are no sessions.">
        {sessions => (
          <Rows>
            {sessions.map(session => (
              <SessionRow key={session.id} session={session} />
            ))}
          </Rows>
        )}
      </StoreList>
      <Group gap="sm">
        <ConfirmButton
          size="xs"
          question="Sign out on every device?"
          consequence={`You have to sign in again on each of them, on this one too. ${accessLivesOn}`}
          answer="Sign out everywhere"
          run={() => app.signOut({ everywhere: true })}
        >
          Sign out everywhere
        </ConfirmButton>
        <Text size="xs" c="dimmed" flex="1 1 14rem">
          Ends every session, this one too. {accessLivesOn}
        </Text>
      </Group>
    </Section>
  )
}

/** The limit of ending a session: access tokens stay valid until they expire. */
const accessLivesOn = 'A device that is open now may still read and change things for up to ten minutes.'

function SessionRow({ session }: { readonly session: Session }): ReactNode {
  const app = useApp()
  const since = instant.format(session.createdAt)
  const place = placeOf(session.lastUsedAtEndUserIpInfo)
  const signedIn = (
    <>
      Signed in <time dateTime={session.createdAt.toISOString()}>{since}</time>
    </>
  )
  return (
    <Group component="li" justify="space-between" py="sm" gap="sm">
      <Group gap="sm" wrap="nowrap" miw={0} flex="1 1 12rem">
        <ComputerDesktopIcon width={22} className="fixed" />
        <Stack gap={2} miw={0}>
          <Text size="sm" fw={500} className="breakable">
            {place ?? signedIn}
          </Text>
          <Text size="xs" c="dimmed">
            {place !== null && signedIn}
            {place !== null && session.lastUsedAt && ' · '}
            {session.lastUsedAt && (
              <>
                Last used <time dateTime={session.lastUsedAt.toISOString()}>{instant.format(session.lastUsedAt)}</time>
              </>
            )}
          </Text>
        </Stack>
      </Group>
      {session.isCurrentSession ? (
        <StatusBadge>This session</StatusBadge>
      ) : (
        <ConfirmButton
          size="xs"
          aria-label={`Sign out the session since ${since}`}
          question="Sign out this session?"
          consequence={`The browser or device that signed in on ${since} has to sign in again. ${accessLivesOn}`}
          answer="Sign out session"
          run={() => app.revokeSession({ sessionId: session.id })}
        >
          Sign out
        </ConfirmButton>
      )}
    </Group>
  )
}

/** The place of the last use, as far as the platform knows it; null without one. */
export function placeOf(place: GeoInfo | null | undefined): string | null {
  if (!place) return null
  const parts = [place.cityName, place.countryCode].filter(part => part != null && part !== '')
  return parts.length > 0 ? `${parts.join(', ')} (${place.ip})` : place.ip
}
