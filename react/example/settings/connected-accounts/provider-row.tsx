import type { ReactNode } from 'react'
import { deleteOAuthProvider, updateOAuthProvider } from 'rxauth'
import type { OAuthProvider } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { providerOf } from '../../sign-in/providers'
import { Button } from '../../ui/button'
import { Choice } from '../../ui/choice'
import { ConfirmButton } from '../../ui/confirm-button'
import { Problem } from '../../ui/problem'
import { Row } from '../../ui/rows'
import { StatusBadge } from '../../ui/status-badge'
import { useWords } from '../../words/use-words'

interface Props {
  readonly id: string
  /** Users can sign in with the provider. */
  readonly isEnabled: boolean
  /** The user's accounts there, several of one provider too. */
  readonly links?: readonly OAuthProvider[]
  /** The one account, of a release without links. */
  readonly account?: { readonly email?: string | null } | undefined
}

/** A provider, and the user's accounts there. */
export function ProviderRow({ id, isEnabled, links = [], account }: Props): ReactNode {
  const app = useApp()
  const words = useWords().account.connected
  const connect = useAction(() => app.connectAccount({ provider: id }))
  const { name, mark } = providerOf(id)
  const isFirst = links.length === 0
  const button = (
    <Button kind="plain" isSmall aria-label={isFirst ? words.connectTo(name) : words.anotherOf(name)} does={connect}>
      {isFirst ? words.connect : words.another}
    </Button>
  )
  return (
    <Row
      icon={mark}
      title={name}
      detail={account?.email}
      action={account ? <StatusBadge>{words.connected}</StatusBadge> : isEnabled && button}
    >
      <Problem of={connect} />
      {links.map(link => (
        <LinkedAccount key={link.id} link={link} provider={name} />
      ))}
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
  const words = useWords().account.connected
  const { id: oauthProviderId, email, allowSignIn, allowConnectedAccounts } = link
  const change = useAction((flags: Partial<Pick<OAuthProvider, 'allowSignIn' | 'allowConnectedAccounts'>>) =>
    updateOAuthProvider(app, { oauthProviderId, ...flags }),
  )
  const isBusy = change.status === 'running'
  const account = email ?? words.accountOf(provider)
  return (
    <div className="indented" role="group" aria-label={account}>
      <div className="auth-row between">
        <p className="breakable">{account}</p>
        <ConfirmButton
          isSmall
          aria-label={words.disconnectThis(account)}
          question={words.disconnectQuestion(account)}
          consequence={words.disconnectText(provider)}
          answer={words.disconnect}
          run={() => deleteOAuthProvider(app, { oauthProviderId })}
        >
          {words.disconnect}
        </ConfirmButton>
      </div>
      <div className="auth-stack tight">
        <Choice
          kind="switch"
          label={words.forSignIn}
          checked={allowSignIn}
          disabled={isBusy}
          onChange={event => void change.run({ allowSignIn: event.currentTarget.checked }).catch(() => undefined)}
        />
        <Choice
          kind="switch"
          label={words.forApp}
          checked={allowConnectedAccounts}
          disabled={isBusy}
          onChange={event =>
            void change.run({ allowConnectedAccounts: event.currentTarget.checked }).catch(() => undefined)
          }
        />
        <Problem of={change} />
      </div>
    </div>
  )
}
