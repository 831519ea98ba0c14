import { coreOf, only, patch, type Attempted, type Kit, type Patch, type Target } from './declare'
import type { Query } from '../store/definition'
import { isAuthError, isRefusedWith } from '../errors/auth-error'
import { call, type CallContext } from '../transport/call'
import { orThrow } from '../core/result'
import type { ErrorCode } from '../errors/codes'
import type { Access, Endpoint } from '../transport/endpoint'

/** A list, and the store of one of its rows. */
type ListAndItem<L, I, R> = readonly [
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level
  list$: Query<any, L, R[]>,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level
  item$: Query<any, I, R | null>,
]

interface RowLike {
  readonly id: string
}

/** The list and the item as targets, each narrowed by its arguments. */
export function both<L, I, R extends RowLike>(
  [list$, item$]: ListAndItem<L, I, R>,
  list: Partial<L>,
  item: Partial<I>,
): Target[] {
  return [only(list$, list), only(item$, item)]
}

/** Changes the row in both. A row that a store lacks is not added to it. */
export function changeBoth<L, I, R extends RowLike>(
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
export function replaceBoth<L, I, R extends RowLike>(
  pair: ListAndItem<L, I, R>,
  list: Partial<L>,
  item: Partial<I>,
  row: R,
): Patch[] {
  const replaced = () => row
  return [changeBoth(pair, list, item, row.id, replaced)[0], patch(pair[1], item, replaced)]
}

/** Takes the row out of a list. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level
export function withoutRow<L, R extends RowLike>(list$: Query<any, L, R[]>, list: Partial<L>, id: string): Patch {
  return patch(list$, list, all => all.filter(row => row.id !== id))
}

/** Takes the row out of both. */
export function removeBoth<L, I, R extends RowLike>(
  [list$, item$]: ListAndItem<L, I, R>,
  list: Partial<L>,
  item: Partial<I>,
  id: string,
): Patch[] {
  return [withoutRow(list$, list, id), patch(item$, item, () => null)]
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level
type ListOf<I> = Query<any, I, RowLike[]>

/** The platform's answer to a query of the kit now, past its store. */
export async function answerOf<I, O>(
  kit: Kit,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level
  query$: Query<any, I, O>,
  input: I,
  options: CallContext,
): Promise<O> {
  // Queries of the kit are over endpoints.
  const endpoint = query$.endpoint as unknown as Endpoint<Access, I, O, never>
  return orThrow(await call(coreOf(kit).transport, endpoint, input, options))
}

/** Whether the refusal of a deletion says that an attempt before, whose answer was lost, has done it. */
export function doneBefore(...refusals: readonly ErrorCode[]) {
  return (error: unknown, _: object, __: Kit, { mayBeDone }: Attempted) => mayBeDone && isRefusedWith(error, refusals)
}

/**
 * Whether a refused deletion counts as done. The platform refuses unknown rows with a bare status (a channel with 400, a
 * session with 404, an invitation with 500) that also has other meanings. The list, loaded with the rest of the input, shows
 * whether the row exists. `field`: the input field with the id.
 */
export function isUnlisted<F extends string, I extends object>(list$: ListOf<I>, field: F) {
  return async (
    error: unknown,
    { [field]: id, ...rest }: I & { readonly [_ in F]: string },
    kit: Kit,
    { owner, signal }: Attempted,
  ): Promise<boolean> => {
    if (!isRefusedWith(error, [400, 404, 500])) return false
    try {
      // `rest` is the input of the list.
      const rows = await answerOf(kit, list$, rest as unknown as I, { owner, signal })
      return !rows.some(row => row.id === id)
    } catch {
      return false
    }
  }
}

/**
 * The meaning of a 404 for a change or a deletion: a release without such rows, or a row that is gone. The list tells, if no other
 * call has.
 */
export function missingRows<F extends string, I extends object>(list$: ListOf<I>, field: F) {
  const isGone = isUnlisted<F, I>(list$, field)
  type RowInput = Parameters<typeof isGone>[1]
  return {
    deletionIsDone: (error: unknown, input: RowInput, kit: Kit, attempted: Attempted) =>
      isGone(refusalOf(error), input, kit, attempted),
    changeIsDone: async (error: unknown, input: RowInput, kit: Kit, attempted: Attempted) => {
      const refusal = refusalOf(error)
      if (refusal !== error && (await isGone(refusal, input, kit, attempted))) throw refusal
      return false
    },
  }
}

function refusalOf(error: unknown): unknown {
  return isAuthError(error, 'NOT_ON_THIS_PLATFORM') ? error.cause : error
}
