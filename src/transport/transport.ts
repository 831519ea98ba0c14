import type { Clock } from '../core/clock'
import type { attempt } from './attempt'
import type { Config } from './config'
import type { Credentials } from './credentials'
import type { Absent } from './endpoint'
import type { Trace } from './trace'

/** The refreshes that kits with the same refresh token share. */
export interface SharedRefreshes {
  /** How a kit that holds this access token attempts a refresh. */
  attempt(held: string | null | undefined): typeof attempt
  /** Whether a later kit that asks with the former refresh token gets this one, its successor. */
  isKept(refreshToken: string): boolean
  /** The session of this refresh token has ended. */
  forget(refreshToken: string): void
}

/** What all requests share. */
export interface Transport {
  readonly config: Config
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  readonly trace: Trace
  readonly attemptTimeoutMillis: number
  readonly credentials: Credentials
  isOnline(): boolean
  absent?: Absent
  /** The items that have been named as left out of a list. */
  leftOut?: Set<string>
  /** Where several kits share their refreshes. */
  readonly shared?: SharedRefreshes | undefined
}

/** The URL of a call: below `/api/v1` of the base. */
export function apiUrl(config: Config, path: string): string {
  return `${config.baseUrl}/api/v1${path}`.replace(/\/$/, '')
}
