import type { PasskeyInput } from '../sign-in/passkey/authenticator'
import type { Clock } from '../core/clock'
import { DEV } from '../core/dev'
import type { Host } from '../core/host'
import { isRecord } from '../core/values'
import type { ProviderId } from '../core/register'
import type { Fetch } from '../core/web-types'
import { assertKnownNames, misuse } from '../errors/auth-error'
import { urlNames, type Navigate, type UrlOptions } from '../navigation/urls'
import type { TokenContext, TokenSource, TokenStore } from '../session/token-store'
import type { RefreshOn } from '../store/refresh-if-stale'
import type { ConfigOptions } from '../transport/config'

/**
 * Options of a client app: the platform, the token store, navigation.
 *
 * @example
 * const options: ClientOptions = { tokens: cookieTokens(), urls: { signIn: '/welcome' }, refreshOn: { everyMillis: 60_000 } }
 * const app = createClientApp(options)
 */
export interface ClientOptions extends ConfigOptions {
  /** The token store: `cookieTokens()` in a browser, `memoryTokens()` in a script. */
  readonly tokens: TokenSource
  readonly host?: Host
  readonly urls?: UrlOptions
  /**
   * Origins allowed for redirects besides the page's own: `https://app.example.com`, `https://*.example.com`. Ports count.
   */
  readonly trustedDomains?: readonly string[]
  /**
   * Origins of your own backend besides the page's own, to which `app.fetch` and `ownFetch` send the access token. Same
   * syntax: `https://api.example.com`, `https://*.example.com`. Ports count.
   */
  readonly apiOrigins?: readonly string[]
  /**
   * How redirects navigate. Default: 'window' in a browser, 'none' elsewhere. A router passes its own function, which gets a
   * URL of this app, an absolute one on a trusted domain or, to sign in with OAuth, one of the platform.
   */
  readonly navigate?: Navigate
  /** Additional scopes of a provider at every sign-in: `{ google: ['https://www.googleapis.com/auth/calendar'] }`. */
  readonly oauthScopes?: Readonly<Partial<Record<ProviderId, readonly string[]>>>
  /** When watched stores reload. Default `{ visible: true, online: true }`. */
  readonly refreshOn?: RefreshOn
  /**
   * Limits of new passwords in characters: PASSWORD_TOO_SHORT and PASSWORD_TOO_LONG are returned without a request. Default:
   * none; the platform requires 8, and the kit never sends more than it accepts.
   */
  readonly passwordLimits?: { readonly min?: number; readonly max?: number }
  /**
   * The site of this app's passkeys, and what creates and uses them: the default of each call. Passkeys of several hosts need
   * `hostname`, a parent domain of all, since a removal by `updateUser` names no host.
   */
  readonly passkeys?: PasskeyInput
  /** The limit of one attempt of a request; Infinity: none. Default 30 000, at most 2 147 483 647. */
  readonly attemptTimeoutMillis?: number
  /** Called with an error of the app's code that no caller awaits. Default: the console and, in a browser, an alert. */
  readonly onUnhandled?: (error: unknown) => void
  readonly fetch?: Fetch
  readonly clock?: Clock
}

export const defaultAttemptTimeoutMillis = 30_000

export const tokensHint = DEV ? '{ tokens: cookieTokens() } in a browser, { tokens: memoryTokens() } in a script' : ''

const onServer = DEV ? 'write withTokens(requestTokens(request))' : ''

/** The token store of the option. Common mistakes are a name of a store, and a function that was not called. */
export function tokenStoreOf(tokens: TokenSource | undefined, context: TokenContext, isServer?: boolean): TokenStore {
  const store: unknown = typeof tokens === 'function' ? tokens(context) : tokens
  if (isRecord(store) && typeof store['read'] === 'function') return store as unknown as TokenStore
  const hint = isServer ? onServer : `pass ${tokensHint}`
  throw misuse(
    'tokens',
    typeof tokens === 'function'
      ? 'is a function that returns no token store; call it: cookieTokens(), not cookieTokens'
      : isRecord(tokens) && 'headers' in tokens
        ? `is a request; ${onServer}`
        : tokens
          ? `is not a token store; ${hint}`
          : `is missing; ${hint}${isServer ? '' : `, and on a server ${onServer}`}`,
  )
}

/** Clocks written for earlier versions have only wall time, which may go back. */
export function checkedClock(clock: Clock): Clock {
  if (typeof (clock as Partial<Clock>).monotonic === 'function') return clock
  throw misuse('clock', 'lacks monotonic(), milliseconds that never decrease; take it from systemClock')
}

/**
 * Throws INVALID_INPUT for an option of an app that does not exist. Bundles for production contain no names of options, and
 * `createKit` does without.
 */
export const assertKnownOptions: (options: object | undefined) => void = DEV
  ? options => {
      // The options of apps of all levels, since one object may serve several.
      const names =
        'projectId publishableClientKey baseUrl extraHeaders tokens host urls trustedDomains apiOrigins navigate oauthScopes refreshOn passwordLimits passkeys attemptTimeoutMillis onUnhandled fetch clock secretServerKey shareRefreshes keysCache partitioned superSecretAdminKey owner'
      const { urls, refreshOn, passwordLimits, passkeys } = (options ?? {}) as Partial<ClientOptions>
      assertKnownNames(options, names)
      assertKnownNames(urls, urlNames.join(' '), 'urls.')
      assertKnownNames(refreshOn, 'visible online everyMillis', 'refreshOn.')
      assertKnownNames(passwordLimits, 'min max', 'passwordLimits.')
      assertKnownNames(passkeys, 'hostname authenticator', 'passkeys.')
    }
  : () => undefined
