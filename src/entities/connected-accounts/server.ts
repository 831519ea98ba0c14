import * as v from 'valibot'
import { items, lacking, only, serverStore, serverWrite, view, withFields, type Attempted, type Kit } from '../declare'
import { answerOf, withoutRow } from '../rows'
import { toConnectedAccounts, linkFlags, missingLinks, OAuthProvider, ProviderAccount, tokenRefusals } from './shape'
import { userById$ } from '../users/server'
import { oauthProviders$, providerAccounts$ } from './client'
import { isAuthError, developerError } from '../../errors/auth-error'
import { changedUser } from '../server-touched'

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
export const connectedAccountTokenById = serverWrite('POST /connected-accounts/{userId}/{provider}/access-token', {
  body: { scope: v.optional(v.string()) },
  returns: v.object({ accessToken: v.string() }),
  fails: ['OAUTH_CONNECTION_NOT_CONNECTED_TO_USER', 'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE'],
  refreshes: () => [],
})

/**
 * A user's links to accounts at providers. Throws NOT_ON_THIS_PLATFORM on release 2.8.18, as all of these calls do.
 *
 * @example
 * const links = await oauthProvidersOf$(server, { userId: 'user-1' }).get()
 */
export const oauthProvidersOf$ = serverStore('GET /oauth-providers', {
  query: { userId: v.string() },
  returns: items(OAuthProvider),
  notOnPlatform: lacking(404),
  partOf: 'owned',
})

/**
 * The accounts at providers with which the app may act for a user.
 *
 * @example
 * const accounts = await providerAccountsOf$(server, { userId: 'user-1' }).get()
 */
export const providerAccountsOf$ = serverStore('GET /connected-accounts/{userId}', {
  returns: items(ProviderAccount),
  notOnPlatform: lacking(404),
  partOf: 'owned',
})

const showing = (userId: string) => [
  only(oauthProvidersOf$, { userId }),
  only(providerAccountsOf$, { userId }),
  oauthProviders$,
  providerAccounts$,
  ...changedUser({ userId }),
]

const { changeIsDone, deletionIsDone } = missingLinks(oauthProvidersOf$)

/**
 * Links an account at a provider to a user, who has not signed in there: the platform has no tokens of the provider for it.
 *
 * OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN is returned if `allowSignIn` is set and a user signs in with the account
 * already, USER_NOT_FOUND for an unknown user. Throws OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED.
 *
 * @example
 * const result = await createOAuthProviderById(server, {
 *   userId: 'user-1',
 *   providerConfigId: 'github',
 *   accountId: '583231',
 *   allowSignIn: true,
 *   allowConnectedAccounts: false,
 * })
 */
export const createOAuthProviderById = serverWrite('POST /oauth-providers', {
  body: {
    userId: v.string(),
    providerConfigId: v.string(),
    accountId: v.string(),
    email: v.optional(v.string()),
    allowSignIn: v.boolean(),
    allowConnectedAccounts: v.boolean(),
  },
  returns: OAuthProvider,
  fails: ['OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN', 'USER_NOT_FOUND'],
  notOnPlatform: lacking(404),
  done: isUnknownProvider,
  refreshes: ({ userId }) => showing(userId),
})

/** The platform answers a bare 404 for a provider that the project does not have, as for a release without links: the list tells. */
async function isUnknownProvider(
  error: unknown,
  { userId }: { readonly userId: string },
  kit: Kit,
  { signal }: Attempted,
) {
  if (!isAuthError(error, 'NOT_ON_THIS_PLATFORM')) return false
  try {
    await answerOf(kit, oauthProvidersOf$, { userId }, { signal })
  } catch {
    return false
  }
  throw developerError(
    'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
    'the project does not have this provider, or it is not enabled',
    {
      status: 404,
      cause: error.cause,
    },
  )
}

/**
 * Changes a link of a user; fields left out stay. Errors as in `updateOAuthProvider`.
 *
 * @example
 * await updateOAuthProviderById(server, { userId: 'user-1', oauthProviderId: 'link-1', allowSignIn: false })
 */
export const updateOAuthProviderById = serverWrite('PATCH /oauth-providers/{userId}/{oauthProviderId}', {
  body: withFields(linkFlags, { email: v.optional(v.string()), accountId: v.optional(v.string()) }),
  returns: OAuthProvider,
  fails: ['OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN'],
  notOnPlatform: lacking(404),
  done: changeIsDone,
  refreshes: ({ userId }) => showing(userId),
})

/**
 * Deletes a link of a user; one that is already gone counts as done.
 *
 * @example
 * await deleteOAuthProviderById(server, { userId: 'user-1', oauthProviderId: 'link-1' })
 */
export const deleteOAuthProviderById = serverWrite('DELETE /oauth-providers/{userId}/{oauthProviderId}', {
  notOnPlatform: lacking(404),
  done: deletionIsDone,
  refreshes: ({ userId }) => showing(userId),
  writes: ({ userId, oauthProviderId }) => [withoutRow(oauthProvidersOf$, { userId }, oauthProviderId)],
})

/**
 * An access token of the provider for one of a user's accounts there, with all of `scope` (names separated by spaces).
 *
 * @example
 * const account = { userId: 'user-1', provider: 'github', providerAccountId: '583231' }
 * const result = await providerAccountTokenById(server, { ...account, scope: 'repo' })
 * if (result.ok) console.log(result.value.accessToken.length)
 */
export const providerAccountTokenById = serverWrite(
  'POST /connected-accounts/{userId}/{provider}/{providerAccountId}/access-token',
  {
    body: { scope: v.optional(v.string()) },
    returns: v.object({ accessToken: v.string() }),
    fails: tokenRefusals,
    notOnPlatform: lacking(404),
    refreshes: () => [],
  },
)
