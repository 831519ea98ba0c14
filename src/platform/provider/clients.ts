import { configOf } from '../model/project-config'
import { providerConfig, type OAuthProviderConfig } from '../model/projects'
import type { Database, Tables } from '../model/tables'
import { primaryChannelOf } from '../model/restriction'
import type { ProviderAccountRow, ProviderUser } from '../model/oauth'
import { normalizeEmail } from '../model/users'

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

export type OfferedAccount = Pick<ProviderAccountRow, 'accountId' | 'email' | 'displayName' | 'isVerified'>

/** The account of a sign-in at the provider, created at its first use and updated later. */
export function providerAccount(
  { providerAccounts }: Database,
  provider: string,
  { email, accountId = normalizeEmail(email), displayName, verified = true }: ProviderUser,
): ProviderAccountRow {
  const id = JSON.stringify([provider, accountId])
  return providerAccounts.put({
    id,
    provider,
    accountId,
    email,
    isVerified: verified,
    displayName: displayName ?? providerAccounts.get(id)?.displayName ?? null,
  })
}

/**
 * The accounts that the provider's page offers: its existing ones, then the first users of the requesting project, whose
 * accounts are created when chosen. `state` identifies the sign-in, and with it the project.
 */
export function offeredAccounts(
  database: Database,
  { provider, state }: { readonly provider: string; readonly state: string },
): readonly OfferedAccount[] {
  const accounts = database.providerAccounts.by('provider', provider)
  const known = new Set(accounts.flatMap(({ accountId, email }) => [accountId, normalizeEmail(email)]))
  const projectId = database.oauthFlows.get(state)?.projectId
  const users = projectId === undefined ? [] : seededUsers(database.of(projectId))
  const offered = users.map(user => ({ ...user, accountId: normalizeEmail(user.email), isVerified: true }))
  return [...accounts, ...offered.filter(({ accountId }) => !known.has(accountId))]
}

const offered = 10

/** The project's first users with an e-mail address, for the sign-in pages of the local platform. */
export function seededUsers(tables: Tables): { readonly email: string; readonly displayName: string | null }[] {
  return tables.users.page('signedUpAt', { limit: offered }).rows.flatMap(({ id, displayName }) => {
    const channel = primaryChannelOf(tables, id)
    return channel ? [{ email: channel.value, displayName }] : []
  })
}
