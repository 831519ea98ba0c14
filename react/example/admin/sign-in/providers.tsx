import { Box, Button, Group, NativeSelect, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { providerOf } from '../../sign-in/providers'
import { ConfirmButton } from '../../ui/confirm-button'
import { Dialog } from '../../ui/dialog'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { useProject } from '../project/project-context'
import { ProviderForm } from './provider-form'
import type { ProviderConfig } from './provider-form'

/** In the order of the list. */
const known = [
  'google',
  'github',
  'microsoft',
  'apple',
  'facebook',
  'discord',
  'gitlab',
  'linkedin',
  'spotify',
  'bitbucket',
  'x',
]

/** The providers that users can sign in with. */
export function Providers({ providers }: { readonly providers: readonly ProviderConfig[] }): ReactNode {
  const { app } = useProject()
  const [chosen, setChosen] = useState('')
  const others = known.filter(id => !providers.some(each => each.id === id))
  const next = others.find(id => id === chosen) ?? others[0]
  const add = useAction((id: string) =>
    app.updateProject({ config: { oauthProviders: [...providers, { id, type: 'shared' }] } }),
  )
  return (
    <Section
      title="Providers"
      description="Shared keys are the platform's own, for trying out. In production, use keys that you have made at the provider."
    >
      {providers.length === 0 ? (
        <Text size="sm" c="dimmed">
          Users cannot sign in with a provider yet.
        </Text>
      ) : (
        <Rows label="Providers">
          {providers.map(provider => (
            <ProviderRow key={provider.id} provider={provider} providers={providers} />
          ))}
        </Rows>
      )}
      {next !== undefined && (
        <Group gap="sm" align="flex-end">
          <NativeSelect
            label="Another provider"
            size="md"
            flex="1 1 12rem"
            maw={400}
            value={next}
            data={others.map(id => ({ value: id, label: providerOf(id).name }))}
            onChange={event => setChosen(event.currentTarget.value)}
          />
          <Button
            size="md"
            variant="default"
            loading={add.status === 'running'}
            onClick={() => void add.run(next).catch(() => undefined)}
          >
            Add provider
          </Button>
        </Group>
      )}
      <Problem of={add} />
    </Section>
  )
}

interface RowProps {
  readonly provider: ProviderConfig
  readonly providers: readonly ProviderConfig[]
}

function ProviderRow({ provider, providers }: RowProps): ReactNode {
  const { app } = useProject()
  const [isOpen, { open, close }] = useDisclosure()
  const { name, mark } = providerOf(provider.id)
  const save = (changed: ProviderConfig) =>
    app.updateProject({
      config: { oauthProviders: providers.map(each => (each.id === changed.id ? changed : each)) },
    })
  return (
    <Row>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap">
          {mark}
          <Box>
            <Text size="sm" fw={500}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {provider.type === 'shared' ? 'Shared keys' : 'Own keys'}
            </Text>
          </Box>
        </Group>
        <Group gap="xs">
          <Button size="xs" variant="default" aria-label={`Configure ${name}`} onClick={open}>
            Configure
          </Button>
          <ConfirmButton
            size="xs"
            aria-label={`Remove ${name}`}
            question={`Remove ${name}?`}
            consequence={`Users can no longer sign in with ${name}, and its keys are forgotten here.`}
            answer="Remove provider"
            run={() =>
              app.updateProject({ config: { oauthProviders: providers.filter(({ id }) => id !== provider.id) } })
            }
          >
            Remove
          </ConfirmButton>
        </Group>
      </Group>
      <Dialog isOpen={isOpen} onClose={close} title={`Configure ${name}`}>
        <ProviderForm provider={provider} save={save} onClose={close} />
      </Dialog>
    </Row>
  )
}
