import type { ReactNode } from 'react'
import { deleteOAuthProvider, oauthProviders$, updateOAuthProvider, type OAuthProvider } from 'rxauth'
import { useAction, useApp, useStore, useUser } from 'rxauth/react'
import { providerOf } from '../../sign-in/providers'
import { Problem } from '../../ui/alert'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/dialog'
import { ActionSwitch } from '../../ui/field'
import { Row, Rows } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
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

/** The accounts as the platform lists them: links of their own, or one account per provider on release 2.8.18. */
function Providers({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const app = useApp()
  const { title } = useWords().account.connected
  const user = useUser({ or: 'redirect' })
  // A release that lists links says it. An older one would refuse the request.
  const hasLinks = user.isRestricted !== undefined
  // Known with the user. The frame shows when the user's data is out of date.
  const accounts = useStore(hasLinks ? null : app.connectedAccounts$)
  const rows = (links: readonly OAuthProvider[]) => (
    <Rows label={title}>
      {[...new Set([...ids, ...links.map(({ providerConfigId }) => providerConfigId)])].map(id => (
        <ProviderRow
          key={id}
          id={id}
          isEnabled={ids.includes(id)}
          links={links.filter(({ providerConfigId }) => providerConfigId === id)}
          account={accounts.status === 'ready' ? accounts.value.find(({ provider }) => provider === id) : undefined}
        />
      ))}
    </Rows>
  )
  if (!hasLinks) return rows([])
  return (
    <WithStore store={oauthProviders$(app)} label={title}>
      {rows}
    </WithStore>
  )
}

interface ProviderRowProps {
  readonly id: string
  /** Users can sign in with the provider. */
  readonly isEnabled: boolean
  /** The user's accounts there, several of one provider too. */
  readonly links: readonly OAuthProvider[]
  /** The one account, of a release without links. */
  readonly account: { readonly email?: string | null } | undefined
}

/** A provider, and the user's accounts there. */
function ProviderRow({ id, isEnabled, links, account }: ProviderRowProps): ReactNode {
  const app = useApp()
  const words = useWords().account.connected
  const connect = useAction(() => app.connectAccount({ provider: id }))
  const { name, mark } = providerOf(id)
  const isFirst = links.length === 0
  const button = (
    <Button
      label={isFirst ? words.connect : words.another}
      kind="plain"
      isSmall
      aria-label={isFirst ? words.connectTo(name) : words.anotherOf(name)}
      does={connect}
    />
  )
  return (
    <Row
      icon={mark}
      title={name}
      detail={account?.email}
      action={account ? <StatusBadge>{words.connected}</StatusBadge> : isEnabled && button}
    >
      <Problem of={connect} />
      {links.map(({ id: oauthProviderId, email, allowSignIn, allowConnectedAccounts }) => {
        const of = email ?? words.accountOf(name)
        return (
          <div key={oauthProviderId} className="indented" role="group" aria-label={of}>
            <div className="auth-row between">
              <p className="breakable">{of}</p>
              <ConfirmButton
                label={words.disconnect}
                aria-label={words.disconnectThis(of)}
                question={words.disconnectQuestion(of)}
                consequence={words.disconnectText(name)}
                answer={words.disconnect}
                run={() => deleteOAuthProvider(app, { oauthProviderId })}
              />
            </div>
            <div className="auth-stack tight">
              <ActionSwitch
                label={words.forSignIn}
                waits
                isOn={allowSignIn}
                turn={isOn => updateOAuthProvider(app, { oauthProviderId, allowSignIn: isOn })}
              />
              <ActionSwitch
                label={words.forApp}
                waits
                isOn={allowConnectedAccounts}
                turn={isOn => updateOAuthProvider(app, { oauthProviderId, allowConnectedAccounts: isOn })}
              />
            </div>
          </div>
        )
      })}
    </Row>
  )
}
