import type { ProviderAccountRow } from '../oauth-tables'
import { normalizeEmail } from '../normalize-email'
import type { Database } from '../tables'
import type { ProviderUser } from './next-users'

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

export function accountsAt({ providerAccounts }: Database, provider: string): readonly ProviderAccountRow[] {
  return providerAccounts.by('provider', provider)
}
