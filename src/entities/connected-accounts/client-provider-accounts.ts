import { items } from '../../core/wire'
import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { anyUser$ } from '../users/client-current-user'
import { ProviderAccount } from './shape-oauth-provider-fields'

export { ProviderAccount } from './shape-oauth-provider-fields'

/**
 * The accounts at providers with which the app may act for the signed-in user: those whose link has
 * `allowConnectedAccounts`.
 *
 * Throws NOT_ON_THIS_PLATFORM on release 2.8.18; use `connectedAccounts$` there.
 *
 * @example
 * providerAccounts$(app).subscribe(accounts => console.log(accounts.map(({ provider }) => provider)))
 */
export const providerAccounts$ = query(
  endpoint('GET /connected-accounts/me', {
    access: 'client',
    returns: items(ProviderAccount),
    notOnPlatform: lacking(404),
  }),
  { signedOut: [], '~follows': [anyUser$] },
)
