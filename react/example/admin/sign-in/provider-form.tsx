import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction } from 'rxauth/react'
import { Choices } from '../../ui/choice'
import { PasswordField, TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { useForm } from '../../ui/use-form'

/** A sign-in provider of the project. */
export type ProviderConfig = OwnedProject['config']['oauthProviders'][number]

interface Props {
  readonly provider: ProviderConfig
  readonly save: (provider: ProviderConfig) => Promise<unknown>
  readonly onClose: () => void
}

/** Own keys have both parts. */
const requiredOfOwn =
  (problem: string) =>
  (value: string, { type }: Pick<ProviderConfig, 'type'>) =>
    type === 'standard' && value.trim() === '' ? problem : null

/** The keys of a provider: shared ones, or the project's own. */
export function ProviderForm({ provider, save, onClose }: Props): ReactNode {
  const { id } = provider
  const form = useForm({
    initial: {
      type: provider.type,
      clientId: provider.clientId ?? '',
      clientSecret: provider.clientSecret ?? '',
      tenantId: provider.microsoftTenantId ?? '',
      configId: provider.facebookConfigId ?? '',
    },
    validate: {
      clientId: requiredOfOwn('Enter the client id.'),
      clientSecret: requiredOfOwn('Enter the client secret.'),
    },
  })
  const action = useAction(async ({ type, clientId, clientSecret, tenantId, configId }: typeof form.values) => {
    const own = {
      clientId: clientId.trim(),
      clientSecret: clientSecret.trim(),
      ...(id === 'microsoft' && tenantId.trim() !== '' && { microsoftTenantId: tenantId.trim() }),
      ...(id === 'facebook' && configId.trim() !== '' && { facebookConfigId: configId.trim() }),
    }
    await save({ id, type, ...(type === 'standard' && own) })
    onClose()
  })
  return (
    <Form label="Configure the provider" form={form} action={action} submit="Save provider" onCancel={onClose}>
      <Choices
        legend="Keys"
        kind="radio"
        options={[
          { value: 'shared', label: 'Shared keys of the platform, for testing' },
          { value: 'standard', label: 'Own keys, from the provider' },
        ]}
        chosen={[form.values.type]}
        onChange={([type]) => form.set({ type: type === 'shared' ? 'shared' : 'standard' })}
      />
      {form.values.type === 'standard' && (
        <>
          <TextField label="Client id" autoComplete="off" {...form.field('clientId')} />
          <PasswordField label="Client secret" autoComplete="off" {...form.field('clientSecret')} />
          {id === 'microsoft' && (
            <TextField label="Tenant id (optional)" autoComplete="off" {...form.field('tenantId')} />
          )}
          {id === 'facebook' && (
            <TextField label="Configuration id (optional)" autoComplete="off" {...form.field('configId')} />
          )}
        </>
      )}
    </Form>
  )
}
