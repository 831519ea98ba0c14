import type { Fetch } from '../core/web-types'
import type { Clock } from '../core/clock'
import { systemClock } from '../core/clock'
import { countedClock } from '../core/counted-clock'
import { isBrowser, present, browserHost } from '../core/host'
import type { Host } from '../core/host'
import { isRecord } from '../core/is-record'
import { Refcount } from '../core/refcount'
import type { ProviderId } from '../core/register'
import { AuthError, invalidInput, isAuthError } from '../errors/auth-error'
import { isErrorCode } from '../errors/codes'
import { navigator } from '../navigation/navigate'
import type { Navigate } from '../navigation/navigate'
import type { Navigation } from '../navigation/targets'
import { resolveUrls } from '../navigation/urls'
import type { HandlerUrls } from '../navigation/urls'
import { TokenSession } from '../session/token-session'
import { argsIn } from '../session/tabs'
import type { TokenContext, TokenSource, TokenStore } from '../session/token-store'
import { Cells } from '../store/cells'
import { Commits } from '../store/commit'
import { coreKey } from '../store/core'
import type { Core } from '../store/core'
import type { Kit } from '../store/kit'
import { checkedRefreshOn, refreshWatchedIfStale } from '../store/refresh-if-stale'
import type { RefreshOn } from '../store/refresh-if-stale'
import { CommittedSession } from '../store/committed-session'
import type { Write } from '../store/write'
import { resolveConfig } from '../transport/config'
import type { ConfigOptions, KeyHeaders } from '../transport/config'
import type { Access } from '../transport/endpoint'
import { checkedPeriod } from '../transport/period'
import { Trace } from '../transport/trace'

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
  readonly urls?: Partial<HandlerUrls>
  /**
   * Origins allowed for redirects besides the page's own: `https://app.example.com`, `https://*.example.com`. Ports count.
   */
  readonly trustedDomains?: readonly string[]
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
  /** The limit of one attempt of a request; Infinity: none. Default 30 000, at most 2 147 483 647. */
  readonly attemptTimeoutMillis?: number
  /** Called with an error of the app's code that no caller awaits. Default: the console and, in a browser, an alert. */
  readonly onUnhandled?: (error: unknown) => void
  readonly fetch?: Fetch
  readonly clock?: Clock
}

const defaultAttemptTimeoutMillis = 30_000

/**
 * A kit: one project, one token store, one cache. It starts nothing until it is used, and leaves nothing running afterwards.
 *
 * Throws INVALID_INPUT if the project or key is missing for a platform that is not on this machine, or an option is invalid.
 *
 * @example
 * const kit = createKit({ projectId: '…', publishableClientKey: '…', tokens: cookieTokens() })
 * user$(kit).subscribe(user => console.log(user?.displayName))
 */
export function createKit(options: ClientOptions): Kit<'client'> {
  return makeKit(options, {})
}

