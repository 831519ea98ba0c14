import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { unlessAborted } from '../transport/attempt'
import type { Cell } from './cell'
import { defaultMaxAgeMillis } from './cell'
import { argsKey } from './definition'
import type { Source } from './definition'
import type { Core } from './kit'
import type { Outlet, Project } from './outlet'
import { pending, toAuthError } from './snapshot'
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
      this.#attach(subscriber, outlet => {
        outlet.tellValues(subscriber, core.commits)
      })
    })
    this.#core = core
    this.#source = origin
    this.#input = origin.normalise(input as never)
    this.#project = project
    this.#key = argsKey(this.#input)
    this.snapshot$ = new Observable(subscriber => {
      const { isTelling } = core.commits
      this.#attach(subscriber, outlet => {
        outlet.tellSnapshots(subscriber, core.commits, isTelling)
      })
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
    const cell = await this.#ready(signal)
    if (!cell.isFresh(maxAgeMillis)) await cell.load(false, signal)
    cell.serve()
    return this.#value(cell)
  }

  async refresh({ signal }: ReadOptions = {}): Promise<T> {
    const cell = await this.#ready(signal)
    await cell.load(true, signal)
    return this.#value(cell)
  }

  listen(callback: () => void): () => void {
    const cell = this.#open()
    const { listeners } = this.#outlet(cell)
    const release = cell.retain()
    let left = false
    // Wrapped, so that one callback can listen twice.
    const listener = () => {
      callback()
    }
    this.#core.commits.join(() => {
      if (!left) listeners.add(listener)
    })
    return () => {
      left = true
      listeners.delete(listener)
      release()
    }
  }

  get [recentFailureKey](): boolean {
    const { snapshot } = this
    return snapshot.status === 'failed' && this.#core.clock.now() - snapshot.failedAt.getTime() <= recentMillis
  }

  /** While `start` delivers the present state, commits wait: what a subscriber asks for in `next` comes after it. */
  #attach(subscriber: Pick<Subscriber<T>, 'add'>, start: (outlet: Outlet<unknown, T>) => void): void {
    const cell = this.#open()
    subscriber.add(cell.retain())
    this.#core.commits.tell(() => {
      start(this.#outlet(cell))
    })
  }

  /** The cell, after the token store has been read: a value of somebody who has left is never served. */
  async #ready(signal: AbortSignal | undefined): Promise<Cell> {
    if (this.#source.ownedBy === 'session') await unlessAborted(this.#core.session.capture(), signal)
    return this.#open()
  }

  #open(): Cell {
    this.#core.assertAlive()
    if (this.#source.ownedBy === 'session') this.#sync()
    return this.#core.cells.open(this.#core, this.#source, this.#input, this.#key)
  }

  /** True if the token store did not answer at once. */
  #sync(): boolean {
    try {
      const reading = this.#core.session.sync()
      reading?.catch(() => undefined)
      return reading !== undefined
    } catch {
      // A store that cannot be read says so to the load, which has somebody to tell.
      return false
    }
  }

  #outlet(cell: Cell): Outlet<unknown, T> {
    // A store is made with a projection of its own source.
    return cell.outlet(this.#project as Project<unknown, T>)
  }

  #value(cell: Cell): T {
    const { snapshot } = this.#outlet(cell)
    if (snapshot.status === 'ready') return snapshot.value
    throw snapshot.status === 'failed' ? snapshot.error : toAuthError(new Error('no value'))
  }
}
