import type { Fetch } from './core/web-types'
import type { Clock } from './core/clock'
import { systemClock } from './core/clock'
import { countedClock } from './core/counted-clock'
import { isBrowser, present, surroundings } from './core/host'
import type { Host } from './core/host'
import { isRecord } from './core/is-record'
import { Refcount } from './core/refcount'
import type { ProviderId } from './core/register'
import { AuthError, invalidInput, isAuthError } from './errors/auth-error'
import { navigator } from './navigation/navigate'
import type { Navigate } from './navigation/navigate'
import type { Navigation } from './navigation/targets'
import { resolveUrls } from './navigation/urls'
import type { HandlerUrls } from './navigation/urls'
import { Session } from './session/session'
import { argsIn } from './session/tabs'
import type { TokenContext, TokenSource, TokenStore } from './session/token-store'
import { Cells } from './store/cells'
import { Commits } from './store/commit'
import { coreKey } from './store/kit'
import type { Core, Kit } from './store/kit'
import { checkedRefreshOn, reviveWatched } from './store/revive'
import type { RefreshOn } from './store/revive'
import { SessionState } from './store/session-state'
import type { Write } from './store/write'
import { resolveConfig } from './transport/config'
import type { ConfigOptions, KeyHeaders } from './transport/config'
import type { Access } from './transport/endpoint'
import { checkedPeriod } from './transport/period'
import { Trace } from './transport/trace'

/**
 * What a client app is made with: where the platform is, where tokens are kept, how the page moves.
 *
 * @example
 * const options: ClientOptions = { tokens: cookieTokens(), urls: { signIn: '/welcome' }, refreshOn: { everyMillis: 60_000 } }
 * const app = createClientApp(options)
 */
export interface ClientOptions extends ConfigOptions {
  /** Where the tokens are kept: `cookieTokens()` in a browser, `memoryTokens()` in a script. */
  readonly tokens: TokenSource
  readonly host?: Host
  readonly urls?: Partial<HandlerUrls>
  /** Origins besides our own that a redirect may go to: `https://app.example.com`, `https://*.example.com`. Ports count. */
  readonly trustedDomains?: readonly string[]
  /**
   * What redirects do. Default: 'window' in a browser, 'none' elsewhere. A router passes its own function; it is given an
   * address of this app or an absolute one: on a trusted domain or, to sign in with OAuth, on the platform.
   */
  readonly navigate?: Navigate
  /** More scopes to ask a provider for at every sign-in: `{ google: ['https://www.googleapis.com/auth/calendar'] }`. */
  readonly oauthScopes?: Readonly<Partial<Record<ProviderId, readonly string[]>>>
  /** Watched stores reload then. Default `{ visible: true, online: true }`. */
  readonly refreshOn?: RefreshOn
  /**
   * For new passwords, in characters: PASSWORD_TOO_SHORT and PASSWORD_TOO_LONG are returned without a request. Default: none;
   * the platform asks for 8, and the kit itself sends nothing that is longer than the platform takes.
   */
  readonly passwordLimits?: { readonly min?: number; readonly max?: number }
  /** How long one attempt of a request may take; Infinity: as long as it likes. Default 30 000, at most 2 147 483 647. */
  readonly attemptTimeoutMillis?: number
  /** Code of the app threw where nobody waits for it. Default: an alert in a browser, the console elsewhere. */
  readonly onUnhandled?: (error: unknown) => void
  readonly fetch?: Fetch
  readonly clock?: Clock
}

const defaultAttemptTimeoutMillis = 30_000

/**
 * A kit: one project, one token store, one cache. Nothing runs until it is used, and nothing keeps running after it.
 *
 * Throws INVALID_INPUT if project or key are missing for a platform that is not on this machine, or an option is no good.
 *
 * @example
 * const kit = createKit({ projectId: '…', publishableClientKey: '…', tokens: cookieTokens() })
 * user$(kit).subscribe(user => console.log(user?.displayName))
 */
export function createKit(options: ClientOptions): Kit<'client'> {
  return makeKit(options, {})
}

