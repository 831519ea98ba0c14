import { Box, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { oauthProviders$ } from 'rxauth'
import { useAction, useApp, useUser, useValue } from 'rxauth/react'
import { providerOf } from '../../sign-in/providers'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { WithStore } from '../../ui/with-store'
import { LinkedAccounts } from './linked-accounts'

/** Provider accounts that the user can sign in with. */
export function ConnectedAccounts(): ReactNode {
  const { project$ } = useApp()
  return (
    <Section title="Accounts at other services" description="Sign in with one of them instead of a password.">
      <WithStore store={project$} label="Connected accounts">
        {({ config }) =>
          config.enabledOauthProviders.length === 0 ? (
            <Text size="sm" c="dimmed">
              There is no service to connect here.
            </Text>
          ) : (
            <Providers ids={config.enabledOauthProviders.map(({ id }) => id)} />
          )
        }
      </WithStore>
    </Section>
  )
}

interface Props {
  readonly ids: readonly string[]
}

/** The accounts as the platform lists them: links of their own, or one account per provider on release 2.8.18. */
function Providers({ ids }: Props): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  // A release that lists links says it. An older one would refuse the request.
  if (user.isRestricted === undefined) return <OneOfEach ids={ids} />
  return (
    <WithStore store={oauthProviders$(app)} label="Connected accounts">
      {all => <LinkedAccounts ids={ids} links={all} />}
    </WithStore>
  )
}

/** A row per provider, shown once the user is known. The frame shows when the user's data is out of date. */
function OneOfEach({ ids }: Props): ReactNode {
  const accounts = useValue(useApp().connectedAccounts$)
  return (
    <Rows label="Connected accounts">
      {ids.map(id => {
        const account = accounts.find(({ provider }) => provider === id)
        return <ProviderRow key={id} id={id} isConnected={account !== undefined} email={account?.email ?? null} />
      })}
    </Rows>
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
