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
  const connect = useAction(() => app.connectAccount({ provider: id }))
  const { name, mark } = providerOf(id)
  const isFirst = links.length === 0
  const button = (
    <Button
      kind="plain"
      isSmall
      aria-label={isFirst ? `Connect ${name}` : `Connect another account of ${name}`}
      does={connect}
    >
      {isFirst ? 'Connect' : 'Connect another'}
    </Button>
  )
  return (
    <Row
      icon={mark}
      title={name}
      detail={account?.email}
      action={account ? <StatusBadge>Connected</StatusBadge> : isEnabled && button}
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
  const { id: oauthProviderId, email, allowSignIn, allowConnectedAccounts } = link
  const change = useAction((flags: Partial<Pick<OAuthProvider, 'allowSignIn' | 'allowConnectedAccounts'>>) =>
    updateOAuthProvider(app, { oauthProviderId, ...flags }),
  )
  const isBusy = change.status === 'running'
  const account = email ?? `Account of ${provider}`
  return (
    <div className="indented" role="group" aria-label={account}>
      <div className="row between">
        <p className="breakable">{account}</p>
        <ConfirmButton
          isSmall
          aria-label={`Disconnect ${account}`}
          question={`Disconnect ${account}?`}
          consequence={`You can no longer sign in with this account of ${provider}, and this app can no longer use it. Make sure that you have another way to sign in.`}
          answer="Disconnect"
          run={() => deleteOAuthProvider(app, { oauthProviderId })}
        >
          Disconnect
        </ConfirmButton>
      </div>
      <div className="stack close">
        <Choice
          kind="switch"
          label="Use it for sign-in"
          checked={allowSignIn}
          disabled={isBusy}
          onChange={event => void change.run({ allowSignIn: event.currentTarget.checked }).catch(() => undefined)}
        />
        <Choice
          kind="switch"
          label="Let this app use it"
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
