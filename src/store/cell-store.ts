import { DEV } from '../core/dev'
import { storeName } from '../core/names'
import { hear } from '../session/unheard'
import { abortError, misuse, toAuthError } from '../errors/auth-error'
import { defaultMaxAgeMillis, type Cell } from './cell'
import type { CellAddress } from './cells'
import { argsKey, type Source } from './source'
import type { Core } from './kit-parts'
import { pending, type Snapshot } from './snapshot'
import { KitStore, type ReadOptions } from './store'
import type { Projection, View } from './view'

/** The handle of a store: while the store is in use, the one that was first used. */
export function storeOf<S, T>(core: Core, source: Source, input: object, project: Projection<S, T>): CellStore<S, T> {
  // Mostly the input is the normal one.
  const key = keyOf(input)
  const used = core.cells.opened(source, key)?.handles.get(project)
  // A handle is kept under its own projection.
  if (used) return used as CellStore<S, T>
  const normal = source.normalise(input as never)
  return new CellStore(core, { source, input: normal, key: normal === input ? key : argsKey(normal) }, project)
}

/** In development throws INVALID_INPUT for what is no JSON, in production the error of the engine. */
const keyOf = DEV
  ? (input: object): string => {
      try {
        return argsKey(input)
      } catch {
        throw misuse(
          'input',
          'cannot be written as JSON, which tells stores apart: a BigInt, or an object that contains itself',
        )
      }
    }
  : argsKey

/** The store handle: finds or creates its cell on use, and keeps no reference to it. */
export class CellStore<S, T> extends KitStore<T> {
  readonly place: CellAddress
  readonly project: Projection<S, T>

  constructor(core: Core, place: CellAddress, project: Projection<S, T>) {
    super(core)
    this.place = place
    this.project = project
  }

  get name(): string {
    return this.place.source.key
  }

  override get title(): string {
    return storeName(this.place.source, this.project)
  }

  override get args(): object {
    return this.place.input
  }

  get snapshot(): Snapshot<T> {
    const cell = this.#found
    // Looked up once: a page with a thousand components reads it on every change.
    const last = cell ? this.#view(cell).snapshot : pending
    if (!cell || cell.isWatched || !cell.isOwned) return last
    // Without watchers nothing updates the cell, so its value may belong to a session that has ended.
    return (this.core.committedSession.isCurrent ?? last.status === 'failed') ? last : pending
  }

  get({
    maxAgeMillis = defaultMaxAgeMillis,
    signal,
  }: ReadOptions & { readonly maxAgeMillis?: number } = {}): Promise<T> {
    return this.#told(maxAgeMillis, signal)
  }

  refresh({ signal }: ReadOptions = {}): Promise<T> {
    return this.#told(undefined, signal)
  }

  override get view(): View<unknown, T> | undefined {
    const cell = this.#found
    return cell && (cell.isWatched || cell.returnedByGet) ? this.#view(cell) : undefined
  }

  get isOwned(): boolean {
    return this.place.source.ownedBy === 'session'
  }

  get isAwaited(): boolean {
    return this.#found?.isAwaited === true
  }

  get hasThrown(): boolean {
    const cell = this.#found
    return cell?.state.status === 'ready' && this.#view(cell).snapshot.status === 'failed'
  }

  isSame(other: object): boolean {
    return (
      other instanceof CellStore &&
      this.core === other.core &&
      this.place.source === other.place.source &&
      this.project === other.project &&
      this.place.key === other.place.key
    )
  }

  protected retained(asks: boolean): View<unknown, T> {
    this.core.clock.tap.tell?.({ in: 'watch', of: this, asks })
    const reading = this.#look()
    const cell = this.#cell()
    cell.retain(reading, asks)
    return this.#view(cell)
  }

  #told(maxAgeMillis: number | undefined, signal: AbortSignal | undefined): Promise<T> {
    this.core.clock.tap.tell?.({ in: 'read', of: this, maxAgeMillis, signal })
    return this.#read(maxAgeMillis, signal)
  }

  /** `maxAgeMillis`: how old the value may be; undefined: it is loaded in any case. */
  async #read(maxAgeMillis: number | undefined, signal: AbortSignal | undefined): Promise<T> {
    const owner = await this.owner(signal)
    const cell = this.#cellFor(signal)
    const isAnew = maxAgeMillis === undefined
    try {
      if (isAnew || (this.isOwned && !owner) || !cell.isFresh(maxAgeMillis)) await cell.load(isAnew, signal)
    } finally {
      if (owner) hear(this.core.session)
    }
    if (!isAnew) cell.noteReturned()
    return this.mayShow(owner) ? this.#value(cell) : this.#read(maxAgeMillis, signal)
  }

  get #found(): Cell | undefined {
    return this.core.cells.find(this.place)
  }

  #cell(): Cell {
    const cell = this.core.cells.open(this.core, this.place)
    const { handles } = cell
    if (!handles.has(this.project)) handles.set(this.project, this)
    return cell
  }

  /** The cell of a read. None is created for an aborted signal or a disposed kit, where nothing would drop it. */
  #cellFor(signal: AbortSignal | undefined): Cell {
    this.core.assertAlive()
    if (signal?.aborted) throw abortError(signal)
    return this.#cell()
  }

  /** Reads the token store, for values of the session; a promise if the store is asynchronous. */
  #look(): Promise<void> | undefined {
    this.core.assertAlive()
    if (!this.isOwned) return undefined
    let reading: Promise<void> | undefined
    try {
      reading = this.core.session.sync() ?? undefined
    } catch (error) {
      reading = Promise.reject(toAuthError(error))
    }
    // The load reports the error to subscribers without a value.
    reading?.catch(() => undefined)
    return reading
  }

  #view(cell: Cell): View<unknown, T> {
    // The projection of a store belongs to its own source.
    return cell.view(this.project as Projection<unknown, T>)
  }

  #value(cell: Cell): T {
    return this.#view(cell).value
  }
}
