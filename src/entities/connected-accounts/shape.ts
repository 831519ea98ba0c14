import * as v from 'valibot'
import type { Shape } from '../declare'
import { missingRows } from '../rows'

/** An account at a provider that signs the user in, and whose tokens `connectedAccountToken` returns. */
export interface ConnectedAccount {
  readonly provider: string
  /** The account's id at the provider. */
  readonly accountId: string
  /** Its address there, if the provider has revealed it. */
  readonly email: string | null
}

interface WithProviders {
  readonly oauthProviders: readonly { readonly id: string; readonly accountId: string; readonly email: string | null }[]
}

/** The user's linked accounts; none without a user. */
export function toConnectedAccounts(user: WithProviders | null): readonly ConnectedAccount[] {
  return (user?.oauthProviders ?? []).map(({ id, ...account }) => ({ provider: id, ...account }))
}

const oauthProvider = v.object({
  id: v.string(),
  userId: v.string(),
  providerConfigId: v.string(),
  type: v.string(),
  email: v.optional(v.nullable(v.string()), null),
  allowSignIn: v.boolean(),
  allowConnectedAccounts: v.boolean(),
  accountId: v.optional(v.string()),
})

/**
 * A link between a user and an account at a provider; a user may have several of one provider. `id` is the link's own,
 * `providerConfigId` the provider's id in the project, and `accountId` the account's id there, which servers always see.
 */
export interface OAuthProvider extends v.InferOutput<typeof oauthProvider> {}
export const OAuthProvider: Shape<OAuthProvider> = oauthProvider

const providerAccount = v.object({ userId: v.string(), provider: v.string(), providerAccountId: v.string() })

/** An account at a provider with which the app may act for the user. */
export interface ProviderAccount extends v.InferOutput<typeof providerAccount> {}
export const ProviderAccount: Shape<ProviderAccount> = providerAccount

/** The fields that say what a link is for. */
export const linkFlags = { allowSignIn: v.optional(v.boolean()), allowConnectedAccounts: v.optional(v.boolean()) }

/** Refusals of a request for a provider's token that linking the account again may cure. */
export const tokenRefusals = [
  'OAUTH_CONNECTION_NOT_CONNECTED_TO_USER',
  'OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE',
  'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE',
] as const

/** The meaning of a 404 for a change or a deletion of a link. */
export function missingLinks<I extends object>(list$: Parameters<typeof missingRows<'oauthProviderId', I>>[0]) {
  return missingRows<'oauthProviderId', I>(list$, 'oauthProviderId')
}
