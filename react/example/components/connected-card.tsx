import type { ReactNode } from 'react'
import { useAction, useApp, useStore } from 'rxauth/react'
import { Problem } from './problem'
import { providerNames } from './provider-button'

/** Accounts at providers that sign in here too. */
export function ConnectedCard({ connected }: { readonly connected: readonly string[] }): ReactNode {
  const { project$ } = useApp()
  const project = useStore(project$)
  if (project.status !== 'ready' || project.value.config.enabledOauthProviders.length === 0) return null
  return (
    <article>
      <h2>Connected accounts</h2>
      <ul className="sessions">
        {project.value.config.enabledOauthProviders.map(({ id }) => (
          <ProviderRow key={id} provider={id} isConnected={connected.includes(id)} />
        ))}
      </ul>
    </article>
  )
}

function ProviderRow({
  provider,
  isConnected,
}: {
  readonly provider: string
  readonly isConnected: boolean
}): ReactNode {
  const app = useApp()
  const connect = useAction(() => app.connectAccount({ provider }))
  const name = providerNames[provider] ?? provider
  return (
    <li>
      <span>{name}</span>
      {isConnected ? (
        <small>Connected</small>
      ) : (
        <button
          className="secondary outline"
          aria-label={`Connect ${name}`}
          aria-busy={connect.status === 'running'}
          onClick={() => void connect.run()}
        >
          Connect
        </button>
      )}
      <Problem of={connect} />
    </li>
  )
}
