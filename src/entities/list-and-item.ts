import type { Query, Target } from '../store/definition'
import { only, patch } from '../store/write/mutation'
import type { Patch } from '../store/source'

/** A list, and the store of one of its rows. */
type ListAndItem<L, I, R> = readonly [
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level
  list$: Query<any, L, R[]>,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level
  item$: Query<any, I, R | null>,
]

interface Row {
  readonly id: string
}

/** Both as targets, each narrowed by its arguments. */
export function both<L, I, R extends Row>(
  [list$, item$]: ListAndItem<L, I, R>,
  list: Partial<L>,
  item: Partial<I>,
): Target[] {
  return [only(list$, list), only(item$, item)]
}

/** Changes the row in both; where there is none, there is none afterwards. */
export function changeBoth<L, I, R extends Row>(
  [list$, item$]: ListAndItem<L, I, R>,
  list: Partial<L>,
  item: Partial<I>,
  id: string,
  change: (row: R) => R,
): [inList: Patch, inItem: Patch] {
  return [
    patch(list$, list, all => all.map(row => (row.id === id ? change(row) : row))),
    patch(item$, item, row => row && change(row)),
  ]
}

/** Puts the row of an answer in the place of its older state in both. */
export function replaceBoth<L, I, R extends Row>(
  pair: ListAndItem<L, I, R>,
  list: Partial<L>,
  item: Partial<I>,
  row: R,
): Patch[] {
  const replaced = () => row
  return [changeBoth(pair, list, item, row.id, replaced)[0], patch(pair[1], item, replaced)]
}

/** Takes the row out of both. */
export function removeBoth<L, I, R extends Row>(
  [list$, item$]: ListAndItem<L, I, R>,
  list: Partial<L>,
  item: Partial<I>,
  id: string,
): Patch[] {
  return [patch(list$, list, all => all.filter(row => row.id !== id)), patch(item$, item, () => null)]
}
