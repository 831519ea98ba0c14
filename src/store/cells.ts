import { misuse } from '../errors/auth-error'
import { Cell, type CellHome } from './cell'
import { includes, isStaleWith, type Narrowed, type Patch, type Source, type Topic } from './source'
import type { KitParts } from './kit'

/** Where the cell of a store is kept. */
export interface CellAddress {
  readonly source: Source
  readonly input: object
  /** The input as text. */
  readonly key: string
}

/** The cells of one kit, each from its first use until 5 s after its last. */
export class Cells implements CellHome {
  /** Opens the cell of a store with its value from a server's render, if there is one. */
  seeded?: (place: CellAddress) => Cell | undefined
  /** When a write last ended, with or without an answer, here or in another tab, in wall time. */
  changedAt = -Infinity

  readonly #bySource = new Map<Topic, Map<string, Cell>>()
  /** Called when a cell gets its first watcher; returns a function to call when the last is gone. */
  readonly #onRetained: (cell: Cell) => () => void
  #ticks = 0

  constructor(watch: (cell: Cell) => () => void) {
    this.#onRetained = watch
  }

  onRetained(cell: Cell): () => void {
    return this.#onRetained(cell)
  }

  /** Numbers the loads and answers of a kit in order. */
  tick(): number {
    return ++this.#ticks
  }

  opened(source: Source, key: string): Cell | undefined {
    return this.#bySource.get(source)?.get(key)
  }

  find(place: CellAddress): Cell | undefined {
    return this.opened(place.source, place.key) ?? this.seeded?.(place)
  }

  open(core: KitParts, place: CellAddress): Cell {
    const found = this.find(place)
    if (found) return found
    const { source, input, key } = place
    const cell = new Cell(core, this, source, input, () => {
      this.#drop(source, key)
    })
    // A hot reload declares a query again: the cells of the old one are of no use.
    const isTaken = (each: Cell) => each.source !== source && each.source.key === source.key && !each.endIfUnused()
    if (source.isOwn && [...this].some(isTaken))
      throw misuse('key', `is "${source.key}" for two queries; other tabs could not tell them apart`)
    const siblings = this.#bySource.get(source) ?? new Map<string, Cell>()
    this.#bySource.set(source, siblings.set(key, cell))
    return cell
  }

  /** All cells whose arguments include the target's. */
  matching({ source, args }: Pick<Narrowed | Patch, 'source' | 'args'>): Cell[] {
    return [...(this.#bySource.get(source)?.values() ?? [])].filter(cell => includes(cell.input, args))
  }

  /** All cells that the target makes stale. */
  staleWith(target: Narrowed): Cell[] {
    return [...this].filter(cell => isStaleWith(cell, target))
  }

  /** All cells that a message of another tab makes stale: it names the key of their source. */
  named(key: string, args: Narrowed['args']): Cell[] {
    return [...this].filter(cell => isStaleWith(cell, { source: { key }, args }, cell.source.key === key))
  }

  *[Symbol.iterator](): Generator<Cell> {
    for (const siblings of this.#bySource.values()) yield* siblings.values()
  }

  #drop(source: Source, key: string): void {
    const siblings = this.#bySource.get(source)
    siblings?.delete(key)
    if (siblings?.size === 0) this.#bySource.delete(source)
  }
}
