import type { Observable } from 'rxjs'
import type { Clock } from '../core/clock'
import { DEV } from '../core/dev'
import type { Host } from '../core/host'
import { isRecord } from '../core/values'
import { redact } from '../core/urls'
import { AuthError, isAuthError, saidBy, developerError, misuse } from '../errors/auth-error'
import { maxTokenLength, readAccessToken, type Tokens } from '../transport/access-token'
import { hide } from '../transport/secrets'

/**
 * A store for the tokens of one session.
 *
 * @example
 * const isEmpty = async (store: TokenStore) => (await store.read()) === null
 * await isEmpty(memoryTokens())
 */
export interface TokenStore {
  /** Synchronous or a promise; any thenable is awaited, also a library's or another realm's. */
  read(): Tokens | null | Promise<Tokens | null>
  /** Writes `next` only while the store still holds `expected`'s refresh token; false: it has changed meanwhile. */
  replace(expected: Tokens | null, next: Tokens | null): boolean | Promise<boolean>
  /** Emits when another tab, window or process may have written. Cookies: compared every 100 ms while subscribed. */
  readonly changes$?: Observable<void>
  /** Names the lock and channel shared by all kits with this store. Absent: only this kit uses it. */
  readonly sharedAs?: string
}

/** The parts of a kit that its token source gets. */
export interface TokenContext {
  readonly projectId: string
  readonly clock: Clock
  readonly host: Host
  /** Whether later requests of this process get this refresh token when they bring the one before it. */
  readonly isKept?: (refreshToken: string) => boolean
  /** Whether a server sets partitioned cookies, for frames of other sites. */
  readonly isPartitioned?: boolean | undefined
}

/** A cookie to write; `maxAgeSeconds` 0 deletes it, undefined lets it end with the browser. */
export interface TokenCookie {
  readonly name: string
  readonly value: string
  readonly maxAgeSeconds: number | undefined
  /** Set by another kit and to be deleted: on this host or a parent domain, partitioned or not. */
  readonly isForeign?: true
}

/** A token store, or a function that makes one from the kit's project (for cookie names), clock and host. */
export type TokenSource = TokenStore | ((context: TokenContext) => TokenStore)

/** Whether a session may take the place of these tokens in the store. */
export type MayFollow = (present: Tokens | null) => boolean

const ofRequest = '~ofRequest'

/** Marks the token source of one request. */
export function markOfRequest(source: TokenSource): TokenSource {
  return Object.assign(source, { [ofRequest]: true })
}

/** Whether the tokens are those of one request, so that a kit with them lives no longer. */
export function isOfRequest(source: TokenSource | undefined): boolean {
  return ofRequest in Object(source)
}

/** The store may change between a read and a write, but not every time. */
export const maxReplaceTries = 10

/** The error after `maxReplaceTries` attempts. */
export function storeRefuses(): AuthError<'TOKENS_UNAVAILABLE'> {
  return developerError(
    'TOKENS_UNAVAILABLE',
    'the token store refuses every write: its replace() keeps returning false',
  )
}

/** Throws the error of a storage or of the browser's cookies, without secrets. */
export function storeFails(what: string, cause: unknown, secrets: readonly string[]): never {
  if (isAuthError(cause)) throw cause
  throw new AuthError('TOKENS_UNAVAILABLE', `${what}: ${redact(hide(saidBy(cause), secrets))}`, { cause })
}

/**
 * Tokens in memory, gone with the process. Not for a server with several users. Without `initial`, and with two nulls, signed out.
 *
 * @example
 * const app = createClientApp({ ...platform.options, tokens: memoryTokens() })
 */
export function memoryTokens(initial?: Tokens): TokenStore {
  assertCalled(initial, 'memoryTokens()')
  const isEmpty = !initial || (initial.accessToken === null && initial.refreshToken === null)
  let tokens = isEmpty ? null : checkedTokens(initial)
  return {
    read: () => tokens,
    replace(expected, next) {
      if (!holdsSame(tokens, expected)) return false
      tokens = next && checkedTokens(next)
      return true
    },
  }
}

/** Refuses the context of a kit, which a function gets that is passed in place of the store that it makes. */
export const assertCalled: (given: unknown, call: string) => void = DEV
  ? (given, call) => {
      if (isRecord(given) && 'projectId' in given && 'clock' in given)
        throw misuse('tokens', `is a function; call it: ${call}`)
    }
  : () => undefined

/** Whether both are the same session as far as a store can tell: by the refresh token, else the access token. */
export function holdsSame(a: Tokens | null, b: Tokens | null): boolean {
  if (!a || !b) return a === b
  return a.refreshToken === b.refreshToken && (a.refreshToken !== null || a.accessToken === b.accessToken)
}

/** Whether both tokens are equal. */
export function isSame(a: Tokens | null, b: Tokens | null): boolean {
  return a?.accessToken === b?.accessToken && a?.refreshToken === b?.refreshToken
}

/** Refuses values that would only fail later: the text "undefined", and an invalid access token. */
export function checkedTokens(tokens: Tokens): Tokens {
  const { accessToken, refreshToken } = tokens
  for (const [field, token] of Object.entries({ accessToken, refreshToken }) as [string, unknown][])
    if (token !== null && usable(token) === null)
      throw misuse(field, 'must be a token or null; a missing value was probably turned into text')
  if (accessToken !== null && !readAccessToken(accessToken))
    throw misuse(
      'accessToken',
      'atob' in globalThis
        ? 'is not a JSON Web Token with a user id'
        : 'cannot be read without atob(), which this JavaScript engine lacks (Hermes before React Native 0.74): define globalThis.atob before the first sign-in',
    )
  if (accessToken === null && refreshToken === null)
    throw misuse('tokens', 'hold neither an access token nor a refresh token; pass null instead')
  return { accessToken, refreshToken }
}

/** The usable part of stored tokens; null if there is none. Stores outlive versions and have other writers. */
export function usableTokens(tokens: Tokens | null): Tokens | null {
  const refreshToken = usable(tokens?.refreshToken)
  const access = usable(tokens?.accessToken)
  const accessToken = access !== null && readAccessToken(access) ? access : null
  return refreshToken === null && accessToken === null ? null : { accessToken, refreshToken }
}

/** The token, if it is one that can be sent. */
export function usable(token: unknown): string | null {
  const isText = typeof token === 'string' && token !== '' && token !== 'undefined' && token.length <= maxTokenLength
  // The platform answers a NUL, which no database stores, as a mistake of the call.
  return isText && !token.includes('\0') ? token : null
}

/**
 * No session, for apps that need no user. Signing in throws TOKENS_UNAVAILABLE before a request.
 *
 * @example
 * const app = createClientApp({ tokens: noTokens() })
 * const { displayName } = await app.project$.get()
 */
export function noTokens(): TokenStore {
  return {
    read: () => null,
    replace() {
      throw developerError(
        'TOKENS_UNAVAILABLE',
        'noTokens() keeps no session; to sign in, pass cookieTokens() in a browser, memoryTokens() in a script',
      )
    },
  }
}
