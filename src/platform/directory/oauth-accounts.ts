import type { Engine } from '../model/engine'
import type { OAuthAccountRow } from '../model/oauth-tables'
import type { UserRow } from '../model/tables'

/** The provider account with this id, if a user of the project signs in with it. */
export function accountOf({ tables }: Engine, provider: string, accountId: string): OAuthAccountRow | undefined {
  return tables.oauthAccounts.get(idOf(provider, accountId))
}

/** Links the account to the user, who can sign in with it from now on. */
export function linkAccount(
  { tables }: Engine,
  { id: userId }: UserRow,
  account: Pick<OAuthAccountRow, 'provider' | 'accountId' | 'email'>,
): OAuthAccountRow {
  const { provider, accountId } = account
  return tables.oauthAccounts.put({ id: idOf(provider, accountId), userId, ...account })
}

function idOf(provider: string, accountId: string): string {
  return JSON.stringify([provider, accountId])
}
