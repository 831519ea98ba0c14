import { Box, Group, Text } from '@mantine/core'
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

/** Where a user is signed in; each session can be ended. */
export function UserSessions({ userId, name }: Props): ReactNode {
  const { app } = useProject()
  return (
    <Section title="Sessions" description="Where the user is signed in.">
      <StoreList store={app.sessionsOf$({ userId })} label="Sessions" empty="The user is signed in nowhere.">
        {sessions => (
          <Rows label="Sessions">
            {sessions.map(({ id, createdAt, lastUsedAtEndUserIpInfo }) => (
              <Row key={id}>
                <Group justify="space-between" gap="sm">
                  <Box miw={0}>
                    <Text size="sm" fw={500}>
                      {placeOf(lastUsedAtEndUserIpInfo)}
                    </Text>
                    <Text size="xs" c="dimmed">
                      Signed in <time dateTime={createdAt.toISOString()}>{instant.format(createdAt)}</time>
                    </Text>
                  </Box>
                  <ConfirmButton
                    size="xs"
                    aria-label={`Revoke the session since ${instant.format(createdAt)}`}
                    question="Revoke this session?"
                    consequence={
                      <span className="breakable">
                        {`The browser or device of ${name} that signed in on ${instant.format(createdAt)} has to sign in again.`}
                      </span>
                    }
                    answer="Revoke session"
                    run={() => app.revokeSessionById({ userId, sessionId: id })}
                  >
                    Revoke
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
