import * as v from 'valibot'
import {
  compareEntries,
  compareKeys,
  entryIn,
  comparePrefix,
  filledState,
  idIndex,
  indexOf,
  order,
  rowsOf,
  writtenState,
} from './state'
import type { IndexEntry, Key, KeyPrefix, KeysOf, TableState } from './state'
import { find, walk, type SortedTree } from './tree'

/** Plain JSON. Rows are replaced, never mutated: copying a table copies references. */
export interface Row {
  readonly id: string
}

/** The names of the indexes and the types of their keys. */
export type Keys = Readonly<Record<string, Key>>

export interface TableDefinition<R extends Row, K extends Keys> {
  /** Checks a row from outside, such as that of an imported file. */
  readonly row: v.GenericSchema<unknown, R>
  /** A row whose key is undefined is not in the index. */
  readonly indexes: { readonly [N in keyof K]: (row: R) => K[N] | undefined }
  /** The keys of a row by index name, with the index by id and the order of insertion. */
  readonly keys: KeysOf<R>
  /** Other tables, each with the index of this one that begins with their ids: its rows are deleted with theirs. */
  readonly cascade: Readonly<Record<string, keyof K & string>>
}

/** The rows of a table: `RowOf<typeof memberships>`. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the indexes are in parameters, too
export type RowOf<D> = D extends TableDefinition<infer R, any> ? R : never

type RowWith<C extends v.ObjectEntries> = Row & Frozen<v.InferOutput<v.ObjectSchema<C, undefined>>>

/** The type readonly at every depth: rows are replaced. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/** Selects the rows of a list and their order. */
export interface PageQuery<R> {
  /**
   * The id of the page's first row; undefined for the first page. With the id of a row outside the list the page is
   * empty.
   */
  readonly cursor?: string | undefined
  /** Undefined: no limit. */
  readonly limit?: number | undefined
  readonly desc?: boolean | undefined
  /** Rows that do not match are skipped. */
  readonly where?: (row: R) => boolean
}

/** The rows of a page, and the id of the next page's first row; null without a limit and on the last page. */
export interface RowPage<R> {
  readonly rows: readonly R[]
  readonly nextCursor: string | null
}

/** Called before every change, with the new row, or null if it is deleted. */
export type ChangeRecorder = (id: string, row: Row | null) => void

/**
 * Declares a table: the columns of its rows, apart from `id`, and its indexes.
 *
 * ```ts
 * const memberships = table({
 *   columns: {
 *     teamId: v.string(),
 *     userId: v.string(),
 *     createdAt: v.number(),
 *     invitedBy: v.nullable(v.string()),
 *     // A column that is newer than some stored rows is absent in them.
 *     isOwner: v.exactOptional(v.boolean()),
 *   },
 *   indexes: {
 *     teamId: row => row.teamId,
 *     // A list is found by its first parts, too, and sorted by the rest.
 *     userId: row => [row.userId, row.createdAt],
 *     // A row whose key is undefined is not in the index.
 *     invitedBy: row => row.invitedBy ?? undefined,
 *   },
 * })
 *
 * memberships.get(id)
 * memberships.by('teamId', teamId) // in the order in which they were first put in
 * memberships.by('userId', [userId], { desc: true }) // newest first
 * memberships.first('invitedBy', userId)
 * memberships.page('teamId', { limit: 50, cursor })
 * memberships.patch(id, { isOwner: true })
 * memberships.deleteBy('userId', [userId])
 * ```
 *
 * `cascade` says with which rows of other tables its rows go, by an index whose keys begin with their ids. With
 * `cascade: { users: 'userId' }`, handlers delete only the user.
 */
export function table<C extends v.ObjectEntries, K extends Keys = {}>(declared: {
  readonly columns: C
  readonly indexes?: TableDefinition<RowWith<C>, K>['indexes']
  readonly cascade?: TableDefinition<RowWith<C>, K>['cascade']
}): TableDefinition<RowWith<C>, K> {
  // Only the type is frozen.
  const row = v.object({ id: v.string(), ...declared.columns }) as unknown as v.GenericSchema<unknown, RowWith<C>>
  // Without indexes K has no names.
  const { indexes = {} as TableDefinition<RowWith<C>, K>['indexes'], cascade = {} } = declared
  const keys = Object.entries<(row: RowWith<C>) => Key | undefined>(indexes)
  return { row, indexes, keys: new Map([[idIndex, ({ id }) => id], [order, () => null], ...keys]), cascade }
}

