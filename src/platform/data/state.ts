import { compareByKey, compareEntries, entryIn } from './entry'
import type { Entry } from './entry'
import { compareKeys } from './key'
import type { Key } from './key'
import { differences, insert, remove, treeOf, walk } from './tree'
import type { Tree } from './tree'

/** What a table holds: never changed, but for the indexes that are made when they are first asked for. */
export interface State<R> {
  readonly byId: Tree<Entry<R>>
  readonly inOrder: Tree<Entry<R>>
  /** Those that have been made. */
  readonly indexes: Map<string, Tree<Entry<R>>>
  readonly nextSequence: number
  readonly size: number
}

/** By the name of an index, what it sorts by. */
export type KeysOf<R> = ReadonlyMap<string, (row: R) => Key | undefined>

/** Every index of no rows has been made. */
export function emptyState<R>(keys: KeysOf<R>): State<R> {
  const indexes = new Map(Array.from(keys.keys(), name => [name, null]))
  return { byId: null, inOrder: null, indexes, nextSequence: 0, size: 0 }
}

/**
 * An index of a state, made now if it has not been: in the state that it came from, so that whatever else came from that has
 * it too, and then changed by what has been written since.
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

/** The indexes that have been made, after one row was written. */
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
