/**
 * An account at a provider that signs the user in, and whose tokens `connectedAccountToken` returns.
 *
 * @example
 * const label = ({ provider, email }: ConnectedAccount) => `${provider}: ${email ?? 'no address'}`
 */
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
