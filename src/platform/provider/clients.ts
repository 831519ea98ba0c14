import { configOf } from '../model/project-config'
import { providerConfig } from '../model/projects'
import type { OAuthProviderConfig } from '../model/projects'
import type { Database } from '../model/tables'

/** The platform's own client at the local provider, for projects with shared keys. */
const sharedClient = { clientId: 'rxauth-shared', clientSecret: 'rxauth-shared-secret' } as const

interface ProviderClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** The project's client at the provider. */
export function clientFor({ type, clientId, clientSecret }: OAuthProviderConfig): ProviderClient {
  if (type === 'shared') return sharedClient
  return { clientId: clientId ?? '', clientSecret: clientSecret ?? '' }
}

/** The clients registered at the provider under this id: every project that has configured it. */
export function clientsOf(database: Database, provider: string, clientId: string): readonly ProviderClient[] {
  const registered = database.projects.rows().flatMap(project => {
    const configured = providerConfig(configOf(project), provider)
    return configured ? [clientFor(configured)] : []
  })
  return [sharedClient, ...registered].filter(client => client.clientId === clientId)
}

/** The provider's configuration in the first project that has one. */
export function configuredAt({ projects }: Database, provider: string): OAuthProviderConfig | undefined {
  return projects.rows().flatMap(project => providerConfig(configOf(project), provider) ?? [])[0]
}

/** The callback address of the provider, the same for every client: this platform. */
export function callbackUrl(origin: string, provider: string): string {
  return `${origin}/api/v1/auth/oauth/callback/${provider}`
}

export function issuerOf(origin: string, provider: string): string {
  return `${origin}/oauth-provider/${provider}`
}
