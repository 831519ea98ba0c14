import type { Engine } from '../model/engine'
import type { OAuthAccountRow } from '../model/oauth-tables'
import type { UserRow } from '../model/user-tables'

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
