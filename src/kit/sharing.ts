import { systemClock } from '../core/clock'
import { DEV } from '../core/dev'
import { invalidInput } from '../errors/auth-error'
import { processHash, sharedRefreshes } from '../session/requests/shared-refreshes'
import type { TokenSource } from '../session/token-store'
import type { Transport } from '../transport/transport'
import type { ClientOptions } from './options'

/**
 * Options of an app whose apps of single requests share their refreshes.
 *
 * @example
 * const options: RenderedServerOptions = { shareRefreshes: 'none' }
 */
export interface RenderedServerOptions {
  /**
   * Whether the apps of `withTokens` that ask with the same refresh token share one refresh: those of one moment, and those
   * of the next ten seconds, before the browser has the new tokens. 'process': in this process, over all copies of the
   * package. Default: that, and 'none' on edge runtimes, where requests may not wait for each other.
   */
  readonly shareRefreshes?: 'process' | 'none'
}

/** How the apps of requests refresh; undefined: each on its own. */
export function sharing({
  shareRefreshes = 'process',
  fetch,
  clock = systemClock,
}: RenderedServerOptions & Pick<ClientOptions, 'fetch' | 'clock'>): Transport['shared'] {
  if (shareRefreshes !== 'process' && shareRefreshes !== 'none')
    throw invalidInput('shareRefreshes', DEV ? "must be 'process' or 'none'" : '')
  const hash = shareRefreshes === 'none' ? undefined : processHash()
  // The global fetch is read at call time, since frameworks replace it.
  return hash && sharedRefreshes(() => fetch ?? globalThis.fetch, clock, hash)
}

/** The tokens of a request, which need not be stored while other requests of this process find them. */
export function sharedTokens(tokens: TokenSource, shared: Transport['shared']): TokenSource {
  if (!shared || typeof tokens !== 'function') return tokens
  return context => tokens({ ...context, isKept: refreshToken => shared.isKept(refreshToken) })
}