/** A kit with these keys for levels above client access. */
export function makeKit<A extends Access = 'client'>(options: ClientOptions, keys: KeyHeaders): Kit<A> {
  if (!isRecord(options)) throw invalidInput('options', `is missing: a kit needs at least ${tokensHint}`)
  const config = resolveConfig(options, keys)
  const host = browserHost(options.host)
  const clock = countedClock(checkedClock(options.clock ?? systemClock))
  const trace = new Trace(clock)
  // Code of the app: commits that it requests wait, and its errors stop no other subscriber.
  const onUnhandled = (error: unknown) => {
    commits.after(() => {
      try {
        const tell = options.onUnhandled ?? report
        tell(error)
      } catch (thrown) {
        report(thrown)
      }
    })
  }
  const life = new AbortController()
  const { tokens } = options
  const session = new TokenSession(
    {
      config,
      clock,
      trace,
      attemptTimeoutMillis: checkedPeriod(
        'attemptTimeoutMillis',
        options.attemptTimeoutMillis ?? defaultAttemptTimeoutMillis,
      ),
      // Read at call time: tests and service workers replace the global.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      isOnline: () => present(host.online$, true),
    },
    tokenStoreOf(tokens, { projectId: config.projectId, clock, host }),
    host,
    life.signal,
  )
  const commits = new Commits(trace)
  const committedSession = new CommittedSession(session, commits, onUnhandled)
  const navigation: Navigation = {
    urls: resolveUrls(options.urls),
    trustedDomains: options.trustedDomains ?? [],
    href: () => (isBrowser() ? window.location.href : undefined),
    go: navigator(options.navigate),
  }
  const refreshOn = checkedRefreshOn(options.refreshOn)
  const refreshing = new Refcount(() => refreshWatchedIfStale(core, refreshOn))
  const cells = new Cells(cell => {
    const ends = [refreshing.retainOnce(), cell.isOwned ? session.retain() : undefined]
    return () => {
      for (const end of ends) end?.()
    }
  })
  const dispose = () => {
    if (life.signal.aborted) return
    const error = new AuthError('DISPOSED', 'this kit has been disposed of')
    life.abort(error)
    for (const member of [...commits.dependents, ...cells]) member.dispose(error)
    session.dispose()
    committedSession.end()
    trace.end()
  }
  // `using` needs Symbol.dispose, so without it nothing is lost.
  const kit = { dispose, ...(Symbol.dispose && { [Symbol.dispose]: dispose }) } as Kit<'client'>
  const core: Core = {
    kit,
    clock,
    host,
    transport: session.transport,
    session,
    committedSession,
    commits,
    cells,
    navigation,
    passwordLimits: options.passwordLimits ?? {},
    oauthScopes: options.oauthScopes ?? {},
    writes: new Set<Write>(),
    slots: new Map(),
    onUnhandled,
    assertAlive() {
      life.signal.throwIfAborted()
    },
    ...unprinted,
  }
  session.onChange = (change, cause) => {
    const { kind: to } = session.identity
    commits.run(`session: ${cause}`, () => {
      const isOther = change === 'other'
      if (isOther || (change === 'learnt' && to === 'signed-out'))
        for (const cell of [...cells]) if (cell.isOwned) cell.reset(undefined, !isOther)
      commits.touch(committedSession)
      for (const cell of cells) if (cell.source.shown) commits.touch(cell)
    })
    // After all stores show it: this commit may have to wait for another one's notifications.
    if (change !== 'none')
      commits.after(() => {
        trace.emit(() => ({ type: 'identity', to, cause }))
      })
  }
  session.onStale = ({ userId, stores }) => {
    // Each cell once: a second time would outdate the load that the first has started.
    const stale = new Set(stores.flatMap(([name, args]) => cells.named(name, argsIn(args) ?? {})))
    const mayBeOurs = userId === null || userId === session.identity.userId
    for (const cell of stale) if (!cell.isOwned || mayBeOurs) void cell.invalidate(cells.tick())
  }
  // The levels are in the keys; the type parameter only repeats them.
  return Object.assign(kit, { [coreKey]: core }) as Kit<never> as Kit<A>
}

const word = () => '[kit]'

/**
 * The core contains keys and tokens and is reachable from every app and store, so that printing and logging must not show
 * it.
 */
const unprinted = { toJSON: word, [Symbol.for('nodejs.util.inspect.custom')]: word }

const tokensHint = '{ tokens: cookieTokens() } in a browser, { tokens: memoryTokens() } in a script'

/** The token store of the option. Common mistakes are a name of a store, and a function that was not called. */
function tokenStoreOf(tokens: TokenSource | undefined, context: TokenContext): TokenStore {
  const store: unknown = typeof tokens === 'function' ? tokens(context) : tokens
  if (isRecord(store) && typeof store['read'] === 'function') return store as unknown as TokenStore
  if (typeof tokens === 'function')
    throw invalidInput('tokens', `is a function that returns no token store; call it: cookieTokens(), not cookieTokens`)
  throw invalidInput('tokens', `${tokens === undefined ? 'is missing' : 'is not a token store'}; pass ${tokensHint}`)
}

/** Clocks written for earlier versions have only wall time, which may go back. */
function checkedClock(clock: Clock): Clock {
  if (typeof (clock as Partial<Clock>).monotonic === 'function') return clock
  throw invalidInput('clock', 'lacks monotonic(), milliseconds that never decrease; take it from systemClock')
}

/** Default report of unhandled errors, as the specification defines it. */
function report(error: unknown): void {
  // Messages of the kit itself are for developers, not for users.
  const isForUsers = isAuthError(error) && isErrorCode(error.code)
  if (isBrowser())
    window.alert(isForUsers ? error.message : 'Something went wrong. Please tell the developer of this page.')
  // eslint-disable-next-line no-console -- no caller awaits it
  console.error(error)
}
