import type { Kit } from './declare'
import { isAuthError, isRefusedWith } from '../errors/auth-error'
import { sourceOf, type Query } from '../store/definition'
import type { LoadOptions, Source } from '../store/source'
import type { Access } from '../transport/endpoint'

type LoadCall = (kit: Kit, options: LoadOptions) => Promise<unknown>

/** The store of `newer$`, which loads `older$` if the platform lacks the newer list. */
export function orOlder<A extends Access, O, P>(newer$: Query<A, {}, O>, older$: Query<A, {}, P>): Query<A, {}, O | P> {
  const older: LoadCall = (kit, options) => sourceOf(older$).load(kit, {} as never, options)
  return otherwise(newer$, error => (isAuthError(error, 'NOT_ON_THIS_PLATFORM') ? older : undefined)) as Query<
    A,
    {},
    O | P
  >
}

/**
 * The store of one row, with null for a row that does not exist. The platform answers 404 for such a row, and on a release
 * without such rows. The list tells which, and its error is the store's.
 */
export function orUnlisted<A extends Access, I, O, L>(
  row$: Query<A, I, O>,
  list$: Query<A, L, unknown>,
  input = {} as L,
): Query<A, I, O | null> {
  const asked: LoadCall = async (kit, options) => {
    await sourceOf(list$).load(kit, input as never, options)
    return null
  }
  return otherwise(row$, error => (isRefusedWith(error, [404]) ? asked : undefined)) as Query<A, I, O | null>
}

function otherwise<A extends Access, I, O>(
  query$: Query<A, I, O>,
  after: (error: unknown) => LoadCall | undefined,
): Query<A, I, unknown> {
  const source = sourceOf(query$)
  const load: Source['load'] = source.load.bind(source)
  // The store holds its source, which cannot be replaced.
  Object.assign(source, {
    async load(kit, input, options) {
      try {
        return await load(kit, input, options)
      } catch (error) {
        const other = after(error)
        if (!other) throw error
        return await other(kit, options)
      }
    },
  } satisfies Pick<Source, 'load'>)
  return query$
}
