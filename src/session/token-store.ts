import type { Observable } from 'rxjs'
import type { Clock } from '../core/clock'
import type { Host } from '../core/host'
import { AuthError, invalidInput, isAuthError, saidBy } from '../errors/auth-error'
import type { Tokens } from '../transport/credentials'
import { redact } from '../core/redact'
import { hide } from '../transport/secrets'
import { readAccessToken } from '../transport/access-token'

/**
 * Where the tokens of one session are kept.
 *
 * @example
 * const isEmpty = async (store: TokenStore) => (await store.read()) === null
 * await isEmpty(memoryTokens())
 */
export interface TokenStore {
  /** At once or by a promise; whatever has a `then` is awaited, the promises of a library or of another realm too. */
  read(): Tokens | null | Promise<Tokens | null>
  /** Writes `next` only while the store still holds `expected`'s refresh token; false: somebody else was faster. */
  replace(expected: Tokens | null, next: Tokens | null): boolean | Promise<boolean>
  /** "Look again": another tab, window or process may have written. Cookies: every 100 ms while somebody watches. */
  readonly changes$?: Observable<void>
  /** Names the lock and channel that everybody who sees this store shares. Absent: only this kit sees it. */
  readonly sharedAs?: string
}

/**
 * What a token source is told by the kit that it works for.
 *
 * @example
 * const perProject = ({ projectId }: TokenContext) => storageTokens(localStorage, { key: `tokens-${projectId}` })
 * const app = createClientApp({ tokens: perProject })
 */
export interface TokenContext {
  readonly projectId: string
  readonly clock: Clock
  readonly host: Host
}

/**
 * A store that needs to know the project (cookie names), the clock or the host is given them by the kit.
 *
 * @example
 * const tokens: TokenSource = typeof document === 'undefined' ? noTokens() : cookieTokens()
 * const app = createClientApp({ tokens })
 */
export type TokenSource = TokenStore | ((context: TokenContext) => TokenStore)

/** Somebody else may write between a read and a write, but not for ever. */
export const maxReplaceTries = 10

/** What to say after so many. */
export function storeRefuses(): AuthError<'TOKENS_UNAVAILABLE'> {
  return new AuthError('TOKENS_UNAVAILABLE', 'the token store refuses every write: its replace() keeps answering false')
}

/** Throws what a storage or the browser's cookies say of their failure, without the secrets that they were given. */
export function storeFails(what: string, cause: unknown, secrets: readonly string[]): never {
  if (isAuthError(cause)) throw cause
  throw new AuthError('TOKENS_UNAVAILABLE', `${what}: ${redact(hide(saidBy(cause), secrets))}`, { cause })
}

/**
 * Tokens in memory: gone with the process, and seen by nobody else. Not for a server that serves several people.
 *
 * @example
 * const app = createClientApp({ ...platform.options, tokens: memoryTokens() })
 */
export function memoryTokens(initial?: Tokens): TokenStore {
  let tokens = initial ? checkedTokens(initial) : null
  return {
    read: () => tokens,
    replace(expected, next) {
      if (!holdsSame(tokens, expected)) return false
      tokens = next && checkedTokens(next)
      return true
    },
  }
}

/** Whether both stand for the same session as far as a store can tell: by the refresh token, else the access token. */
export function holdsSame(a: Tokens | null, b: Tokens | null): boolean {
  if (!a || !b) return a === b
  return a.refreshToken === b.refreshToken && (a.refreshToken !== null || a.accessToken === b.accessToken)
}

/** Whether both hold the same two texts. */
export function isSame(a: Tokens | null, b: Tokens | null): boolean {
  return a?.accessToken === b?.accessToken && a?.refreshToken === b?.refreshToken
}

/** Refuses at the door what could only fail later: the text "undefined", and an access token that is none. */
export function checkedTokens(tokens: Tokens): Tokens {
  const { accessToken, refreshToken } = tokens
  for (const [field, token] of Object.entries({ accessToken, refreshToken }) as [string, unknown][])
    if (token !== null && (typeof token !== 'string' || token === '' || token === 'undefined'))
      throw invalidInput(field, 'must be a token or null; a missing value was probably turned into text')
  if (accessToken !== null && !readAccessToken(accessToken))
    throw invalidInput('accessToken', 'is not a JSON Web Token with a user id')
  if (accessToken === null && refreshToken === null)
    throw invalidInput('tokens', 'hold neither an access token nor a refresh token; pass null instead')
  return { accessToken, refreshToken }
}

/** What of stored tokens can be used; null if nothing can. Stores outlive versions and are written by others too. */
export function usableTokens(tokens: Tokens | null): Tokens | null {
  const refreshToken = usable(tokens?.refreshToken)
  const access = usable(tokens?.accessToken)
  const accessToken = access !== null && readAccessToken(access) ? access : null
  return refreshToken === null && accessToken === null ? null : { accessToken, refreshToken }
}

function usable(token: string | null | undefined): string | null {
  return typeof token === 'string' && token !== '' && token !== 'undefined' ? token : null
}
