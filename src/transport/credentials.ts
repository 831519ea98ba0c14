import type { AuthError } from '../errors/auth-error'

/**
 * The two tokens of a session; a session has at least one of them.
 *
 * @example
 * const tokens: Tokens = { accessToken: null, refreshToken: '…' }
 * const app = createClientApp({ tokens: memoryTokens(tokens) })
 */
export interface Tokens {
  readonly accessToken: string | null
  readonly refreshToken: string | null
}

/** The owner of a call: captured when the call is made, compared before each attempt. */
export interface Owner {
  readonly '~owner': true
}

/** What a transport needs of the session above it; injected by the kit. */
export interface Credentials {
  /** The tokens for the next attempt, refreshed if needed. Rejects with SESSION_CHANGED if `owner` has changed. */
  tokensFor(owner: Owner, signal: AbortSignal | undefined): Promise<Tokens | null>
  /** The platform refused this access token, which is never sent again. `refusal`: the cause if that ends the session. */
  refused(accessToken: string, refusal?: AuthError): void
  /** The platform knows no user for this access token: refreshes once. True: worth another attempt. */
  userMissing(
    owner: Owner,
    accessToken: string,
    signal: AbortSignal | undefined,
    refusal: AuthError | undefined,
  ): Promise<boolean>
}
