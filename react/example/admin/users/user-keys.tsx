import { Box, Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStore } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { Day } from '../../ui/day'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'

/** The API keys that a user has made; each can be revoked. */
export function UserKeys({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const project = useStore(app.adminProject$)
  if (project.status === 'ready' && !project.value.config.allowUserApiKeys)
    return <Section title="API keys" description="The project does not let its users have API keys." />
  return (
    <Section title="API keys">
      <StoreList store={app.userApiKeysOf$({ userId })} label="API keys" empty="The user has no API keys.">
        {keys => (
          <Rows label="API keys">
            {keys.map(({ id, description, value, createdAt, manuallyRevokedAt }) => (
              <Row key={id}>
                <Group justify="space-between" gap="sm">
                  <Box miw={0}>
                    <Text size="sm" fw={500} className="breakable">
                      {description} <Code>…{value.lastFour}</Code>
                    </Text>
                    <Text size="xs" c="dimmed">
                      Created on <Day at={createdAt} />
                    </Text>
                  </Box>
                  {manuallyRevokedAt ? (
                    <Text size="sm" c="dimmed">
                      Revoked
                    </Text>
                  ) : (
                    <ConfirmButton
                      size="xs"
                      aria-label={`Revoke ${description}`}
                      question="Revoke this key?"
                      consequence={
                        <span className="breakable">
                          {`Programs that use “${description}” (…${value.lastFour}) will be refused from now on. This cannot be undone.`}
                        </span>
                      }
                      answer="Revoke key"
                      run={() => app.revokeUserApiKeyById({ apiKeyId: id })}
                    >
                      Revoke
                    </ConfirmButton>
                  )}
                </Group>
              </Row>
            ))}
          </Rows>
        )}
      </StoreList>
    </Section>
  )
}
