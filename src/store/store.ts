import type { Signal } from '../core/web-types'
import { Observable } from 'rxjs'
import { unlessAborted } from '../errors/abort'
import { isAuthError } from '../errors/auth-error'
import { isStill, sessionChanged } from '../session/identity'
import type { Identity } from '../session/identity'
import type { Core } from './kit'
import type { Outlet } from './outlet'
import type { Snapshot } from './snapshot'

/**
 * What a read may be told besides its input.
 *
 * @example
 * const options: ReadOptions = { signal: AbortSignal.timeout(5_000) }
 * const teams = await app.teams$.refresh(options)
 */
export interface ReadOptions {
  readonly signal?: Signal
}

/**
 * An entity as an observable with a present tense.
 *
 * Subscribing emits the value as soon as it is known, then each different value; it errors only if a first load fails
 * before there was any value. What a screen shows binds `snapshot$`, which never errors. A store is an inert handle: it can
 * be kept for ever, and costs something only while somebody subscribes or waits.
 *
 * @example
 * const count = async (teams$: Store<Team[]>) => (await teams$.get({ maxAgeMillis: 60_000 })).length
 * await count(app.teams$)
 */
export interface Store<T> extends Observable<T> {
  /** What is known now, without asking for more. */
  readonly snapshot: Snapshot<T>
  readonly snapshot$: Observable<Snapshot<T>>
  /** A value no older than `maxAgeMillis` (default 5000), not marked stale, of the present identity; else loads. */
  get(options?: ReadOptions & { readonly maxAgeMillis?: number }): Promise<T>
  /** Always loads; a value no older than this call. */
  refresh(options?: ReadOptions): Promise<T>
  /** Plain callback for `useSyncExternalStore` and its like; returns unsubscribe. */
  listen(callback: () => void): () => void
}

/** React's way to the parts of a store's kit; not for apps. */
export const partsKey = '~parts'

/** React's snapshot: a component that waits for `get()` watches nothing yet, but may show what that has brought. */
export const seenKey = '~seen'

/** React's short cut to the snapshot of a store that it watches; not for apps. */
export const liveKey = '~live'

/** React's way to tell that two handles are of one store; not for apps. */
export const sameStoreKey = '~isSame'

/** How long a component may take to show what it has waited for: React holds back what comes soon after a fallback. */
const servedMillis = 1000

/** What the stores of a kit have in common, and what they tell each other. */
export abstract class KitStore<T> extends Observable<T> implements Store<T> {
  readonly snapshot$: Observable<Snapshot<T>>
  protected readonly core: Core

  constructor(core: Core) {
    super(subscriber => {
      const outlet = this.watch()
      const { commits } = core
      const isNested = commits.begin()
      try {
        // Nobody would end the wait.
        if (outlet.snapshot.status === 'failed' && this.hasThrown) {
          subscriber.add(outlet.leave)
          subscriber.error(outlet.snapshot.error)
        } else outlet.tellValues(subscriber, commits, isNested)
      } finally {
        if (!isNested) commits.end()
      }
    })
    this.core = core
    this.snapshot$ = new Observable(subscriber => {
      const outlet = this.watch()
      const { commits } = core
      const isNested = commits.begin()
      try {
        outlet.tellSnapshots(subscriber, commits, isNested)
      } finally {
        if (!isNested) commits.end()
      }
    })
  }

  /** For messages: where its value comes from, without the arguments. */
  abstract readonly name: string
  abstract readonly snapshot: Snapshot<T>
  abstract get(options?: ReadOptions & { readonly maxAgeMillis?: number }): Promise<T>
  abstract refresh(options?: ReadOptions): Promise<T>
  abstract listen(callback: () => void): () => void

  /** Whether it shows something of the session. */
  abstract readonly isOwned: boolean
  /** Whether a write has started a load of it that has not settled. */
  abstract readonly isAwaited: boolean
  /** Whether code of the app has failed, which it does again however often something is loaded. */
  abstract readonly hasThrown: boolean
  /** What was known last, whoever is signed in. */
  protected abstract readonly last: Snapshot<T>
  /** When `get()` has given a value last, in monotonic time. */
  protected abstract readonly servedAt: number;
  abstract [sameStoreKey](other: object): boolean

  /** Whether it is a store of this kit. */
  belongsTo(core: Core): boolean {
    return this.core === core
  }

  /** Watches until the returned function is called, but asks for nothing. */
  abstract keep(): () => void

  /** Only where it is computed from others: adds them to `into`, and what they are computed from. */
  collect?(into: Set<KitStore<unknown>>): void
  /** Only where it is computed from others: asks for those that are no good, unless they are in `asked`. */
  ask?(asked: Set<KitStore<unknown>>): void

  get [seenKey](): Snapshot<T> {
    const { snapshot } = this
    return snapshot.status === 'pending' && this.wasServed ? this.last : snapshot
  }

  /** What holds the snapshot, while somebody watches; a store that works its snapshot out when it is asked has none. */
  get [liveKey](): { readonly snapshot: Snapshot<T> } | undefined {
    return undefined
  }

  get [partsKey](): Core {
    return this.core
  }

  /** Whether `get()` has given the value just now, so that it is known whose it is. */
  protected get wasServed(): boolean {
    return this.core.clock.monotonic() - this.servedAt <= servedMillis
  }

  /** Whose a read is that begins now; undefined if no session owns it, or the token store cannot be read. */
  protected async owner(signal: AbortSignal | undefined): Promise<Identity | undefined> {
    const { core } = this
    core.assertAlive()
    if (!this.isOwned) return undefined
    try {
      const owner = await unlessAborted(core.session.capture(true), signal)
      core.assertAlive()
      return owner
    } catch (error) {
      if (signal?.aborted || isAuthError(error, 'SESSION_CHANGED', 'DISPOSED')) throw error
      // The load says why, so that the snapshot tells of it too.
      return undefined
    }
  }

  /** Throws SESSION_CHANGED if what was read for `owner` may not be told to who is signed in now. */
  protected assertStill(owner: Identity | undefined): void {
    if (owner && !isStill(owner, this.core.session.identity)) throw sessionChanged()
  }

  /** Watches until the outlet's `leave` is called; gives what is to tell a subscriber. */
  protected abstract watch(): Outlet<unknown, T>
}
