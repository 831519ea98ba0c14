import type { OwnedProject } from 'rxauth'
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { PasswordField } from '../../ui/password-field'
import { Problem } from '../../ui/problem'

/** A sign-in provider of the project. */
export type ProviderConfig = OwnedProject['config']['oauthProviders'][number]

interface Props {
  readonly provider: ProviderConfig
  readonly save: (provider: ProviderConfig) => Promise<unknown>
  readonly onClose: () => void
}

/** The keys of a provider: shared ones, or the project's own. */
export function ProviderForm({ provider, save, onClose }: Props): ReactNode {
  const { id } = provider
  const form = useForm({
    initialValues: {
      type: provider.type,
      clientId: provider.clientId ?? '',
      clientSecret: provider.clientSecret ?? '',
      tenantId: provider.microsoftTenantId ?? '',
      configId: provider.facebookConfigId ?? '',
    },
    validate: {
      clientId: (value, { type }) => (type === 'standard' && value.trim() === '' ? 'Enter the client id.' : null),
      clientSecret: (value, { type }) =>
        type === 'standard' && value.trim() === '' ? 'Enter the client secret.' : null,
    },
  })
  const action = useAction(async ({ type, clientId, clientSecret, tenantId, configId }: typeof form.values) => {
    await save(
      type === 'shared'
        ? { id, type }
        : {
            id,
            type,
            clientId: clientId.trim(),
            clientSecret: clientSecret.trim(),
            ...(id === 'microsoft' && tenantId.trim() !== '' && { microsoftTenantId: tenantId.trim() }),
            ...(id === 'facebook' && configId.trim() !== '' && { facebookConfigId: configId.trim() }),
          },
    )
    onClose()
  })
  const isBusy = action.status === 'running'
  return (
    <form
      noValidate
      aria-label="Configure the provider"
      onSubmit={form.onSubmit(values => {
        if (!isBusy) void action.run(values).catch(() => undefined)
      }, focusFirstProblem(form))}
    >
      <Stack gap="md">
        <Radio.Group label="Keys" {...form.getInputProps('type')}>
          <Stack gap="xs" mt={4}>
            <Radio value="shared" label="Shared: the platform's own, for trying out" />
            <Radio value="standard" label="Own: made at the provider" />
          </Stack>
        </Radio.Group>
        {form.values.type === 'standard' && (
          <>
            <TextInput label="Client id" autoComplete="off" {...form.getInputProps('clientId')} />
            <PasswordField label="Client secret" autoComplete="off" {...form.getInputProps('clientSecret')} />
            {id === 'microsoft' && (
              <TextInput label="Tenant id (optional)" autoComplete="off" {...form.getInputProps('tenantId')} />
            )}
            {id === 'facebook' && (
              <TextInput label="Configuration id (optional)" autoComplete="off" {...form.getInputProps('configId')} />
            )}
          </>
        )}
        <Problem of={action} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Save provider
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
