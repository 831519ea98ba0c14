import { Box, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAction, useApp, useUser } from 'rxauth/react'
import { providerOf } from '../../sign-in/providers'
import { useMethods } from '../../sign-in/methods'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'

/** Accounts at providers that sign in here, too. */
export function ConnectedAccounts(): ReactNode {
  const user = useUser({ or: 'redirect' })
  const project = useMethods()
  const ids = project.status === 'ready' ? project.value.config.enabledOauthProviders.map(({ id }) => id) : []
  return (
    <Section title="Accounts at other services" description="Sign in with one of them instead of a password.">
      {project.status === 'ready' && ids.length === 0 && (
        <Text size="sm" c="dimmed">
          There is no service to connect here.
        </Text>
      )}
      <Rows>
        {ids.map(id => {
          const connection = user.oauthProviders.find(provider => provider.id === id)
          return (
            <ProviderRow key={id} id={id} isConnected={connection !== undefined} email={connection?.email ?? null} />
          )
        })}
      </Rows>
    </Section>
  )
}

interface RowProps {
  readonly id: string
  readonly isConnected: boolean
  readonly email: string | null
}

function ProviderRow({ id, isConnected, email }: RowProps): ReactNode {
  const app = useApp()
  const connect = useAction(() => app.connectAccount({ provider: id }))
  const { name, mark } = providerOf(id)
  return (
    <Row>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" miw={0}>
          {mark}
          <Box miw={0}>
            <Text size="sm" fw={500}>
              {name}
            </Text>
            {email !== null && (
              <Text size="xs" c="dimmed" className="breakable">
                {email}
              </Text>
            )}
          </Box>
        </Group>
        {isConnected ? (
          <StatusBadge>Connected</StatusBadge>
        ) : (
          <Button
            variant="default"
            size="xs"
            aria-label={`Connect ${name}`}
            loading={connect.status === 'running'}
            onClick={() => void connect.run().catch(() => undefined)}
          >
            Connect
          </Button>
        )}
      </Group>
      <Problem of={connect} />
    </Row>
  )
}
