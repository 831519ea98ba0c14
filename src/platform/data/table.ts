import { compareKeys, comparePrefix } from './key'
import type { Key, KeyPrefix } from './key'
import { find, insert, remove, walk } from './tree'
import type { Tree } from './tree'

/** Plain JSON. Rows are replaced, never changed in place: a copy of a table is a copy of references. */
export interface Row {
  readonly id: string
}

/** What rows are looked up and sorted by: a name and a kind of key for each index. */
export type Keys = Readonly<Record<string, Key>>

/** What a table holds, as a value; `table` makes one. */
export interface TableDefinition<R extends Row, K extends Keys> {
  /** A row whose key is undefined is not in the index. */
  readonly indexes: { readonly [N in keyof K]: (row: R) => K[N] | undefined }
}

/** Which rows to take, and in what order. */
export interface PageQuery<R> {
  /** The id of the first row of the page; undefined: of the first page. A row that is not there has no page. */
  readonly cursor?: string | undefined
  /** Undefined: all. */
  readonly limit?: number | undefined
  readonly desc?: boolean | undefined
  /** Rows that do not match are passed over, one by one. */
  readonly where?: (row: R) => boolean
}

/** The rows of a page, and the id of the first row of the next one; null without a limit and on the last page. */
export interface Page<R> {
  readonly rows: readonly R[]
  readonly nextCursor: string | null
}

interface Entry<R> {
  readonly key: Key
  /** Rows with the same key stand in the order in which they were first put in. */
  readonly sequence: number
  readonly row: R
}

interface State<R> {
  readonly byId: Tree<Entry<R>>
  readonly inOrder: Tree<Entry<R>>
  readonly indexes: Readonly<Record<string, Tree<Entry<R>>>>
  readonly nextSequence: number
  readonly size: number
}

/** Told of every change before it is made: the row as it will be, null if it is deleted. */
export type Recorder = (id: string, row: Row | null) => void

/**
 * Declares a table by its row type and its indexes:
 *
 * ```ts
 * const memberships = table<MembershipRow>()({
 *   teamId: row => row.teamId,
 *   // Of one user, sorted by team; `by('userId', [userId])` finds all of a user.
 *   userId: row => [row.userId, row.teamId],
 * })
 * ```
 */
export function table<R extends Row>() {
  return <K extends Keys = {}>(indexes: TableDefinition<R, K>['indexes']): TableDefinition<R, K> => ({ indexes })
}

/**
 * Rows by id, in the order in which they were first put in, with the indexes that its definition declares. Looking up,
 * writing, and a row of a page cost O(log n); `rows` and `filter` go over everything.
 */
export class Table<R extends Row, K extends Keys = {}> {
  readonly #indexes: Readonly<Record<string, (row: R) => Key | undefined>>
  readonly #record: Recorder
  #state: State<R> = empty()

  constructor({ indexes }: TableDefinition<R, K>, record: Recorder) {
    this.#indexes = indexes
    this.#record = record
  }

  get(id: string): R | undefined {
    return this.#entry(id)?.row
  }

