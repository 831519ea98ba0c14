import { compareByKey, compareEntries, entryIn } from './entry'
import type { Entry } from './entry'
import { compareKeys, comparePrefix } from './key'
import type { Key, KeyPrefix } from './key'
import { pageRows, takePage } from './page'
import type { Page, PageQuery, PageRows } from './page'
import { emptyState, indexOf, reindexed } from './state'
import type { KeysOf, State } from './state'
import { differences, find, insert, remove, treeOf, walk } from './tree'
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

/** What a table held at some time, for `changesSince`. */
export type Contents<R> = Tree<Entry<R>>

/** Told of every change before it is made: the row as it will be, null if it is deleted. */
export type Recorder = (id: string, row: Row | null) => void

/**
 * Declares a table by its row type and its indexes:
 *
 * ```ts
 * const memberships = table<MembershipRow>()({
 *   teamId: row => row.teamId,
 *   // A list is found by its first parts, too, and sorted by the rest.
 *   userId: row => [row.userId, row.createdAt],
 *   // A row whose key is undefined is not in the index.
 *   invitedBy: row => row.invitedBy ?? undefined,
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
 */
export function table<R extends Row>() {
  return <K extends Keys = {}>(indexes: TableDefinition<R, K>['indexes']): TableDefinition<R, K> => ({ indexes })
}

/**
 * Rows by id, in the order in which they were first put in, with the indexes that its definition declares. Looking up,
 * writing, and a row of a page cost O(log n); `rows` and `filter` go over everything.
 */
export class Table<R extends Row, K extends Keys = {}> {
  readonly #indexes: KeysOf<R>
  readonly #record: Recorder
  #state: State<R>
  /** What was taken over: an index is made of this and then changed, so that all who have taken it over have the index. */
  #origin: State<R>

  constructor({ indexes }: TableDefinition<R, K>, record: Recorder) {
    this.#indexes = new Map(Object.entries(indexes))
    this.#record = record
    this.#state = this.#origin = emptyState(this.#indexes)
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

  /** A page of all rows, sorted by an index; rows with the same key in the order in which they were first put in. */
  page<N extends keyof K & string>(index: N, query: PageQuery<R> = {}): Page<R> {
    return takePage(this.pageRows(index, query))
  }

  /** The same row by row, of what the table holds now: a list that is read in slices does not see what is written between. */
  pageRows<N extends keyof K & string>(index: N, query: PageQuery<R> = {}): PageRows<R> {
    const { cursor, desc = false, among } = query
    const start = cursor === undefined ? undefined : this.#entryIn(index, cursor)
    if (cursor !== undefined && !start) return pageRows<R>([], query)
    return pageRows(among ? this.#these(index, among, start, desc) : this.#from(index, start, desc), query)
  }

  get contents(): Contents<R> {
    return this.#state.byId
  }

  /** The rows that are there, gone or others since then, by id; cheap where there are few. */
  *changesSince(contents: Contents<R>): Generator<readonly [before: R | undefined, after: R | undefined]> {
    for (const [before, after] of differences(contents, this.#state.byId, compareByKey)) yield [before?.row, after?.row]
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
    const entry: Entry<R> = { key: row.id, sequence, row }
    this.#state = {
      byId: insert(byId, entry, compareByKey),
      inOrder: insert(inOrder, { ...entry, key: null }, compareEntries),
      indexes: reindexed(indexes, this.#indexes, before, entry),
      nextSequence: Math.max(nextSequence, sequence + 1),
      size: before ? size : size + 1,
    }
    return row
  }

  /** Holds these rows and nothing else, as if they had been put into an empty table. The recorder is not told. */
  fill(rows: Iterable<R>): void {
    const entries = new Map<string, Entry<R>>()
    for (const row of rows) {
      const sequence = entries.get(row.id)?.sequence ?? entries.size
      entries.set(row.id, { key: row.id, sequence, row })
    }
    const all = [...entries.values()]
    this.#state = this.#origin = {
      byId: treeOf([...all].sort(compareByKey)),
      inOrder: treeOf(all.map(({ sequence, row }) => ({ key: null, sequence, row }))),
      indexes: new Map(),
      nextSequence: all.length,
      size: all.length,
    }
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
      byId: remove(byId, entry, compareByKey),
      inOrder: remove(inOrder, { ...entry, key: null }, compareEntries),
      indexes: reindexed(indexes, this.#indexes, entry, undefined),
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

  /** Makes the indexes before they are asked for, one a step. */
  *makeIndexes(): Generator<void, void, undefined> {
    if (this.size === 0) return
    for (const name of this.#indexes.keys()) {
      this.#tree(name)
      yield
    }
  }

  /** Takes over what another table of the same definition holds, at no cost per row; nothing, if there is none. */
  become(other: Table<R, K> | undefined): void {
    this.#state = this.#origin = other ? other.#state : emptyState(this.#indexes)
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

  #entryIn(index: string, id: string): Entry<R> | undefined {
    const keyOf = this.#indexes.get(index)
    const entry = this.#entry(id)
    return keyOf && entry && entryIn(keyOf, entry)
  }

  #tree(index: string): Tree<Entry<R>> {
    const keyOf = this.#indexes.get(index)
    return keyOf ? indexOf(index, keyOf, this.#state, this.#origin) : null
  }

  *#with(index: string, key: Key, desc: boolean): Generator<R, void, undefined> {
    const place = (entry: Entry<R>) => comparePrefix(entry.key, key)
    const isSkipped = (entry: Entry<R>) => (desc ? place(entry) > 0 : place(entry) < 0)
    for (const entry of walk(this.#tree(index), { isSkipped, desc })) {
      if (place(entry) !== 0) return
      yield entry.row
    }
  }

  *#from(index: string, start: Entry<R> | undefined, desc: boolean): Generator<R, void, undefined> {
    const isSkipped = (entry: Entry<R>) => isBefore(entry, start, desc)
    for (const { row } of walk(this.#tree(index), { isSkipped, desc })) yield row
  }

  #these(index: string, ids: readonly string[], start: Entry<R> | undefined, desc: boolean): R[] {
    return ids
      .flatMap(id => this.#entryIn(index, id) ?? [])
      .filter(entry => !isBefore(entry, start, desc))
      .sort((left, right) => (desc ? compareEntries(right, left) : compareEntries(left, right)))
      .map(({ row }) => row)
  }
}

function isBefore(entry: Entry<unknown>, start: Entry<unknown> | undefined, desc: boolean): boolean {
  const order = start ? compareEntries(entry, start) : 0
  return desc ? order > 0 : order < 0
}
