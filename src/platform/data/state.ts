import { compareByKey, compareEntries, entryIn } from './entry'
import type { Entry } from './entry'
import { compareKeys } from './key'
import type { Key } from './key'
import { differences, insert, remove, treeOf, walk } from './tree'
import type { Tree } from './tree'

/** The content of a table. Never mutated, except that indexes are added at their first use. */
export interface State<R> {
  readonly byId: Tree<Entry<R>>
  readonly inOrder: Tree<Entry<R>>
  /** The indexes that have been built. */
  readonly indexes: Map<string, Tree<Entry<R>>>
  readonly nextSequence: number
  readonly size: number
}

/** The key function of each index, by its name. */
export type KeysOf<R> = ReadonlyMap<string, (row: R) => Key | undefined>

/** Without rows, every index is built already. */
export function emptyState<R>(keys: KeysOf<R>): State<R> {
  const indexes = new Map(Array.from(keys.keys(), name => [name, null]))
  return { byId: null, inOrder: null, indexes, nextSequence: 0, size: 0 }
}

/**
 * An index of a state, built at its first use. It is built in the state's origin, so that other states with this origin
 * share it, and then updated by the rows written since.
 */
export function indexOf<R>(
  name: string,
  keyOf: (row: R) => Key | undefined,
  state: State<R>,
  origin: State<R>,
): Tree<Entry<R>> {
  const made = state.indexes.get(name)
  if (made !== undefined) return made
  const from = origin.indexes.get(name)
  let tree = from === undefined ? madeOf(origin, keyOf) : from
  origin.indexes.set(name, tree)
  for (const [before, after] of differences(origin.byId, state.byId, compareByKey))
    tree = changed(tree, keyOf, before, after)
  state.indexes.set(name, tree)
  return tree
}

function madeOf<R>({ inOrder }: State<R>, keyOf: (row: R) => Key | undefined): Tree<Entry<R>> {
  const entries = [...walk(inOrder)].flatMap(entry => entryIn(keyOf, entry) ?? [])
  return treeOf(entries.sort(compareEntries))
}

/** The built indexes, updated for one written row. */
export function reindexed<R>(
  indexes: State<R>['indexes'],
  keys: KeysOf<R>,
  before: Entry<R> | undefined,
  after: Entry<R> | undefined,
): State<R>['indexes'] {
  const all = new Map<string, Tree<Entry<R>>>()
  for (const [name, keyOf] of keys) {
    const tree = indexes.get(name)
    if (tree !== undefined) all.set(name, changed(tree, keyOf, before, after))
  }
  return all
}

function changed<R>(
  tree: Tree<Entry<R>>,
  keyOf: (row: R) => Key | undefined,
  before: Entry<R> | undefined,
  after: Entry<R> | undefined,
): Tree<Entry<R>> {
  const old = before && entryIn(keyOf, before)
  const entry = after && entryIn(keyOf, after)
  const isMoved = old && !(entry && compareKeys(old.key, entry.key) === 0)
  const cleared = isMoved ? remove(tree, old, compareEntries) : tree
  return entry ? insert(cleared, entry, compareEntries) : cleared
}
