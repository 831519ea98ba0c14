import { providerConfig } from '../model/projects'
import type { OAuthProviderConfig, ProjectConfig } from '../model/projects'
import { known } from '../model/refusal'
import type { Engine } from '../model/engine'
import type { OAuthAccountRow, OAuthTokenRow } from '../model/oauth'
import type { UserRow } from '../model/users'
import { splitScopes } from '../provider/authorize'
import type { ProviderSignIn, ProviderTokens } from '../provider/sign-in'

/** A use for which a provider may be enabled, besides being configured. */
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

/** The provider account with this id, if a user of the project signs in with it. */
export function accountOf({ tables }: Engine, provider: string, accountId: string): OAuthAccountRow | undefined {
  return tables.oauthAccounts.by('account', [provider, accountId]).find(allowsSignIn)
}

/** The user's link to this provider account. */
export function linkOf(
  { tables }: Engine,
  userId: string,
  { provider, accountId }: Pick<OAuthAccountRow, 'provider' | 'accountId'>,
): OAuthAccountRow | undefined {
  return tables.oauthAccounts.by('account', [provider, accountId]).find(row => row.userId === userId)
}

/** Links the account to the user; a present link keeps what it is for, unless the account says otherwise. */
export function linkAccount(
  engine: Engine,
  { id: userId }: UserRow,
  account: Omit<OAuthAccountRow, 'id' | 'userId'>,
): OAuthAccountRow {
  const own = linkOf(engine, userId, account)
  return engine.tables.oauthAccounts.put({ id: crypto.randomUUID(), ...own, userId, ...account })
}

/** Whether the account signs its user in. */
export function allowsSignIn({ allowSignIn = true }: OAuthAccountRow): boolean {
  return allowSignIn
}

/** Whether the app may act at the provider with the account. */
export function allowsConnectedAccounts({ allowConnectedAccounts = true }: OAuthAccountRow): boolean {
  return allowConnectedAccounts
}

/** Returned tokens are valid for at least five more minutes. */
const marginMillis = 300_000

/** Stores a provider's tokens for the account. */
export function saveTokens(engine: Engine, account: OAuthAccountRow, tokens: ProviderTokens): void {
  engine.tables.oauthTokens.put({
    id: crypto.randomUUID(),
    oauthAccountId: account.id,
    refreshToken: tokens.refresh_token ?? null,
    scopes: splitScopes(tokens.scope),
    ...accessOf(engine, tokens),
  })
}

/** A provider token for the account with at least these scopes, refreshed if necessary; null if there is none. */
export async function tokenWith(
  engine: Engine,
  account: OAuthAccountRow,
  scopes: readonly string[],
  provider: ProviderSignIn,
): Promise<string | null> {
  const { tables, clock } = engine
  const fitting = tokensWith(engine, account, scopes)
  const fresh = fitting.find(({ expiresAt }) => expiresAt >= clock.now() + marginMillis)
  if (fresh) return fresh.accessToken
  for (const { id, refreshToken } of fitting) {
    const tokens = refreshToken === null ? null : await provider.refresh(refreshToken)
    if (tokens) return tables.oauthTokens.patch(id, accessOf(engine, tokens)).accessToken
  }
  return null
}

/** Whether there is a token with at least these scopes, in force or not. */
export function hasTokenWith(engine: Engine, account: OAuthAccountRow, scopes: readonly string[]): boolean {
  return tokensWith(engine, account, scopes).length > 0
}

function tokensWith({ tables }: Engine, account: OAuthAccountRow, scopes: readonly string[]): readonly OAuthTokenRow[] {
  return tables.oauthTokens
    .by('oauthAccountId', account.id)
    .filter(row => scopes.every(scope => row.scopes.includes(scope)))
}

function accessOf({ clock }: Engine, tokens: ProviderTokens): Pick<OAuthTokenRow, 'accessToken' | 'expiresAt'> {
  return { accessToken: tokens.access_token, expiresAt: clock.now() + tokens.expires_in * 1000 }
}
