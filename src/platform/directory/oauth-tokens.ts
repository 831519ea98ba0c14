import type { Engine } from '../model/engine'
import type { OAuthAccountRow, OAuthTokenRow } from '../model/oauth-tables'
import { splitScopes } from '../provider/authorize'
import type { ProviderSignIn, ProviderTokens } from '../provider/sign-in'

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
