import { Observable, Subject } from 'rxjs'
import type { CountedClock, TappedClock } from '../core/clock'
import type { attempt } from './attempt'
import type { Config } from './config'
import { claimsOf, readAccessToken, type Credentials, type Tokens } from './access-token'
import type { Absent, Access } from './endpoint'
import { isRecord } from '../core/values'

/** An action of the kit and its reason. Contains no bodies, queries, headers or e-mail addresses, so it needs no redaction. */
export type TraceEvent = { readonly at: Date } & (
  | {
      readonly type: 'request'
      readonly method: string
      /** The declared route, with its parameters unfilled. */
      readonly path: string
      /** 1 for the first. */
      readonly attempt: number
      readonly status: number | null
      readonly code: string | null
      readonly millis: number
    }
  | {
      readonly type: 'retry'
      readonly method: string
      readonly path: string
      readonly cause: string
      readonly waitMillis: number
    }
  | { readonly type: 'refresh'; readonly outcome: 'refreshed' | 'taken-over' | 'ended' | 'transient' }
  /** An item of a list cannot be read, and is left out. `field`: what is not as documented. */
  | { readonly type: 'left-out'; readonly path: string; readonly id: string; readonly field: string }
  | { readonly type: 'oauth-callback'; readonly outcome: 'ignored'; readonly reason: string }
  /** Another session, or none; new tokens of the same session are no change. `cause`: what changed it. */
  | { readonly type: 'identity'; readonly to: 'unknown' | 'signed-out' | 'user'; readonly cause: string }
  | { readonly type: 'commit'; readonly cause: string; readonly stores: readonly string[] }
)

type Untimed<E> = E extends unknown ? Omit<E, 'at'> : never

/** Builds no events without subscribers or a listener of the tap. */
export class Trace {
  /** The number of subscribers. */
  listeners = 0
  readonly events$ = new Observable<TraceEvent>(subscriber => {
    this.listeners++
    subscriber.add(() => this.listeners--)
    subscriber.add(this.#events$.subscribe(subscriber))
  })

  readonly #events$ = new Subject<TraceEvent>()
  readonly #clock: TappedClock

  constructor(clock: TappedClock) {
    this.#clock = clock
  }

  end(): void {
    this.#events$.complete()
  }

  emit(event: () => Untimed<TraceEvent>): void {
    this.#clock.tap?.tell?.(event())
    // Sound: the union member that `event` made, plus its date.
    if (this.#events$.observed) this.#events$.next({ at: new Date(this.#clock.now()), ...event() })
  }
}

/** The refreshes that kits with the same refresh token share. */
export interface SharedRefreshes {
  /** How a kit that holds this access token attempts a refresh. */
  attempt(held: string | null | undefined): typeof attempt
  /** Whether a later kit that asks with the former refresh token gets this one, its successor. */
  isKept(refreshToken: string): boolean
  /** The session of this refresh token has ended, or the answer is of another user. */
  forget(refreshToken: string): void
}

/** The parts of a kit that all its requests share. */
export interface Transport {
  readonly config: Config
  readonly fetch: typeof globalThis.fetch
  readonly clock: CountedClock
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

/** The parts of a request that identify its user. */
export interface Whose {
  /** With the query. */
  readonly path: string
  readonly fixed: Readonly<Record<string, string>>
  readonly access: Access
  readonly tokens: Tokens | null
}

/**
 * The field of the answer that names another user than the access token: the token sent with a request about "me", or the
 * one in the answer to a sign-in. Undefined: none.
 */
export function misnamed(answer: unknown, { path, fixed, access, tokens }: Whose): string | undefined {
  // At client access, API keys are always the user's own, without "me" in the path.
  const isOwnKey = access === 'client' && path.startsWith('/user-api-keys/')
  const isOwn = isOwnKey || fixed['user_id'] === 'me' || /[/=]me(?=[/?&]|$)/.test(path)
  const token: unknown = isRecord(answer) && answer['access_token']
  const claims = isOwn ? claimsOf(tokens) : typeof token === 'string' ? readAccessToken(token) : null
  const userId = claims?.userId
  if (userId === undefined) return undefined
  const field = path === '/users/me' ? 'id' : 'user_id'
  const items: unknown = isRecord(answer) && Array.isArray(answer['items']) ? answer['items'] : [answer]
  const isOther = (item: unknown) => isRecord(item) && typeof item[field] === 'string' && item[field] !== userId
  return (items as unknown[]).some(isOther) ? field : undefined
}
