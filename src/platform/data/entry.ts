import { compareKeys } from './key'
import type { Key } from './key'

/** A row with its sort position in an index. */
export interface Entry<R> {
  readonly key: Key
  /** Rows with the same key keep their order of insertion. */
  readonly sequence: number
  readonly row: R
}

/** The entry under another index; undefined if the row is not in it. */
export function entryIn<R>(keyOf: (row: R) => Key | undefined, entry: Entry<R>): Entry<R> | undefined {
  const key = keyOf(entry.row)
  return key === undefined ? undefined : { key, sequence: entry.sequence, row: entry.row }
}

export function compareEntries(left: Entry<unknown>, right: Entry<unknown>): number {
  return compareKeys(left.key, right.key) || left.sequence - right.sequence
}

/** For an index whose keys are unique. */
export function compareByKey(left: Entry<unknown>, right: Entry<unknown>): number {
  return compareKeys(left.key, right.key)
}