/** A kit with these keys for the levels above client access. */
export function makeKit<A extends Access = 'client'>(options: ClientOptions, keys: KeyHeaders): Kit<A> {
  if (!isRecord(options)) throw invalidInput('options', `is missing: a kit needs at least ${tokensHint}`)
  const config = resolveConfig(options, keys)
  const host = surroundings(options.host)
  const clock = countedClock(checkedClock(options.clock ?? systemClock))
  const trace = new Trace(clock)
  // Code of the app like any other: what it asks for waits until all are told, and it stops nobody.
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
  const session = new Session(
    {
      config,
      clock,
      trace,
      attemptTimeoutMillis: checkedPeriod(
        'attemptTimeoutMillis',
        options.attemptTimeoutMillis ?? defaultAttemptTimeoutMillis,
      ),
      // Read when it is called: tests and service workers replace the global one.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      isOnline: () => present(host.online$, true),
    },
    tokenStoreOf(tokens, { projectId: config.projectId, clock, host }),
    host,
    life.signal,
  )
  const commits = new Commits(trace)
  const sessionState = new SessionState(session, commits, onUnhandled)
  const navigation: Navigation = {
    urls: resolveUrls(options.urls),
    trustedDomains: options.trustedDomains ?? [],
    href: () => (isBrowser() ? window.location.href : undefined),
    go: navigator(options.navigate),
  }
  const refreshOn = checkedRefreshOn(options.refreshOn)
  const reviving = new Refcount(() => reviveWatched(core, refreshOn))
  const cells = new Cells(cell => {
    const ends = [reviving.hold(), cell.isOwned ? session.watch() : undefined]
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
    sessionState.end()
    trace.end()
  }
  // Where the runtime has no Symbol.dispose, `using` cannot be written either.
  const kit = { dispose, ...(Symbol.dispose && { [Symbol.dispose]: dispose }) } as Kit<'client'>
  const core: Core = {
    kit,
    clock,
    host,
    transport: session.transport,
    session,
    sessionState,
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
      commits.touch(sessionState)
      for (const cell of cells) if (cell.source.shown) commits.touch(cell)
    })
    // When all stores show it: this commit may have to wait until another one has been told.
    if (change !== 'none')
      commits.after(() => {
        trace.emit(() => ({ type: 'identity', to, cause }))
      })
  }
  session.onStale = ({ userId, stores }) => {
    // Each once: a second time would outdate the load that the first has started.
    const stale = new Set(stores.flatMap(([name, args]) => cells.named(name, argsIn(args) ?? {})))
    const mayBeOurs = userId === null || userId === session.identity.userId
    for (const cell of stale) if (!cell.isOwned || mayBeOurs) void cell.invalidate(cells.tick())
  }
  // Its levels are in its keys; the type parameter only repeats them.
  return Object.assign(kit, { [coreKey]: core }) as Kit<never> as Kit<A>
}

const word = () => '[kit]'

/** The core holds keys and tokens, and every app and store leads to it: what prints or logs one of them does not show it. */
const unprinted = { toJSON: word, [Symbol.for('nodejs.util.inspect.custom')]: word }

const tokensHint = '{ tokens: cookieTokens() } in a browser, { tokens: memoryTokens() } in a script'

/** The store that the option means. The usual slips are a name for a store, and a function that was not called. */
function tokenStoreOf(tokens: TokenSource | undefined, context: TokenContext): TokenStore {
  const store: unknown = typeof tokens === 'function' ? tokens(context) : tokens
  if (isRecord(store) && typeof store['read'] === 'function') return store as unknown as TokenStore
  if (typeof tokens === 'function')
    throw invalidInput('tokens', `is a function that gives no token store; call it: cookieTokens(), not cookieTokens`)
  throw invalidInput('tokens', `${tokens === undefined ? 'is missing' : 'is no token store'}; pass ${tokensHint}`)
}

/** A clock of an app that has been written for an earlier version has wall time alone, which may go back. */
function checkedClock(clock: Clock): Clock {
  if (typeof (clock as Partial<Clock>).monotonic === 'function') return clock
  throw invalidInput('clock', 'lacks monotonic(), milliseconds that only grow; take it over from systemClock')
}

/** The specification's way to tell of what nobody waits for. */
function report(error: unknown): void {
  const text = isAuthError(error) ? error.message : 'Something went wrong. Please tell the developer of this page.'
  if (isBrowser()) window.alert(text)
  // eslint-disable-next-line no-console -- there is nobody else to tell
  else console.error(error)
}
