import { DEV } from '../core/dev'
import { OUTSIDE_BROWSERS } from '../core/outside-browsers'
import { onAbort, throwIfAborted } from '../core/signals'
import { argsIn } from '../session/tabs'
import { coreKey, type Core, type Kit } from '../store/kit-parts'
import { isBrowser, browserHost, present, type Host } from '../core/host'
import { isAuthError, misuse, developerError } from '../errors/auth-error'
import { isErrorCode } from '../errors/codes'
import { systemClock, countedClock, type CountedClock } from '../core/clock'
import { isRecord } from '../core/values'
import { Listeners } from '../core/listeners'
import { Refcount } from '../core/refcount'
import { navigator } from '../navigation/urls'
import type { Navigation } from '../navigation/targets'
import { TokenSession } from '../session/token-session'
import { Cells } from '../store/cells'
import { Commits } from '../store/commit'
import { CommittedSession } from '../store/committed-session'
import { checkedRefreshOn, refreshWatchedIfStale } from '../store/refresh-if-stale'
import { resolveConfig, checkedPeriod, type Config, type KeyHeaders } from '../transport/config'
import type { Access } from '../transport/endpoint'
import { settingsOf } from '../errors/setting'
import { Trace, type Transport } from '../transport/transport'
import { checkedClock, defaultAttemptTimeoutMillis, tokensHint, tokenStoreOf, type ClientOptions } from './options'
import { keptApp } from './kept-app'

/** How many kits live, by their `fetch` and their project. Read in development only; module state holds nothing of an app. */
const living = (DEV ? new WeakMap() : undefined) as WeakMap<object, Map<string, number>>

/**
 * Warns once of kits of a page that are made again and again with the same options, as by a component that React renders anew.
 * Not on servers, where each request has its own.
 */
export const countKit: (session: TokenSession, fetch: object | undefined) => void = DEV
  ? (session, fetch = globalThis) => {
      if (typeof window === 'undefined') return
      // A page has a few kits, and React's StrictMode makes two of each.
      const many = 10
      const { transport, store } = session
      const { projectId, baseUrl } = transport.config
      const name = `${projectId} ${baseUrl} ${store.sharedAs ?? ''}`
      const counts = living.get(fetch) ?? new Map<string, number>()
      living.set(fetch, counts)
      const add = (more: number) => {
        const count = (counts.get(name) ?? 0) + more
        // NaN stays NaN: it is told once.
        counts.set(name, count === many ? NaN : count)
        return count
      }
      onAbort(session.ended, () => add(-1))
      if (add(1) === many)
        // eslint-disable-next-line no-console -- no caller awaits it
        console.warn(
          `rxauth: ${many} apps of project "${projectId}" with the same options were made, and none was disposed of. ` +
            'createClientApp() is probably called in a component: React throws away a first render that suspends, with its ' +
            'useState and useMemo, and makes another app. Call it at module level, or in useState above everything that suspends. ' +
            'Elsewhere, as after a test or a hot update, call app.dispose().',
        )
    }
  : () => undefined

/** Commits what a change of the session, or a write in another tab, means for the stores of the kit. */
function followSession({ session, committedSession, commits, cells, transport, changing }: Core): void {
  session.changed.add((change, cause) => {
    const { kind: to } = session.identity
    commits.run(`session: ${cause}`, () => {
      changing.tell(cause)
      const isOther = change === 'other'
      if (isOther || (change === 'learnt' && to === 'signed-out'))
        for (const cell of [...cells]) if (cell.isOwned) cell.reset(undefined, !isOther)
      commits.touch(committedSession)
      // Values may depend on the identity.
      for (const cell of cells) commits.touch(cell)
    })
    // After all stores show it: this commit may have to wait for another one's notifications.
    if (change !== 'none')
      commits.after(() => {
        transport.trace.emit(() => ({ type: 'identity', to, cause }))
      })
  })
  session.stale.add(({ userId, stores }) => {
    cells.changedAt = session.clock.now()
    // Each cell once: a second time would outdate the load that the first has started.
    const stale = new Set(stores.flatMap(([name, args]) => cells.named(name, argsIn(args) ?? {})))
    const mayBeOurs = userId === null || userId === session.identity.userId
    for (const cell of stale) if (!cell.isOwned || mayBeOurs) void cell.invalidate(cells.tick())
  })
}

