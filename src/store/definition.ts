import { isRecord } from '../core/is-record'
import type { Signal } from '../core/web-types'
import type { Identity } from '../session/identity'
import type { Owner } from '../transport/credentials'
import type { Access, Endpoint } from '../transport/endpoint'
import type { ErrorCode } from '../errors/codes'
import type { Kit } from './kit'
import type { Store } from './store'

export interface LoadOptions {
  readonly signal: Signal
  readonly owner: Owner | undefined
  readonly onBackoff: () => void
}

/** Something that a write can make stale, with or without a store for it. Compared by reference. */
export interface Topic {
  /** Equal in every tab and on the server: access level and route, or the app's own key. */
  readonly key: string
  /** Keys of topics that make this one stale too. */
  readonly follows?: readonly string[] | undefined
}

/** How a store gets its value. */
export interface Source<I = never, O = unknown> extends Topic {
  /** Declared by the app with a loader and a key of its own. */
  readonly isOwn?: true
  readonly ownedBy: 'app' | 'session'
  /** The value while signed out; only for sources of the session. */
  readonly signedOut: O | undefined
  /** The input with defaults, as in the cell's key. */
  normalise(input: I): I
  load(kit: Kit, input: I, options: LoadOptions): Promise<O>
  /** The value with additions from the session of `identity`, computed in each commit. */
  readonly shown?: ((value: O, identity: Identity) => O) | undefined
}

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
 * The stores of `target` whose arguments include these.
 *
 * @example
 * const target: Narrowed = only(team$, { teamId: 'team-1' })
 */
export interface Narrowed {
  readonly '~narrowed': true
  readonly source: Topic
  readonly args: Readonly<Record<string, unknown>>
}

/**
 * What a write can make stale: all stores of a query, or some of them.
 *
 * @example
 * const targets: Target[] = [user$, only(team$, { teamId: 'team-1' })]
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any query, whatever it takes and gives
export type Target = Query<any, any, any> | Narrowed

/**
 * A change of one cached value. It is pure, so that it can be replayed on a newer value.
 *
 * @example
 * const none: Patch = patch(teams$, {}, () => [])
 */
export interface Patch {
  readonly '~patch': true
  readonly source: Source
  readonly args: Readonly<Record<string, unknown>>
  readonly change: (value: unknown) => unknown
}

/** Sorted and without undefined values: equal arguments give the same key. */
export function argsKey(input: object): string {
  return JSON.stringify(input, (_, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}

/** The stores of a target. */
export function narrowed(target: Target): Narrowed {
  if ('~narrowed' in target) return target
  return { '~narrowed': true, source: sourceOf(target), args: {} }
}

/** Something that a write changes and that no store of its level shows; stores of a higher level follow it. */
export function topic(key: string): Narrowed {
  return { '~narrowed': true, source: { key }, args: {} }
}

/** The source of a query; every query has one, the type hides it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any query, whatever it takes and gives
export function sourceOf(query: Query<any, any, any>): Source {
  return query['~source'] as unknown as Source
}
