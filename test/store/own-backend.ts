import { createKit, query, type ClientOptions, type Kit, type Store, type Tokens, type TokenStore } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { Subject, type Observable } from 'rxjs'
import { countedClock } from '../../src/core/clock'
import { holdsSame } from '../../src/session/token-store'
import { coreOf } from '../../src/store/kit-parts'
import { accessTokenText } from '../session/access-token-text'

/** One request to the app's own backend. */
export interface Asked<T> {
  readonly input: object
  readonly signal: AbortSignal
  answer(value: T): void
  refuse(error: unknown): void
}

/** The app's own backend, which answers when the test says. */
export class Backend<T> {
  readonly asked: Asked<T>[] = []

  get last(): Asked<T> {
    const last = this.asked.at(-1)
    if (!last) throw new Error('the backend has not been asked anything')
    return last
  }

  readonly ask = (_: Kit, input: object, { signal }: { readonly signal: AbortSignal }): Promise<T> =>
    new Promise((resolve, reject) => this.asked.push({ input, signal, answer: resolve, refuse: reject }))
}

/** A user's unsigned tokens. */
export function tokensOf(person: string, session = 1): Tokens {
  return {
    accessToken: accessTokenText({ sub: person, refreshTokenId: `${person}-${session}` }),
    refreshToken: `refresh-${person}-${session}`,
  }
}

/** A token store with other writers. */
export class SharedTokens implements TokenStore {
  readonly #changed$ = new Subject<void>()
  readonly changes$ = this.#changed$.asObservable()
  #tokens: Tokens | null

  constructor(initial: Tokens | null) {
    this.#tokens = initial
  }

  read(): Tokens | null {
    return this.#tokens
  }

  replace(expected: Tokens | null, next: Tokens | null): boolean {
    if (!holdsSame(this.#tokens, expected)) return false
    this.#tokens = next
    return true
  }

  /** Another writer has changed it; watchers read it. */
  write(next: Tokens | null): void {
    this.#tokens = next
    this.#changed$.next()
  }
}

/** A kit on a virtual clock without a platform: its stores have backends of the test. */
export function ownKit({ person, ...options }: Partial<ClientOptions> & { readonly person?: string | null } = {}) {
  const clock = virtualClock()
  const timers = countedClock(clock)
  const unhandled: unknown[] = []
  const tokens = new SharedTokens(person === null ? null : tokensOf(person ?? 'ada'))
  const kit = createKit({
    baseUrl: 'http://localhost',
    clock: timers,
    tokens,
    fetch: () => Promise.reject(new TypeError('no network')),
    onUnhandled: error => unhandled.push(error),
    ...options,
  })
  const run = () => clock.advance(0)
  return {
    kit,
    clock,
    timers,
    tokens,
    unhandled,
    /** Runs what is ready. */
    run,
    /** Lets the backend answer the last request. */
    async answer<T>(backend: Backend<T>, value: T) {
      await run()
      backend.last.answer(value)
      await run()
    },
    async refuse(backend: Backend<never>, error: unknown) {
      await run()
      backend.last.refuse(error)
      await run()
    },
  }
}

/** One store of such a kit: a text of the app or of ada's session. */
export function notes(ownedBy: 'app' | 'session' = 'app', options: Parameters<typeof ownKit>[0] = {}) {
  const own = ownKit(options)
  const backend = new Backend<string>()
  const notes$ =
    ownedBy === 'app'
      ? query(backend.ask, { key: 'notes', ownedBy })
      : query(backend.ask, { key: 'notes', ownedBy, signedOut: 'nothing' })
  return {
    ...own,
    backend,
    notes$,
    store: notes$(own.kit),
    cells: () => [...coreOf(own.kit).cells].length,
    answer: (value: string) => own.answer(backend, value),
    refuse: (error: unknown) => own.refuse(backend as Backend<never>, error),
  }
}

/** The emissions of a stream: values as they are, its end as `error: CODE` or `complete`. */
export function record<T>(stream$: Observable<T>) {
  const told: unknown[] = []
  const subscription = stream$.subscribe({
    next: value => told.push(value),
    error: (error: unknown) => told.push(`error: ${codeOf(error)}`),
    complete: () => told.push('complete'),
  })
  return { told, stop: () => subscription.unsubscribe() }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/** The state of a promise: its value, the code of its error, or 'pending'. */
export function outcome(promise: Promise<unknown>) {
  const settled = { value: 'pending' as unknown }
  promise.then(
    value => (settled.value = value),
    (error: unknown) => (settled.value = `error: ${codeOf(error)}`),
  )
  return settled
}

/** A snapshot in which instants are milliseconds since the clock began, and errors are codes. */
export function plain(store: Store<unknown>) {
  const start = virtualClock().now()
  return Object.fromEntries(
    Object.entries(store.snapshot).map(([key, value]: [string, unknown]) => [
      key,
      value instanceof Date && key.endsWith('At') ? value.getTime() - start : key === 'error' ? codeOf(value) : value,
    ]),
  )
}

export function ready(value: unknown, more: object = {}) {
  return { status: 'ready', value, fetchedAt: 0, refreshing: false, unconfirmed: 0, ...more }
}
