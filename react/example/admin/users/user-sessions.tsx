import { Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Session } from 'rxauth'
import { placeOf } from '../../settings/sessions/sessions'
import { ConfirmButton } from '../../ui/confirm-button'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'

const instant = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

interface Props {
  readonly userId: string
  readonly name: string
}

/** The user's sessions, with those of impersonation; each can be ended. */
export function UserSessions({ userId, name }: Props): ReactNode {
  const { app } = useProject()
  return (
    <Section
      title="Sessions"
      description="Where the user is signed in. An impersonation is a session in which your team acts as this user."
    >
      <StoreList store={app.allSessionsOf$({ userId })} label="Sessions" empty="The user has no sessions.">
        {sessions => (
          <Rows label="Sessions">
            {sessions.map(session => (
              <SessionRow key={session.id} session={session} name={name} />
            ))}
          </Rows>
        )}
      </StoreList>
    </Section>
  )
}

function SessionRow({ session, name }: { readonly session: Session; readonly name: string }): ReactNode {
  const { app } = useProject()
  const { id, userId, createdAt, isImpersonation, lastUsedAtEndUserIpInfo } = session
  const since = instant.format(createdAt)
  const place = placeOf(lastUsedAtEndUserIpInfo)
  const begun = (
    <>
      {isImpersonation ? 'Begun by your team' : 'Signed in'} <time dateTime={createdAt.toISOString()}>{since}</time>
    </>
  )
  return (
    <Row>
      <Group justify="space-between" gap="sm">
        <Box miw={0}>
          <Group gap="xs">
            <Text size="sm" fw={500} className="breakable">
              {place ?? begun}
            </Text>
            {isImpersonation && <StatusBadge color="orange">Impersonation</StatusBadge>}
          </Group>
          {place !== null && (
            <Text size="xs" c="dimmed">
              {begun}
            </Text>
          )}
        </Box>
        <ConfirmButton
          size="xs"
          aria-label={isImpersonation ? `End the impersonation since ${since}` : `Revoke the session since ${since}`}
          question={isImpersonation ? 'End this impersonation?' : 'Revoke this session?'}
          consequence={
            <span className="breakable">
              {isImpersonation
                ? `The member of your team who uses the product as ${name} since ${since} will be signed out there.`
                : `The browser or device of ${name} that signed in on ${since} has to sign in again.`}
            </span>
          }
          answer={isImpersonation ? 'End impersonation' : 'Revoke session'}
          run={() => app.revokeSessionById({ userId, sessionId: id })}
        >
          {isImpersonation ? 'End' : 'Revoke'}
        </ConfirmButton>
      </Group>
    </Row>
  )
}