  /** The rows with this key, in the order in which they were first put in; those of a prefix are sorted by the rest. */
  by<N extends keyof K & string>(index: N, key: KeyPrefix<K[N]>, { desc = false } = {}): R[] {
    return [...this.#with(index, key, desc)]
  }

  /** The first row with this key. */
  first<N extends keyof K & string>(index: N, key: KeyPrefix<K[N]>, { desc = false } = {}): R | undefined {
    for (const row of this.#with(index, key, desc)) return row
    return undefined
  }

  /** A page of all rows, sorted by an index. */
  page<N extends keyof K & string>(index: N, query: PageQuery<R> = {}): Page<R> {
    const { cursor, limit = Infinity, desc = false, where = () => true } = query
    const start = cursor === undefined ? undefined : this.#entry(cursor)
    const key = start && this.#indexes[index]?.(start.row)
    if (cursor !== undefined && (!start || key === undefined)) return { rows: [], nextCursor: null }
    const first = start && key !== undefined ? { ...start, key } : undefined
    const isSkipped = (entry: Entry<R>) => {
      const order = first ? compareEntries(entry, first) : 0
      return desc ? order > 0 : order < 0
    }
    const rows: R[] = []
    for (const { row } of walk(this.#tree(index), { isSkipped, desc })) {
      if (!where(row)) continue
      if (rows.length >= limit) return { rows, nextCursor: row.id }
      rows.push(row)
    }
    return { rows, nextCursor: null }
  }

  get size(): number {
    return this.#state.size
  }

  rows(): R[] {
    return Array.from(walk(this.#state.inOrder), ({ row }) => row)
  }

  filter(matches: (row: R) => boolean): R[] {
    return this.rows().filter(matches)
  }

  /** Adds the row, or replaces the one with its id where that stands. */
  put(row: R): R {
    this.#record(row.id, row)
    const { byId, inOrder, indexes, nextSequence, size } = this.#state
    const before = this.#entry(row.id)
    const sequence = before?.sequence ?? nextSequence
    const entry = (key: Key) => ({ key, sequence, row })
    this.#state = {
      byId: insert(byId, entry(row.id), compareIds),
      inOrder: insert(inOrder, entry(null), compareEntries),
      indexes: this.#reindexed(indexes, before, entry),
      nextSequence: Math.max(nextSequence, sequence + 1),
      size: before ? size : size + 1,
    }
    return row
  }

  /** Replaces some fields of a row that must exist. */
  patch(id: string, changes: Partial<Omit<R, 'id'>>): R {
    const row = this.get(id)
    if (!row) throw new Error(`there is no row "${id}" to change`)
    return this.put({ ...row, ...changes })
  }

  /** False if there is no such row. */
  delete(id: string): boolean {
    const { byId, inOrder, indexes, nextSequence, size } = this.#state
    const entry = this.#entry(id)
    if (!entry) return false
    this.#record(id, null)
    this.#state = {
      byId: remove(byId, entry, compareIds),
      inOrder: remove(inOrder, { ...entry, key: null }, compareEntries),
      indexes: this.#reindexed(indexes, entry, null),
      nextSequence,
      size: size - 1,
    }
    return true
  }

  /** Deletes the rows with this key. */
  deleteBy<N extends keyof K & string>(index: N, key: KeyPrefix<K[N]>): void {
    for (const { id } of this.by(index, key)) this.delete(id)
  }

  clear(): void {
    for (const { id } of this.rows()) this.delete(id)
  }

  /** Takes over what another table of the same definition holds, at no cost per row. */
  become(other: Table<R, K>): void {
    this.#state = other.#state
  }

  /** Gives a function that puts back what the table holds now. */
  save(): () => void {
    const state = this.#state
    return () => {
      this.#state = state
    }
  }

  #entry(id: string): Entry<R> | undefined {
    return find(this.#state.byId, ({ key }) => compareKeys(key, id))
  }

  #tree(index: string): Tree<Entry<R>> {
    return this.#state.indexes[index] ?? null
  }

  *#with(index: string, key: Key, desc: boolean): Generator<R, void, undefined> {
    const place = (entry: Entry<R>) => comparePrefix(entry.key, key)
    const isSkipped = (entry: Entry<R>) => (desc ? place(entry) > 0 : place(entry) < 0)
    for (const entry of walk(this.#tree(index), { isSkipped, desc })) {
      if (place(entry) !== 0) return
      yield entry.row
    }
  }

  #reindexed(
    trees: State<R>['indexes'],
    before: Entry<R> | undefined,
    entry: ((key: Key) => Entry<R>) | null,
  ): State<R>['indexes'] {
    return Object.fromEntries(
      Object.entries(this.#indexes).map(([name, keyOf]) => {
        const tree = trees[name] ?? null
        const old = before && keyOf(before.row)
        const after = entry?.(null)
        const key = after && keyOf(after.row)
        const cleared =
          before && old !== undefined && (key === undefined || compareKeys(old, key) !== 0)
            ? remove(tree, { ...before, key: old }, compareEntries)
            : tree
        return [name, entry && key !== undefined ? insert(cleared, entry(key), compareEntries) : cleared]
      }),
    )
  }
}

function empty<R>(): State<R> {
  return { byId: null, inOrder: null, indexes: {}, nextSequence: 0, size: 0 }
}

function compareIds({ key: left }: Entry<unknown>, { key: right }: Entry<unknown>): number {
  return compareKeys(left, right)
}

function compareEntries(left: Entry<unknown>, right: Entry<unknown>): number {
  return compareKeys(left.key, right.key) || left.sequence - right.sequence
}
