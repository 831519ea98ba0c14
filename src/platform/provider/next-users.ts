/**
 * Who signs in at the local provider.
 *
 * @example
 * const user: ProviderUser = { email: 'ada@example.com', displayName: 'Ada', verified: true }
 * platform.oauth.nextUser(user)
 */
export interface ProviderUser {
  readonly email: string
  readonly displayName?: string
  /** The provider's own name for the account. Default: made of the e-mail address, so that the same one is the same account. */
  readonly accountId?: string
  /** What the user agrees to. Default: everything that is asked for. */
  readonly scopes?: readonly string[]
  /** Whether the provider says that the address is verified. Default true. */
  readonly verified?: boolean
}

/** Answers of a person who does not see the provider's page, each given once. */
export class NextUsers {
  readonly #waiting: (ProviderUser | 'refuses')[] = []

  add(user: ProviderUser | 'refuses'): void {
    this.#waiting.push(user)
  }

  take(): ProviderUser | 'refuses' | undefined {
    return this.#waiting.shift()
  }
}
