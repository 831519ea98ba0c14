import { systemClock } from '../core/clock'
import { misuse } from '../errors/auth-error'
import { processHash, sharedRefreshes } from '../session/requests/shared-refreshes'
import type { TokenContext, TokenSource } from '../session/token-store'
import type { Transport } from '../transport/transport'
import type { ClientOptions } from './options'
import { Unproxied } from './create-kit'
import { clientMembers, type ClientApp } from './client-app'
import { bindings, type Bound } from './bind'
import * as server from '../entities/server'
import type { Kit } from '../store/kit'

/** Options of an app whose apps of single requests share their refreshes. */
export interface RenderedServerOptions {
  /**
   * Whether the apps of `withTokens` that ask with the same refresh token share one refresh: those of one moment, and those
   * of the next ten seconds, before the browser has the new tokens. 'process': in this process, over all copies of the
   * package. Default: that, and 'none' on edge runtimes, where requests may not wait for each other.
   */
  readonly shareRefreshes?: 'process' | 'none'
  /** Whether the cookies of requests are those of `cookieTokens({ partitioned: true })`. Default false. */
  readonly partitioned?: boolean
}

/** How the apps of requests refresh; undefined: each on its own. */
export function sharing({
  shareRefreshes = 'process',
  fetch,
  clock = systemClock,
}: RenderedServerOptions & Pick<ClientOptions, 'fetch' | 'clock'>): Transport['shared'] {
  if (shareRefreshes !== 'process' && shareRefreshes !== 'none')
    throw misuse('shareRefreshes', "must be 'process' or 'none'")
  const hash = shareRefreshes === 'none' ? undefined : processHash()
  // The global fetch is read at call time, since frameworks replace it.
  return hash && sharedRefreshes(() => fetch ?? globalThis.fetch, clock, hash)
}

/** The tokens of a request, which need not be stored while other requests of this process find them. */
export function sharedTokens(
  tokens: TokenSource,
  shared: Transport['shared'],
  isPartitioned: boolean | undefined,
): TokenSource {
  if (typeof tokens !== 'function') return tokens
  const kept = shared && { isKept: (refreshToken: string) => shared.isKept(refreshToken) }
  // With the marks of the source.
  return Object.assign((context: TokenContext) => tokens({ ...context, ...kept, isPartitioned }), tokens)
}

/**
 * An app of one request: client and server definitions, and the user of the request's tokens.
 *
 * Members are bound on first use, since a request uses few of them: access them by name (`app.user$`, `const { user$ } =
 * app`). `{ ...app }` and `Object.keys(app)` contain only those already used.
 */
export type RequestApp = ClientApp & Kit<'client' | 'server'> & Bound<typeof server>

/** Creates the apps of one server's requests, which share a prototype that binds each member on first use. */
export function requestApps(level: RequestApp['level']): (kit: Kit<'client' | 'server'>) => RequestApp {
  const prototype = Object.assign(new Unproxied(), { level })
  for (const [name, binding] of [...clientMembers(), ...bindings(server)])
    Object.defineProperty(prototype, name, boundOnUse(name, binding))
  // The prototype has the members of the type, which defineProperty cannot express.
  return kit => Object.setPrototypeOf(kit, prototype) as RequestApp
}

function boundOnUse(name: string, binding: (app: RequestApp) => unknown): PropertyDescriptor {
  // An own property from then on, like the members of other apps.
  const own = (value: unknown) => ({ value, enumerable: true, configurable: true, writable: true })
  return {
    enumerable: true,
    configurable: true,
    get(this: RequestApp) {
      const value = binding(this)
      // A frozen app cannot keep it and gets a new handle each time.
      Reflect.defineProperty(this, name, own(value))
      return value
    },
    // A test replaces a member.
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, own(value))
    },
  }
}
