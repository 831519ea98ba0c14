import type { Clock } from '../core/clock'
import type { AuthError } from '../errors/auth-error'
import type { Config } from './config'
import type { Credentials } from './credentials'
import type { Trace } from './trace'

/** What all requests share. */
export interface Transport {
  readonly config: Config
  readonly fetch: typeof globalThis.fetch
  readonly clock: Clock
  readonly trace: Trace
  readonly attemptTimeoutMillis: number
  readonly credentials: Credentials
  isOnline(): boolean
  /** By entity of calls that a release may lack: the refusal that says so, or null after a success. */
  readonly absent: Map<string | undefined, AuthError | null>
}

/** The URL of a call: below `/api/v1` of the base. */
export function apiUrl(config: Config, path: string): string {
  return `${config.baseUrl}/api/v1${path}`.replace(/\/$/, '')
}
