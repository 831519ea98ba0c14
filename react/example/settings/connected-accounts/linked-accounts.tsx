import { Box, Button, Group, Stack, Switch, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { deleteOAuthProvider, updateOAuthProvider } from 'rxauth'
import type { OAuthProvider } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { providerOf } from '../../sign-in/providers'
import { ConfirmButton } from '../../ui/confirm-button'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'

interface Props {
  /** The providers that users can sign in with. */
  readonly ids: readonly string[]
  readonly links: readonly OAuthProvider[]
}

/** The providers with the user's accounts there, several of one provider too; for releases that list links. */
export function LinkedAccounts({ ids, links }: Props): ReactNode {
  const all = [...new Set([...ids, ...links.map(({ providerConfigId }) => providerConfigId)])]
  return (
    <Rows label="Connected accounts">
      {all.map(id => (
        <ProviderRow
          key={id}
          id={id}
          isEnabled={ids.includes(id)}
          links={links.filter(({ providerConfigId }) => providerConfigId === id)}
        />
      ))}
    </Rows>
  )
}

interface RowProps {
  readonly id: string
  readonly isEnabled: boolean
  readonly links: readonly OAuthProvider[]
}

function ProviderRow({ id, isEnabled, links }: RowProps): ReactNode {
  const app = useApp()
  const connect = useAction(() => app.connectAccount({ provider: id }))
  const { name, mark } = providerOf(id)
  return (
    <Row>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            {mark}
            <Text size="sm" fw={500} className="breakable">
              {name}
            </Text>
          </Group>
          {isEnabled && (
            <Button
              variant="default"
              size="xs"
              flex="none"
              aria-label={links.length === 0 ? `Connect ${name}` : `Connect another account of ${name}`}
              loading={connect.status === 'running'}
              onClick={() => void connect.run().catch(() => undefined)}
            >
              {links.length === 0 ? 'Connect' : 'Connect another'}
            </Button>
          )}
        </Group>
        <Problem of={connect} />
        {links.map(link => (
          <LinkedAccount key={link.id} link={link} provider={name} />
        ))}
      </Stack>
    </Row>
  )
}

interface AccountProps {
  readonly link: OAuthProvider
  readonly provider: string
}

/** One account: what it is for, and its end. */
function LinkedAccount({ link, provider }: AccountProps): ReactNode {
  const app = useApp()
  const { id: oauthProviderId, email, allowSignIn, allowConnectedAccounts } = link
  const change = useAction((flags: Partial<Pick<OAuthProvider, 'allowSignIn' | 'allowConnectedAccounts'>>) =>
    updateOAuthProvider(app, { oauthProviderId, ...flags }),
  )
  const isBusy = change.status === 'running'
  const account = email ?? `Account of ${provider}`
  return (
    <Box pl={30} role="group" aria-label={account}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" className="breakable">
          {account}
        </Text>
        <ConfirmButton
          size="xs"
          aria-label={`Disconnect ${account}`}
          question={`Disconnect ${account}?`}
          consequence={`You can no longer sign in with this account of ${provider}, and this app can no longer use it. Make sure that you have another way to sign in.`}
          answer="Disconnect"
          run={() => deleteOAuthProvider(app, { oauthProviderId })}
        >
          Disconnect
        </ConfirmButton>
      </Group>
      <Stack gap={6} mt={6}>
        <Switch
          label="I sign in with it"
          checked={allowSignIn}
          disabled={isBusy}
          onChange={event => void change.run({ allowSignIn: event.currentTarget.checked }).catch(() => undefined)}
        />
        <Switch
          label="This app may use it"
          checked={allowConnectedAccounts}
          disabled={isBusy}
          onChange={event =>
            void change.run({ allowConnectedAccounts: event.currentTarget.checked }).catch(() => undefined)
          }
        />
        <Problem of={change} />
      </Stack>
    </Box>
  )
}
