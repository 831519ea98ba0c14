import type { ProviderAccountRow } from '../oauth-tables'
import { normalizeEmail } from '../normalize-email'
import { seededUsers } from '../seeded-users'
import type { Database } from '../tables'
import type { ProviderUser } from './next-users'

export type OfferedAccount = Pick<ProviderAccountRow, 'accountId' | 'email' | 'displayName' | 'isVerified'>

/** The account of whoever signs in at the provider; made when it is used for the first time, else brought up to date. */
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
 * What the page offers: the accounts of the provider, then the first users of the project that asks, for whom an account is
 * made when they are chosen. `state` names the sign-in, and thereby the project.
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
