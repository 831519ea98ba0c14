import type { ReactNode } from 'react'
import { oauthProviders$ } from 'rxauth'
import { useApp, useUser, useValue } from 'rxauth/react'
import { Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { ProviderRow } from './provider-row'
import { useWords } from '../../words/use-words'

/** Provider accounts that the user can sign in with. */
export function ConnectedAccounts(): ReactNode {
  const { project$ } = useApp()
  const words = useWords().account.connected
  return (
    <Section title={words.section} description={words.text}>
      <WithStore store={project$} label={words.title}>
        {({ config }) =>
          config.enabledOauthProviders.length === 0 ? (
            <p className="dim">{words.none}</p>
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
  const { title } = useWords().account.connected
  const user = useUser({ or: 'redirect' })
  // A release that lists links says it. An older one would refuse the request.
  if (user.isRestricted === undefined) return <OneOfEach ids={ids} />
  return (
    <WithStore store={oauthProviders$(app)} label={title}>
      {links => (
        <Rows label={title}>
          {[...new Set([...ids, ...links.map(({ providerConfigId }) => providerConfigId)])].map(id => (
            <ProviderRow
              key={id}
              id={id}
              isEnabled={ids.includes(id)}
              links={links.filter(({ providerConfigId }) => providerConfigId === id)}
            />
          ))}
        </Rows>
      )}
    </WithStore>
  )
}

/** A row per provider, shown once the user is known. The frame shows when the user's data is out of date. */
function OneOfEach({ ids }: Props): ReactNode {
  const { title } = useWords().account.connected
  const accounts = useValue(useApp().connectedAccounts$)
  return (
    <Rows label={title}>
      {ids.map(id => (
        <ProviderRow key={id} id={id} isEnabled account={accounts.find(({ provider }) => provider === id)} />
      ))}
    </Rows>
  )
}
