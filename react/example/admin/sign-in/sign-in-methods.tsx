import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction } from 'rxauth/react'
import { providerOf } from '../../sign-in/providers'
import { ConfirmButton, DialogButton } from '../../ui/dialog'
import { Choices, PasswordField, TextField } from '../../ui/field'
import { Form, useForm } from '../../ui/form'
import { ListOf, Row } from '../../ui/rows'
import { PageHeading, Section } from '../../ui/section'
import { AddOne } from '../add-one'
import { useProject } from '../project/project-context'
import { SettingSelect, SettingSwitch } from '../settings/setting-field'

/** The sign-in methods of the project; the product's sign-in page uses them too. */
export function SignInMethods(): ReactNode {
  return (
    <>
      <PageHeading title="Sign-in methods" />
      <Section title="Methods">
        <SettingSwitch setting="credentialEnabled" label="E-mail address and password" />
        <SettingSwitch
          setting="magicLinkEnabled"
          label="Links and codes by e-mail"
          hint="Users sign in with an e-mail instead of a password."
        />
        <SettingSwitch setting="passkeyEnabled" label="Passkeys" />
      </Section>
      <Section title="New accounts">
        <SettingSwitch
          setting="signUpEnabled"
          label="Allow new users to sign up"
          hint="When this is off, only existing users, and users that you create here, can sign in."
        />
      </Section>
      <Providers />
      <Section title="Accounts with the same address">
        <SettingSelect
          setting="oauthAccountMergeStrategy"
          label="When a user with this address exists already"
          options={[
            { value: 'link_method', label: 'Sign in to the existing account' },
            { value: 'raise_error', label: 'Refuse, and ask for the usual sign-in method' },
            { value: 'allow_duplicates', label: 'Create another account' },
          ]}
        />
      </Section>
    </>
  )
}

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
function Providers(): ReactNode {
  const { app, project } = useProject()
  const providers = project.config.oauthProviders
  const save = (oauthProviders: ProviderConfig[]) => app.updateProject({ config: { oauthProviders } })
  const others = known.filter(id => !providers.some(each => each.id === id))
  return (
    <Section
      title="Providers"
      description="Shared keys belong to the platform and are for testing. In production, use your own keys from the provider."
    >
      <ListOf label="Providers" items={providers} empty="Users cannot sign in with a provider yet.">
        {provider => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            save={changed => save(providers.map(each => (each === provider ? changed : each)))}
            remove={() => save(providers.filter(each => each !== provider))}
          />
        )}
      </ListOf>
      <AddOne
        label="Another provider"
        options={others.map(id => ({ value: id, label: providerOf(id).name }))}
        button="Add provider"
        add={id => save([...providers, { id, type: 'shared' }])}
      />
    </Section>
  )
}

interface SignInProviderProps {
  readonly provider: ProviderConfig
  readonly save: (changed: ProviderConfig) => Promise<unknown>
  readonly remove: () => Promise<unknown>
}

function ProviderRow({ provider, save, remove }: SignInProviderProps): ReactNode {
  const { name, mark } = providerOf(provider.id)
  return (
    <Row
      icon={mark}
      title={name}
      detail={provider.type === 'shared' ? 'Shared keys' : 'Own keys'}
      action={
        <div className="auth-row snug actions">
          <DialogButton
            kind="plain"
            isSmall
            label="Configure"
            aria-label={`Configure ${name}`}
            title={`Configure ${name}`}
          >
            {close => <ProviderForm provider={provider} save={save} onClose={close} />}
          </DialogButton>
          <ConfirmButton
            isSmall
            label="Remove"
            aria-label={`Remove ${name}`}
            question={`Remove ${name}?`}
            consequence={`Users can no longer sign in with ${name}, and its keys are deleted here.`}
            answer="Remove provider"
            run={remove}
          />
        </div>
      }
    />
  )
}

/** A sign-in provider of the project. */
type ProviderConfig = OwnedProject['config']['oauthProviders'][number]

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
function ProviderForm({ provider, save, onClose }: Props): ReactNode {
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
