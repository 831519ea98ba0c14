import { clientStore, clientWrite, items, lacking, patch, view } from '../declare'
import { withoutRow } from '../rows'
import { user$, anyUser$ } from '../users/client'
import { toConnectedAccounts, ProviderAccount, linkFlags, missingLinks, OAuthProvider } from './shape'

export { ProviderAccount, OAuthProvider, type ConnectedAccount } from './shape'

/**
 * The accounts at providers that the signed-in user has linked: each signs the user in.
 *
 * @example
 * app.connectedAccounts$.subscribe(accounts => console.log(accounts.map(({ provider }) => provider)))
 */
export const connectedAccounts$ = view(user$, toConnectedAccounts)

/**
 * The accounts at providers with which the app may act for the signed-in user: those whose link has
 * `allowConnectedAccounts`.
 *
 * Throws NOT_ON_THIS_PLATFORM on release 2.8.18; use `connectedAccounts$` there.
 *
 * @example
 * providerAccounts$(app).subscribe(accounts => console.log(accounts.map(({ provider }) => provider)))
 */
export const providerAccounts$ = clientStore('GET /connected-accounts/me', {
  returns: items(ProviderAccount),
  notOnPlatform: lacking(404),
  signedOut: [],
  follows: [anyUser$],
})

/**
 * The links of the signed-in user to accounts at providers, several of one provider too. `connectAccount` adds one.
 *
 * Throws NOT_ON_THIS_PLATFORM on release 2.8.18, where `connectedAccounts$` has one account of each provider.
 *
 * @example
 * oauthProviders$(app).subscribe(links => console.log(links.map(({ providerConfigId, email }) => [providerConfigId, email])))
 */
export const oauthProviders$ = clientStore('GET /oauth-providers', {
  fixed: { user_id: 'me' },
  returns: items(OAuthProvider),
  notOnPlatform: lacking(404),
  signedOut: [],
  follows: [anyUser$],
})

const { changeIsDone, deletionIsDone } = missingLinks(oauthProviders$)

/**
 * Says what an account is for: signing in (`allowSignIn`), and acting at the provider (`allowConnectedAccounts`). Fields left
 * out stay.
 *
 * OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN is returned if another user signs in with the account by now. Throws
 * NOT_ON_THIS_PLATFORM on release 2.8.18.
 *
 * @example
 * const result = await updateOAuthProvider(app, { oauthProviderId: 'link-1', allowSignIn: false })
 */
export const updateOAuthProvider = clientWrite('PATCH /oauth-providers/me/{oauthProviderId}', {
  body: linkFlags,
  returns: OAuthProvider,
  fails: ['OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN'],
  notOnPlatform: lacking(404),
  done: changeIsDone,
  refreshes: () => [oauthProviders$, providerAccounts$, anyUser$],
  writes: ({ oauthProviderId }, link) => [
    patch(oauthProviders$, {}, all => all.map(other => (other.id === oauthProviderId ? link : other))),
  ],
})

/**
 * Unlinks an account of the signed-in user; one that is already gone counts as done. The account no longer signs the user in,
 * and the platform forgets the provider's tokens. A user without another way to sign in is locked out after signing out.
 *
 * Throws NOT_ON_THIS_PLATFORM on release 2.8.18.
 *
 * @example
 * await deleteOAuthProvider(app, { oauthProviderId: 'link-1' })
 */
export const deleteOAuthProvider = clientWrite('DELETE /oauth-providers/me/{oauthProviderId}', {
  notOnPlatform: lacking(404),
  done: deletionIsDone,
  refreshes: () => [oauthProviders$, providerAccounts$, anyUser$],
  writes: ({ oauthProviderId }) => [withoutRow(oauthProviders$, {}, oauthProviderId)],
})