/** Reports errors of the app's code that no caller awaits: to the app's own function, else to `report`. */
function unhandledBy(commits: Commits, tell: (error: unknown) => void = report): (error: unknown) => void {
  // Code of the app: commits that it requests wait, and its errors stop no other subscriber.
  return error => {
    commits.after(() => {
      try {
        tell(error)
      } catch (thrown) {
        report(thrown)
      }
    })
  }
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

/**
 * A kit: one project, one token store, one cache. It starts nothing until it is used, and leaves nothing running afterwards.
 *
 * It reads no environment: `environmentOptions()` does, and has the address of the hosted platform where no variable names one.
 *
 * Throws INVALID_INPUT if `baseUrl` is missing, if the project is missing for a platform that is not on this machine, or if an
 * option is invalid.
 *
 * @example
 * const kit = createKit({ ...environmentOptions(), tokens: cookieTokens() })
 * user$(kit).subscribe(user => console.log(user?.displayName))
 */
export function createKit(options: ClientOptions): Kit<'client'> {
  return OUTSIDE_BROWSERS ? keptApp(options, given => makeKit(given, {})) : makeKit(options, {})
}

/** A kit with these keys for levels above client access; `caller`: the function that messages name; `shared`: how it refreshes with others. */
export function makeKit<A extends Access = 'client'>(
  options: ClientOptions,
  keys: KeyHeaders,
  caller?: string,
  shared?: Transport['shared'],
): Kit<A> {
  if (!isRecord(options)) throw misuse('options', `is missing: a kit needs at least ${tokensHint}`)
  const config = resolveConfig(options, keys, caller)
  const host = browserHost(options.host)
  const clock = countedClock(checkedClock(options.clock ?? systemClock))
  const trace = new Trace(clock)
  const tokens = tokenStoreOf(options.tokens, { projectId: config.projectId, clock, host }, 'server' in keys)
  const commits = new Commits(trace)
  const onUnhandled = unhandledBy(commits, options.onUnhandled)
  const session = new TokenSession(
    { ...transportOf(options, config, host, clock, trace), shared },
    tokens,
    host,
    onUnhandled,
  )
  const committedSession = new CommittedSession(session, onUnhandled)
  const refreshOn = checkedRefreshOn(options.refreshOn)
  const refreshing = new Refcount(() => refreshWatchedIfStale(core, refreshOn))
  const cells = new Cells(cell => {
    const ends = [refreshing.retainOnce(), cell.isOwned ? session.retain() : cell.source.retain?.(kit)]
    return () => {
      for (const end of ends) end?.()
    }
  })
  const dispose = () => {
    if (session.ended.aborted) return
    const error = developerError('DISPOSED', 'this kit has been disposed of')
    session.close(error)
    for (const member of [...commits.dependents, ...cells]) member.dispose(error)
    session.dispose()
    committedSession.end()
    trace.end()
  }
  // `using` needs Symbol.dispose, so without it nothing is lost.
  const parts = { dispose, ...(Symbol.dispose && { [Symbol.dispose]: dispose }) } as Kit<'client'>
  const kit = Object.assign(new Unproxied(), parts)
  const core: Core = {
    kit,
    clock,
    host,
    transport: session.transport,
    session,
    committedSession,
    commits,
    cells,
    navigation: navigationOf(options),
    passkeys: options.passkeys ?? {},
    passwordLimits: options.passwordLimits ?? {},
    oauthScopes: options.oauthScopes ?? {},
    writes: new Set(),
    changing: new Listeners(onUnhandled),
    written: new Listeners(onUnhandled),
    slots: new Map(),
    onUnhandled,
    assertAlive() {
      throwIfAborted(session.ended)
    },
    ...unprinted,
  }
  followSession(core)
  countKit(session, options.fetch)
  // The levels are in the keys; the type parameter only repeats them.
  return Object.assign(kit, { [coreKey]: core }) as Kit<never> as Kit<A>
}

function transportOf(
  options: ClientOptions,
  config: Config,
  host: Host,
  clock: CountedClock,
  trace: Trace,
): Omit<Transport, 'credentials'> {
  const { attemptTimeoutMillis = defaultAttemptTimeoutMillis } = options
  return {
    config,
    clock,
    trace,
    attemptTimeoutMillis: checkedPeriod('attemptTimeoutMillis', attemptTimeoutMillis),
    // Read at call time: tests and service workers replace the global.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    isOnline: () => present(host.online$, true),
  }
}

function navigationOf({ urls, trustedDomains, apiOrigins, navigate }: ClientOptions): Navigation {
  return {
    urls: { ...urls },
    trustedDomains: settingsOf('trustedDomains', trustedDomains),
    apiOrigins: settingsOf('apiOrigins', apiOrigins),
    href: () => (isBrowser() ? window.location.href : undefined),
    go: navigator(navigate),
  }
}

/** No plain object, of which MobX would make a copy, and none that Vue would wrap: a proxy cannot read private members. */
export class Unproxied {
  get __v_skip(): boolean {
    return true
  }
}

const word = () => '[kit]'

/**
 * The core contains keys and tokens and is reachable from every app and store, so that printing and logging must not show
 * it.
 */
const unprinted = { toJSON: word, [Symbol.for('nodejs.util.inspect.custom')]: word }
