import { compareEntries, compareKeys, entryIn } from './key'
import type { IndexEntry, Key } from './key'
import { insert, remove, treeOf, walk } from './tree'
import type { SortedTree } from './tree'

/** The content of a table. Never mutated, except that indexes are added at their first use. */
export interface TableState<R> {
  /** The indexes that have been built. */
  readonly indexes: Map<string, SortedTree<IndexEntry<R>>>
  readonly nextSequence: number
  readonly size: number
}

type KeyOf<R> = (row: R) => Key | undefined

/** The index by id. */
export const idIndex = ''
/** The index of all rows in their order of insertion, which every state has. */
export const order = '#'

/** The key function of each index, by its name. */
export type KeysOf<R> = ReadonlyMap<string, KeyOf<R>>

/** A state with these rows in their order. A later row replaces one with the same id in its place. */
export function filledState<R extends { readonly id: string }>(rows: Iterable<R>): TableState<R> {
  const unique = [...new Map(Array.from(rows, row => [row.id, row])).values()]
  const inOrder = treeOf(unique.map((row, sequence) => ({ key: null, sequence, row })))
  return { indexes: new Map([[order, inOrder]]), nextSequence: unique.length, size: unique.length }
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
