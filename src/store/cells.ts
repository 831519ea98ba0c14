import { invalidInput } from '../errors/auth-error'
import { Cell } from './cell'
import { argsKey } from './definition'
import type { Narrowed, Patch, Source, Topic } from './definition'
import type { Core } from './kit'

/** The cells of one kit. A cell is here from its first use until 5 s after its last. */
export class Cells {
  readonly #bySource = new Map<Topic, Map<string, Cell>>()
  /** Told when a cell gets its first watcher; returns what to do when the last has left. */
  readonly #watch: (cell: Cell) => () => void
  #ticks = 0

  constructor(watch: (cell: Cell) => () => void) {
    this.#watch = watch
  }

  watch(cell: Cell): () => void {
    return this.#watch(cell)
  }

  /** Numbers loads and answers of a kit in the order of their happening. */
  tick(): number {
    return ++this.#ticks
  }

  find(source: Source, key: string): Cell | undefined {
    return this.#bySource.get(source)?.get(key)
  }

  open(core: Core, source: Source, input: object, key: string): Cell {
    const found = this.find(source, key)
    if (found) return found
    const cell = new Cell(core, source, input, () => {
      this.#drop(source, key)
    })
    const isOther = (each: Topic) => each !== source && each.key === source.key
    if (source.isOwn && [...this.#bySource.keys()].some(isOther))
      throw invalidInput('key', `is "${source.key}" for two queries; other tabs could not tell them apart`)
    const siblings = this.#bySource.get(source) ?? new Map<string, Cell>()
    this.#bySource.set(source, siblings.set(key, cell))
    return cell
  }

  /** Every cell whose arguments include those of the target. */
  matching({ source, args }: Pick<Narrowed | Patch, 'source' | 'args'>): Cell[] {
    return [...(this.#bySource.get(source)?.values() ?? [])].filter(cell => includes(cell.input, args))
  }

  /** Every cell that is stale with the target: those that match it, and those that follow it. */
  staleWith(target: Narrowed): Cell[] {
    const following = [...this.#bySource].flatMap(([{ follows }, siblings]) =>
      follows?.includes(target.source.key) ? [...siblings.values()] : [],
    )
    return [...this.matching(target), ...following]
  }

  /** The same by what another tab calls them. */
  named(key: string, args: Readonly<Record<string, unknown>>): Cell[] {
    return [...this].filter(
      ({ source, input }) => source.follows?.includes(key) || (source.key === key && includes(input, args)),
    )
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

function includes(input: object, args: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(args).every(
    ([name, value]) =>
      value === undefined || argsKey({ value }) === argsKey({ value: (input as Record<string, unknown>)[name] }),
  )
}
