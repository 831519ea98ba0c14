import { Box, Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import type { ApiKey } from '../../api-keys/key-actions'
import { ConfirmButton } from '../../ui/confirm-button'
import { Day } from '../../ui/day'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'

interface Props {
  /** The project setting that allows keys of this kind. */
  readonly setting: 'allowUserApiKeys' | 'allowTeamApiKeys'
  /** The text if the setting is off. */
  readonly switchedOff: string
  readonly empty: string
  readonly store: Store<readonly ApiKey[]>
  readonly revoke: (apiKeyId: string) => Promise<unknown>
}

/** The API keys of a user or a team; each can be revoked. */
export function OwnedKeys({ setting, switchedOff, empty, store, revoke }: Props): ReactNode {
  const { app } = useProject()
  const project = useStore(app.adminProject$)
  if (project.status === 'ready' && !project.value.config[setting])
    return <Section title="API keys" description={switchedOff} />
  return (
    <Section title="API keys">
      <StoreList store={store} label="API keys" empty={empty}>
        {keys => (
          <Rows label="API keys">
            {keys.map(key => (
              <OwnedKey key={key.id} apiKey={key} revoke={() => revoke(key.id)} />
            ))}
          </Rows>
        )}
      </StoreList>
    </Section>
  )
}

interface OneProps {
  readonly apiKey: ApiKey
  readonly revoke: () => Promise<unknown>
}

function OwnedKey({ apiKey, revoke }: OneProps): ReactNode {
  const { description, value, createdAt, manuallyRevokedAt } = apiKey
  return (
    <Row>
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
            run={revoke}
          >
            Revoke
          </ConfirmButton>
        )}
      </Group>
    </Row>
  )
}
