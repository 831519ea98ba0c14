import type { ReactNode } from 'react'
import { providerOf } from '../../sign-in/providers'
import { ConfirmButton } from '../../ui/confirm-button'
import { ListOf, Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { AddOne } from '../add-one'
import { DialogButton } from '../../ui/dialog-button'
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
export function Providers(): ReactNode {
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

interface ProviderRowProps {
  readonly provider: ProviderConfig
  readonly save: (changed: ProviderConfig) => Promise<unknown>
  readonly remove: () => Promise<unknown>
}

function ProviderRow({ provider, save, remove }: ProviderRowProps): ReactNode {
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
            aria-label={`Remove ${name}`}
            question={`Remove ${name}?`}
            consequence={`Users can no longer sign in with ${name}, and its keys are deleted here.`}
            answer="Remove provider"
            run={remove}
          >
            Remove
          </ConfirmButton>
        </div>
      }
    />
  )
}
