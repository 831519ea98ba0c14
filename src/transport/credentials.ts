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

/** Whose call it is: captured when the call is made, compared before each attempt. */
export interface Owner {
  readonly '~owner': true
}

/** What a transport needs of the session above it; the kit injects it. */
export interface Credentials {
  /** The tokens for the next attempt, refreshed if need be. Rejects with SESSION_CHANGED if `owner` is not the present one. */
  tokensFor(owner: Owner, signal: AbortSignal | undefined): Promise<Tokens | null>
  /** The platform refused this access token: never send it again. `refusal`: why its session ends if that was all of it. */
  refused(accessToken: string, refusal?: AuthError): void
  /** The platform knows no user for this access token. Settles it by one refresh; true: worth another attempt. */
  userMissing(
    owner: Owner,
    accessToken: string,
    signal: AbortSignal | undefined,
    refusal: AuthError | undefined,
  ): Promise<boolean>
}
