import { Badge, Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { placeOf } from '../../settings/sessions/sessions'
import { ConfirmButton } from '../../ui/confirm-button'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'

const instant = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

interface Props {
  readonly userId: string
  readonly name: string
}

/** Where a user is signed in, and where the project's team is as this user; each session can be ended. */
export function UserSessions({ userId, name }: Props): ReactNode {
  const { app } = useProject()
  return (
    <Section
      title="Sessions"
      description="Where the user is signed in. Impersonations are sessions of your team as this user."
    >
      <StoreList store={app.allSessionsOf$({ userId })} label="Sessions" empty="The user is signed in nowhere.">
        {sessions => (
          <Rows label="Sessions">
            {sessions.map(({ id, createdAt, isImpersonation, lastUsedAtEndUserIpInfo }) => (
              <Row key={id}>
                <Group justify="space-between" gap="sm">
                  <Box miw={0}>
                    <Group gap="xs">
                      <Text size="sm" fw={500}>
                        {placeOf(lastUsedAtEndUserIpInfo)}
                      </Text>
                      {isImpersonation && (
                        <Badge color="orange" variant="filled" className="status-badge">
                          Impersonation
                        </Badge>
                      )}
                    </Group>
                    <Text size="xs" c="dimmed">
                      {isImpersonation ? 'Begun by your team' : 'Signed in'}{' '}
                      <time dateTime={createdAt.toISOString()}>{instant.format(createdAt)}</time>
                    </Text>
                  </Box>
                  <ConfirmButton
                    size="xs"
                    aria-label={
                      isImpersonation
                        ? `End the impersonation since ${instant.format(createdAt)}`
                        : `Revoke the session since ${instant.format(createdAt)}`
                    }
                    question={isImpersonation ? 'End this impersonation?' : 'Revoke this session?'}
                    consequence={
                      <span className="breakable">
                        {isImpersonation
                          ? `Whoever of your team uses the product as ${name} since ${instant.format(createdAt)} will be signed out there.`
                          : `The browser or device of ${name} that signed in on ${instant.format(createdAt)} has to sign in again.`}
                      </span>
                    }
                    answer={isImpersonation ? 'End impersonation' : 'Revoke session'}
                    run={() => app.revokeSessionById({ userId, sessionId: id })}
                  >
                    {isImpersonation ? 'End' : 'Revoke'}
                  </ConfirmButton>
                </Group>
              </Row>
            ))}
          </Rows>
        )}
      </StoreList>
    </Section>
  )
}
