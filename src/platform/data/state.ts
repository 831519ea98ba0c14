import { insert, remove, treeOf, walk, type SortedTree } from './tree'

/** The sort key of an index. A list is compared part by part. */
export type Key = KeyPart | readonly KeyPart[] | readonly []
type KeyPart = string | number | boolean | null

/** A list key may be queried by its first parts only: `['ada']` finds `['ada', 1]`. */
export type KeyPrefix<K extends Key> = K extends readonly [
  infer First extends KeyPart,
  ...infer Rest extends readonly KeyPart[],
]
  ? readonly [First] | readonly [First, ...KeyPrefix<Rest>]
  : K

/** Negative if the left key sorts first. */
export function compareKeys(left: Key, right: Key): number {
  // The common case first: indexes of many rows compare millions of keys that are texts or begin with one.
  const [one, other] = [isList(left) ? left[0] : left, isList(right) ? right[0] : right]
  if (typeof one === 'string' && typeof other === 'string' && one !== other) return one < other ? -1 : 1
  return comparePrefix(left, right) || lengthOf(left) - lengthOf(right)
}

/** Like `compareKeys`, but zero if the key begins with the prefix. */
export function comparePrefix(key: Key, prefix: Key): number {
  for (let index = 0; index < lengthOf(prefix); index++) {
    const own = partOf(key, index)
    const order = own === undefined ? -1 : compareParts(own, partOf(prefix, index) ?? null)
    if (order !== 0) return order
  }
  return 0
}

function isList(key: Key): key is readonly KeyPart[] {
  return typeof key === 'object' && key !== null
}

function lengthOf(key: Key): number {
  return isList(key) ? key.length : 1
}

function partOf(key: Key, index: number): KeyPart | undefined {
  if (isList(key)) return key[index]
  return index === 0 ? key : undefined
}

/** Null sorts first; parts of different types sort by the names of their types, so that the order is total. */
function compareParts(left: KeyPart, right: KeyPart): number {
  if (left === right) return 0
  if (left === null || right === null) return left === null ? -1 : 1
  if (typeof left !== typeof right) return typeof left < typeof right ? -1 : 1
  return left < right ? -1 : 1
}

/** A row with its sort position in an index. */
export interface IndexEntry<R> {
  readonly key: Key
  /** Rows with the same key keep their order of insertion. */
  readonly sequence: number
  readonly row: R
}

/** The entry under another index; undefined if the row is not in it. */
export function entryIn<R>(keyOf: (row: R) => Key | undefined, entry: IndexEntry<R>): IndexEntry<R> | undefined {
  const key = keyOf(entry.row)
  return key === undefined ? undefined : { key, sequence: entry.sequence, row: entry.row }
}

export function compareEntries(left: IndexEntry<unknown>, right: IndexEntry<unknown>): number {
  return compareKeys(left.key, right.key) || left.sequence - right.sequence
}

/** The content of a table. Never mutated, except that indexes are added at their first use. */
export interface TableState<R> {
  readonly indexes: Map<string, SortedTree<IndexEntry<R>>>
  readonly nextSequence: number
  readonly size: number
}

type KeyOf<R> = (row: R) => Key | undefined

export const idIndex = ''
/** The index of all rows in their order of insertion, which every state has. */
export const order = '#'

export type KeysOf<R> = ReadonlyMap<string, KeyOf<R>>

/** A state with these rows in their order. A later row replaces one with the same id in its place. */
export function filledState<R extends { readonly id: string }>(rows: Iterable<R>): TableState<R> {
  const unique = [...new Map(Array.from(rows, row => [row.id, row])).values()]
  const inOrder = treeOf(unique.map((row, sequence) => ({ key: null, sequence, row })))
  return { indexes: new Map([[order, inOrder]]), nextSequence: unique.length, size: unique.length }
}

/** The rows of a state in their order of insertion. */
export function rowsOf<R>({ indexes }: TableState<R>): R[] {
  return Array.from(walk(indexes.get(order) ?? null), ({ row }) => row)
}

/** An index of a state, built at its first use. */
export function indexOf<R>(name: string, keyOf: KeyOf<R>, { indexes }: TableState<R>): SortedTree<IndexEntry<R>> {
  const made = indexes.get(name)
  if (made !== undefined) return made
  const entries = Array.from(walk(indexes.get(order) ?? null), entry => entryIn(keyOf, entry))
  const tree = treeOf(entries.filter(entry => entry !== undefined).sort(compareEntries))
  indexes.set(name, tree)
  return tree
}

/**
 * The state after a row was written; `before` is undefined for a new row, `after` for a deleted one. All indexes are built
 * first, in the state that was there: every table that shares it has them then.
 */
export function writtenState<R>(
  state: TableState<R>,
  keys: KeysOf<R>,
  before: IndexEntry<R> | undefined,
  after: IndexEntry<R> | undefined,
): TableState<R> {
  const indexes = Array.from(keys, ([name, keyOf]) => {
    const tree = indexOf(name, keyOf, state)
    const old = before && entryIn(keyOf, before)
    const entry = after && entryIn(keyOf, after)
    const isMoved = old && !(entry && compareKeys(old.key, entry.key) === 0)
    const cleared = isMoved ? remove(tree, old, compareEntries) : tree
    return [name, entry ? insert(cleared, entry, compareEntries) : cleared] as const
  })
  return {
    indexes: new Map(indexes),
    nextSequence: Math.max(state.nextSequence, (after?.sequence ?? -1) + 1),
    size: state.size + (after ? 1 : 0) - (before ? 1 : 0),
  }
}
