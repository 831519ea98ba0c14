import type { ErrorCode } from '../errors/codes'
import type { Access, Endpoint } from '../transport/endpoint'
import type { Kit } from './kit'
import type { Narrowed, Source } from './source'
import type { Store } from './store'

/**
 * The arguments of a definition after the kit: none, optional or required, depending on the input.
 *
 * @example
 * const none: Arguments<{}> = []
 * const one: Arguments<{ teamId: string }> = [{ teamId: 'team-1' }]
 */
export type Arguments<I> = keyof I extends never ? [] : {} extends I ? [args?: I] : [args: I]

/**
 * A definition of something to read: called with a kit, it returns a store.
 *
 * @example
 * const show = (list$: Query<'client', {}, readonly unknown[]>) => list$(kit).subscribe(all => console.log(all.length))
 * show(teams$)
 */
export interface Query<A extends Access, I, O> {
  (kit: Kit<A>, ...args: Arguments<I>): Store<O>
  /** The source of its value; a view has the source that it projects. */
  readonly '~source'?: Source<I>
  /** Present on queries made from an endpoint, and on views of them. */
  readonly endpoint?: Endpoint<A, I, unknown, ErrorCode> | undefined
}

/**
 * What a write can make stale: all stores of a query, or some of them.
 *
 * @example
 * const targets: Target[] = [user$, only(team$, { teamId: 'team-1' })]
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any query, whatever it takes and gives
export type Target = Query<any, any, any> | Narrowed

/** The stores of a target. */
export function narrowed(target: Target): Narrowed {
  if ('~narrowed' in target) return target
  return { '~narrowed': true, source: sourceOf(target), args: {} }
}

/** The source of a query; every query has one, the type hides it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any query, whatever it takes and gives
export function sourceOf(query: Query<any, any, any>): Source {
  return query['~source'] as unknown as Source
}
