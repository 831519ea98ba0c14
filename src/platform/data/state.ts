import { compareByKey, compareEntries, entryIn, compareKeys } from './key'
import type { IndexEntry, Key } from './key'
import { differences, find, insert, remove, treeOf, walk } from './tree'
import type { SortedTree } from './tree'

/** The content of a table. Never mutated, except that indexes are added at their first use. */
export interface TableState<R> {
  /** By id, the rows that a state was filled with; null if rows were written since. */
  readonly filled: ReadonlyMap<string, IndexEntry<R>> | null
  readonly inOrder: SortedTree<IndexEntry<R>>
  /** The indexes that have been built. */
  readonly indexes: Map<string, SortedTree<IndexEntry<R>>>
  /** The earlier state whose indexes are updated by the rows written since; null for a state that was filled with rows. */
  readonly base: TableState<R> | null
  readonly nextSequence: number
  readonly size: number
}

type KeyOf<R> = (row: R) => Key | undefined

/** The name of the index by id, which every state has that was written to. */
export const idIndex = ''

/** The key function of each index, by its name. */
export type KeysOf<R> = ReadonlyMap<string, KeyOf<R>>

/** Without rows, every index is built already. */
export function emptyState<R>(keys: KeysOf<R>): TableState<R> {
  const indexes = new Map(Array.from(keys.keys(), name => [name, null]))
  return { filled: null, inOrder: null, indexes, base: null, nextSequence: 0, size: 0 }
}

/** A state with these rows in their order. A later row replaces one with the same id in its place. */
export function filledState<R extends { readonly id: string }>(rows: Iterable<R>): TableState<R> {
  const entries = new Map<string, IndexEntry<R>>()
  for (const row of rows) {
    const sequence = entries.get(row.id)?.sequence ?? entries.size
    entries.set(row.id, { key: row.id, sequence, row })
  }
  const all = [...entries.values()]
  return {
    filled: entries,
    inOrder: treeOf(all.map(({ sequence, row }) => ({ key: null, sequence, row }))),
    indexes: new Map(),
    base: null,
    nextSequence: all.length,
    size: all.length,
  }
}

/** One row before and after a write; `before` is undefined for a new row, `after` for a deleted one. */
export interface RowWrite<R> {
  readonly before: IndexEntry<R> | undefined
  readonly after: IndexEntry<R> | undefined
}

/** The state after one write. */
export function writtenState<R extends { readonly id: string }>(
  { inOrder, indexes, nextSequence, size }: TableState<R>,
  written: RowWrite<R>,
  { keys, base }: { readonly keys: KeysOf<R>; readonly base: TableState<R> },
): TableState<R> {
  const { before, after } = written
  const reindexed = Array.from(keys).flatMap(([name, keyOf]) => {
    const tree = indexes.get(name)
    return tree === undefined ? [] : [[name, changed(tree, keyOf, written)] as const]
  })
  return {
    filled: null,
    inOrder: changed(inOrder, () => null, written),
    indexes: new Map(reindexed),
    base,
    nextSequence: Math.max(nextSequence, (after?.sequence ?? -1) + 1),
    size: size + (after ? 1 : 0) - (before ? 1 : 0),
  }
}

export function entryOf<R>({ filled, indexes }: TableState<R>, id: string): IndexEntry<R> | undefined {
  return filled ? filled.get(id) : find(indexes.get(idIndex) ?? null, ({ key }) => compareKeys(key, id))
}

/**
 * An index of a state, built at its first use. It is built in the state that was filled, so that all states which come from
 * it share the index, and then updated by the rows written since.
 */
export function indexOf<R>(name: string, keyOf: KeyOf<R>, state: TableState<R>): SortedTree<IndexEntry<R>> {
  const made = state.indexes.get(name)
  if (made !== undefined) return made
  const tree = state.base ? changedSince(state.base, name, keyOf, state) : treeOf(entriesOf(state, keyOf))
  state.indexes.set(name, tree)
  return tree
}

function entriesOf<R>({ inOrder }: TableState<R>, keyOf: KeyOf<R>): IndexEntry<R>[] {
  return Array.from(walk(inOrder), entry => entryIn(keyOf, entry))
    .filter(entry => entry !== undefined)
    .sort(compareEntries)
}

function changedSince<R>(
  base: TableState<R>,
  name: string,
  keyOf: KeyOf<R>,
  { indexes }: TableState<R>,
): SortedTree<IndexEntry<R>> {
  let tree = indexOf(name, keyOf, base)
  const [from, to] = [base.indexes, indexes].map(all => all.get(idIndex) ?? null)
  for (const [before, after] of differences(from ?? null, to ?? null, compareByKey))
    tree = changed(tree, keyOf, { before, after })
  return tree
}

function changed<R>(
  tree: SortedTree<IndexEntry<R>>,
  keyOf: KeyOf<R>,
  { before, after }: RowWrite<R>,
): SortedTree<IndexEntry<R>> {
  const old = before && entryIn(keyOf, before)
  const entry = after && entryIn(keyOf, after)
  const isMoved = old && !(entry && compareKeys(old.key, entry.key) === 0)
  const cleared = isMoved ? remove(tree, old, compareEntries) : tree
  return entry ? insert(cleared, entry, compareEntries) : cleared
}
