import * as v from 'valibot'
import { toConnectedAccounts } from './shape-connected-account-fields'
import { mutation } from '../../store/write/mutation'
import { view } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { userById$ } from '../users/server'

/**
 * The accounts at providers that a user has linked; none for an unknown user.
 *
 * @example
 * const accounts = await server.connectedAccountsOf$({ userId: 'user-1' }).get()
 */
export const connectedAccountsOf$ = view(userById$, toConnectedAccounts)

/**
 * An access token of the provider for a user, with all of `scope` (names separated by spaces).
 *
 * Throws OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED and OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS.
 * For an unknown user, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500) in place of a code: see "Where the
 * hosted platform answers 500" in docs/errors.md.
 *
 * @example
 * const result = await server.connectedAccountTokenById({ userId: 'user-1', provider: 'github', scope: 'repo' })
 * if (result.ok) console.log(result.value.accessToken.length)
 */
export const connectedAccountTokenById = mutation(
  endpoint('POST /connected-accounts/{userId}/{provider}/access-token', {
    access: 'server',
    body: { scope: v.optional(v.string()) },
    returns: v.object({ accessToken: v.string() }),
    fails: ['OAUTH_CONNECTION_NOT_CONNECTED_TO_USER', 'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE'],
  }),
  { refreshes: () => [] },
)
