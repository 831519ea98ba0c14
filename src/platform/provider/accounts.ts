import { primaryChannelOf } from '../model/restriction'
import type { Tables, Database } from '../model/tables'
import type { ProviderAccountRow } from '../model/oauth'
import { normalizeEmail } from '../model/users'
import type { ProviderUser } from '../model/next-users'

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

/** The longest list that a page offers. */
const offered = 10

/** The project's first users with an e-mail address, for the sign-in pages of the local platform. */
export function seededUsers(tables: Tables): { readonly email: string; readonly displayName: string | null }[] {
  return tables.users.page('signedUpAt', { limit: offered }).rows.flatMap(({ id, displayName }) => {
    const channel = primaryChannelOf(tables, id)
    return channel ? [{ email: channel.value, displayName }] : []
  })
}
