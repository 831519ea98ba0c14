/** A user that signs in at the local provider. */
export interface ProviderUser {
  readonly email: string
  readonly displayName?: string
  /** The provider's id of the account. Default: made from the e-mail address, so that one address is one account. */
  readonly accountId?: string
  /** The scopes that the user grants. Default: all requested scopes. */
  readonly scopes?: readonly string[]
  /** Whether the provider reports the address as verified. Default true. */
  readonly verified?: boolean
}

/** Queued answers that replace the provider's page; each is used once. */
export class NextUsers {
  readonly #waiting: (ProviderUser | 'refuses')[] = []

  add(user: ProviderUser | 'refuses'): void {
    this.#waiting.push(user)
  }

  get first(): ProviderUser | 'refuses' | undefined {
    return this.#waiting[0]
  }

  /** Removes the first answer. */
  take(): void {
    this.#waiting.shift()
  }
}
