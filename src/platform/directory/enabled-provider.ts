import { providerConfig } from '../model/project-config'
import type { OAuthProviderConfig, ProjectConfig } from '../model/project-config'
import { known } from '../model/refusal'

/** What a provider may be enabled for, besides being configured. */
type Purpose = 'allowSignIn' | 'allowConnectedAccounts'

/**
 * The project's configuration of a provider. The refusal lists the enabled providers, since most unknown names are
 * misspelt.
 */
export function enabledProvider(config: ProjectConfig, id: string, purpose?: Purpose): OAuthProviderConfig {
  const configured = providerConfig(config, id)
  if (configured && (purpose === undefined || (configured[purpose] ?? true))) return configured
  const enabled = config.oauthProviders.map(provider => provider.id).join(', ') || 'none'
  throw known(
    'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
    `The OAuth provider "${id}" is unknown, or not enabled in this project. Enabled: ${enabled}.`,
  )
}
