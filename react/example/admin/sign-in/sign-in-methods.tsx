import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { knownProviders, providerOf } from '../../sign-in/providers'
import { ConfirmButton } from '../../ui/dialog'
import { required } from '../../ui/form'
import { ListOf, Row } from '../../ui/rows'
import { PageHeading, Section } from '../../ui/section'
import { FormButton } from '../../ui/settings-form'
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

/** The providers that users can sign in with. */
function Providers(): ReactNode {
  const { app, project } = useProject()
  const providers = project.config.oauthProviders
  const save = (oauthProviders: ProviderConfig[]) => app.updateProject({ config: { oauthProviders } })
  const others = knownProviders.filter(id => !providers.some(each => each.id === id))
  return (
    <Section
      title="Providers"
      description="Shared keys belong to the platform and are for testing. In production, use your own keys from the provider."
    >
      <ListOf label="Providers" items={providers} empty="Users cannot sign in with a provider yet.">
        {provider => {
          const { id, type } = provider
          const { name, mark } = providerOf(id)
          return (
            <Row
              key={id}
              icon={mark}
              title={name}
              detail={type === 'shared' ? 'Shared keys' : 'Own keys'}
              action={
                <div className="auth-row snug actions">
                  <ProviderButton
                    provider={provider}
                    name={name}
                    save={changed => save(providers.map(each => (each === provider ? changed : each)))}
                  />
                  <ConfirmButton
                    label="Remove"
                    aria-label={`Remove ${name}`}
                    question={`Remove ${name}?`}
                    consequence={`Users can no longer sign in with ${name}, and its keys are deleted here.`}
                    answer="Remove provider"
                    run={() => save(providers.filter(each => each !== provider))}
                  />
                </div>
              }
            />
          )
        }}
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

/** A sign-in provider of the project. */
type ProviderConfig = OwnedProject['config']['oauthProviders'][number]

interface Props {
  readonly provider: ProviderConfig
  readonly name: string
  readonly save: (provider: ProviderConfig) => Promise<unknown>
}

/** The keys of a provider: shared ones, or the project's own. */
function ProviderButton({ provider, name, save }: Props): ReactNode {
  const { id, type, clientId, clientSecret, microsoftTenantId, facebookConfigId } = provider
  const isOwn = (keys: Pick<ProviderConfig, 'type'>) => keys.type === 'standard'
  return (
    <FormButton
      label="Configure"
      title={`Configure ${name}`}
      button={{ kind: 'plain', isSmall: true, 'aria-label': `Configure ${name}` }}
      formLabel="Configure the provider"
      submit="Save provider"
      initial={{
        type,
        clientId: clientId ?? '',
        clientSecret: clientSecret ?? '',
        microsoftTenantId: microsoftTenantId ?? '',
        facebookConfigId: facebookConfigId ?? '',
      }}
      settings={[
        {
          name: 'type',
          label: 'Keys',
          kind: 'radio',
          options: [
            { value: 'shared', label: 'Shared keys of the platform, for testing' },
            { value: 'standard', label: 'Own keys, from the provider' },
          ],
        },
        { name: 'clientId', label: 'Client id', isShown: isOwn, validate: required('Enter the client id.') },
        {
          name: 'clientSecret',
          label: 'Client secret',
          type: 'password',
          autoComplete: 'off',
          isShown: isOwn,
          validate: required('Enter the client secret.'),
        },
        {
          name: 'microsoftTenantId',
          label: 'Tenant id (optional)',
          isShown: keys => isOwn(keys) && id === 'microsoft',
        },
        {
          name: 'facebookConfigId',
          label: 'Configuration id (optional)',
          isShown: keys => isOwn(keys) && id === 'facebook',
        },
      ]}
      save={async ({ type: chosen, clientId, clientSecret, ...optional }) => {
        const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== ''))
        const own = { clientId, clientSecret: clientSecret.trim(), ...given }
        await save({ id, type: chosen, ...(chosen === 'standard' && own) })
      }}
    />
  )
}
