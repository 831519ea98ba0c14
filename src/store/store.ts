import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { isAuthError } from '../errors/auth-error'
import { sessionChanged } from '../session/identity'
import type { Identity } from '../session/identity'
import { unlessAborted } from '../transport/attempt'
import type { Cell } from './cell'
import { argsKey } from './definition'
import type { Source } from './definition'
import type { Core } from './kit'
import { defaultMaxAgeMillis } from './known'
import type { Outlet, Project } from './outlet'
import { pending } from './snapshot'
import type { Snapshot } from './snapshot'

export interface ReadOptions {
  readonly signal?: AbortSignal
}

/**
 * An entity as an observable with a present tense.
 *
 * Subscribing emits the value as soon as it is known, then each different value; it errors only if a first load fails
 * before there was any value. What a screen shows binds `snapshot$`, which never errors. A store is an inert handle: it can
 * be kept for ever, and costs something only while somebody subscribes or waits.
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

/** React's way to ask a store; not for apps. */
export const recentFailureKey = '~hasFailedRecently'

/** React's way to tell that two handles are of one store; not for apps. */
export const sameStoreKey = '~isSame'

/** Whether a write has started a load of it that has not settled; for derived stores. */
export const isAwaitedKey = '~isAwaited'

/** How long a failure stands for what a component has just tried. */
const recentMillis = 300

/** The handle: it finds or makes its cell when it is used, and holds nothing between. */
export class CellStore<S, T> extends Observable<T> implements Store<T> {
  readonly snapshot$: Observable<Snapshot<T>>
  readonly #core: Core
  readonly #source: Source
  readonly #input: object
  readonly #project: Project<S, T>
  readonly #key: string

  constructor(core: Core, origin: Source, input: object, project: Project<S, T>) {
    super(subscriber => {
      const outlet = this.#watch(subscriber)
      const { commits } = core
      const isNested = commits.begin()
      try {
        outlet.tellValues(subscriber, commits, isNested)
      } finally {
        if (!isNested) commits.end()
      }
    })
    this.#core = core
    this.#source = origin
    this.#input = origin.normalise(input as never)
    this.#project = project
    this.#key = argsKey(this.#input)
    this.snapshot$ = new Observable(subscriber => {
      const outlet = this.#watch(subscriber)
      const { commits } = core
      const isNested = commits.begin()
      try {
        outlet.tellSnapshots(subscriber, commits, isNested)
      } finally {
        if (!isNested) commits.end()
      }
    })
  }

  get snapshot(): Snapshot<T> {
    const cell = this.#core.cells.find(this.#source, this.#key)
    if (!cell) return pending
    // Nobody polls for a cell that nobody watches, so its value may belong to somebody who has left.
    if (!cell.isWatched && cell.isOwned && this.#sync()) return pending
    return this.#outlet(cell).snapshot
  }

  async get({
    maxAgeMillis = defaultMaxAgeMillis,
    signal,
  }: ReadOptions & { readonly maxAgeMillis?: number } = {}): Promise<T> {
    const [cell, owner] = await this.#ready(signal)
    if (!cell.isFresh(maxAgeMillis)) await cell.load(false, signal)
    cell.serve()
    return this.#value(cell, owner)
  }

  async refresh({ signal }: ReadOptions = {}): Promise<T> {
    const [cell, owner] = await this.#ready(signal)
    await cell.load(true, signal)
    return this.#value(cell, owner)
  }

  listen(callback: () => void): () => void {
    const reading = this.#look()
    const cell = this.#cell()
    const outlet = this.#outlet(cell)
    const listener = outlet.add(callback, this.#core.commits)
    cell.enter(reading)
    return () => {
      if (outlet.remove(listener)) cell.leave()
    }
  }

  get [isAwaitedKey](): boolean {
    return this.#core.cells.find(this.#source, this.#key)?.isAwaited === true
  }

  get [recentFailureKey](): boolean {
    this.#core.assertAlive()
    const { snapshot } = this
    if (snapshot.status !== 'failed') return false
    // What a view's own code throws, it throws again, however often the value is loaded.
    if (this.#core.cells.find(this.#source, this.#key)?.state.status === 'ready') return true
    return this.#core.clock.now() - snapshot.failedAt.getTime() <= recentMillis
  }

  [sameStoreKey](other: object): boolean {
    return (
      other instanceof CellStore &&
      this.#core === other.#core &&
      this.#source === other.#source &&
      this.#project === other.#project &&
      this.#key === other.#key
    )
  }

  /** The cell's face, watched as long as the subscriber is there. */
  #watch(subscriber: Pick<Subscriber<T>, 'add'>): Outlet<unknown, T> {
    const reading = this.#look()
    const cell = this.#cell()
    const outlet = this.#outlet(cell)
    cell.enter(reading)
    subscriber.add(cell.leave)
    return outlet
  }

  /** The cell, after the token store has been read: a value of somebody who has left is never served. */
  async #ready(signal: AbortSignal | undefined): Promise<readonly [cell: Cell, owner: Identity | undefined]> {
    const { session } = this.#core
    this.#core.assertAlive()
    if (this.#source.ownedBy === 'app') return [this.#cell(), undefined]
    try {
      const owner = await unlessAborted(session.capture(), signal)
      this.#core.assertAlive()
      return [this.#cell(), owner]
    } catch (error) {
      if (signal?.aborted || isAuthError(error, 'SESSION_CHANGED', 'DISPOSED')) throw error
      // A token store that cannot be read fails the load, so that the snapshot tells of it too.
      const cell = this.#cell()
      await cell.load(false, signal)
      return [cell, session.identity]
    }
  }

  #cell(): Cell {
    return this.#core.cells.open(this.#core, this.#source, this.#input, this.#key)
  }

  /** Reads the token store, for what belongs to the session; pending if it did not answer at once. */
  #look(): Promise<void> | undefined {
    this.#core.assertAlive()
    return this.#source.ownedBy === 'session' ? this.#sync() : undefined
  }

  /** Pending if the token store did not answer at once. */
  #sync(): Promise<void> | undefined {
    try {
      const reading = this.#core.session.sync()
      reading?.catch(() => undefined)
      return reading ?? undefined
    } catch {
      // A store that cannot be read says so to the load, which has somebody to tell.
      return undefined
    }
  }

  #outlet(cell: Cell): Outlet<unknown, T> {
    // A store is made with a projection of its own source.
    return cell.outlet(this.#project as Project<unknown, T>)
  }

  /** What the cell holds for `owner`; nothing if somebody else has signed in since. */
  #value(cell: Cell, owner: Identity | undefined): T {
    if (owner) this.#core.session.assertPresent(owner)
    const { snapshot } = this.#outlet(cell)
    if (snapshot.status === 'ready') return snapshot.value
    throw snapshot.status === 'failed' ? snapshot.error : sessionChanged()
  }
}