/**
 * Rows by id in the order of insertion, with the indexes of its definition. Look-ups, writes and each row of a page cost
 * O(log n); `rows` and `filter` read all rows.
 */
export class Table<R extends Row, K extends Keys = {}> {
  readonly #indexes: KeysOf<R>
  readonly #record: ChangeRecorder
  /** Delete the rows of other tables that go with a row. */
  readonly #cascades: ((id: string) => void)[] = []
  /** The rows as an immutable value: that of another table with the same definition is taken over without copying rows. */
  state: TableState<R>

  constructor({ keys }: TableDefinition<R, K>, record: ChangeRecorder, state: TableState<R> = filledState([])) {
    this.#indexes = keys
    this.#record = record
    this.state = state
  }

  get(id: string): R | undefined {
    return this.#entry(id)?.row
  }

  /** The rows with this key, in the order of insertion; for a prefix, sorted by the rest of the key. */
  by<N extends keyof K & string>(index: N, key: KeyPrefix<K[N]>, { desc = false } = {}): R[] {
    return [...this.#with(index, key, desc)]
  }

  first<N extends keyof K & string>(index: N, key: KeyPrefix<K[N]>, { desc = false } = {}): R | undefined {
    for (const row of this.#with(index, key, desc)) return row
    return undefined
  }

  /** A page of all rows, sorted by an index; rows with the same key keep their order of insertion. */
  page<N extends keyof K & string>(
    index: N,
    { cursor, limit = Infinity, desc = false, where = () => true }: PageQuery<R> = {},
  ): RowPage<R> {
    const rows: R[] = []
    const keyOf = this.#indexes.get(index)
    const first = cursor === undefined ? undefined : this.#entry(cursor)
    const start = first && keyOf && entryIn(keyOf, first)
    if (cursor !== undefined && !start) return { rows, nextCursor: null }
    const orderOf = (entry: IndexEntry<R>) => (start ? compareEntries(entry, start) : 0)
    const isSkipped = (entry: IndexEntry<R>) => (desc ? orderOf(entry) > 0 : orderOf(entry) < 0)
    for (const { row } of walk(this.#tree(index), { isSkipped, desc })) {
      if (!where(row)) continue
      if (rows.length >= limit) return { rows, nextCursor: row.id }
      rows.push(row)
    }
    return { rows, nextCursor: null }
  }

  get size(): number {
    return this.state.size
  }

  rows(): R[] {
    return rowsOf(this.state)
  }

  filter(matches: (row: R) => boolean): R[] {
    return this.rows().filter(matches)
  }

  /** Adds the row, or replaces the one with its id in the same place. */
  put(row: R): R {
    this.#record(row.id, row)
    const before = this.#entry(row.id)
    const sequence = before?.sequence ?? this.state.nextSequence
    this.state = writtenState(this.state, this.#indexes, before, { key: row.id, sequence, row })
    return row
  }

  /** Changes some fields of a row, which must exist. */
  patch(id: string, changes: Partial<Omit<R, 'id'>>): R {
    const row = this.get(id)
    if (!row) throw new Error(`there is no row "${id}" to change`)
    return this.put({ ...row, ...changes })
  }

  /** Deletes the row, after those of other tables that go with it. Returns false if there is no such row. */
  delete(id: string): boolean {
    const before = this.#entry(id)
    if (!before) return false
    for (const cascade of this.#cascades) cascade(id)
    this.#record(id, null)
    this.state = writtenState(this.state, this.#indexes, before, undefined)
    return true
  }

  /** Calls `cascade` before each row is deleted. */
  onDelete(cascade: (id: string) => void): void {
    this.#cascades.push(cascade)
  }

  deleteBy<N extends keyof K & string>(index: N, key: KeyPrefix<K[N]>): void {
    for (const { id } of this.by(index, key)) this.delete(id)
  }

  #entry(id: string): IndexEntry<R> | undefined {
    return find(this.#tree(idIndex), ({ key }) => compareKeys(key, id))
  }

  #tree(index: string): SortedTree<IndexEntry<R>> {
    const keyOf = this.#indexes.get(index)
    return keyOf ? indexOf(index, keyOf, this.state) : null
  }

  *#with(index: string, key: Key, desc: boolean): Generator<R, void, undefined> {
    const place = (entry: IndexEntry<R>) => comparePrefix(entry.key, key)
    const isSkipped = (entry: IndexEntry<R>) => (desc ? place(entry) > 0 : place(entry) < 0)
    for (const entry of walk(this.#tree(index), { isSkipped, desc })) {
      if (place(entry) !== 0) return
      yield entry.row
    }
  }
}
