import type { ErrorCode } from '../errors/codes'
import type { Kit } from './kit'
import { topic, type Narrowed, type Source } from './source'
import type { Store } from './store'
import type { Access, Endpoint } from '../transport/endpoint'

/** The arguments of a definition after the kit: none, optional or required, depending on the input. */
export type Arguments<I> = keyof I extends never ? [] : {} extends I ? [args?: I] : [args: I]

/** A definition of something to read: called with a kit, it returns a store. */
export interface Query<A extends Access, I, O> {
  (kit: Kit<A>, ...args: Arguments<I>): Store<O>
  /** The source of its value; a view has the source that it projects. */
  readonly '~source'?: Source<I>
  /** Present on queries made from an endpoint, and on views of them. */
  readonly endpoint?: Endpoint<A, I, unknown, ErrorCode> | undefined
}

/** Stores that a write can make stale: all of a query, or some of them. */
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

/**
 * Groups of stores, each with the arguments that tell its members apart. A query says in `partOf` which groups it is part of,
 * a write refreshes them with `allOf`. An app adds its own by augmentation.
 *
 * @example
 * declare module 'rxauth' {
 *   interface Groups {
 *     board: { boardId: string }
 *   }
 * }
 * const cards$ = query(async (_kit, _: { boardId: string }) => ['buy tea'], { key: 'cards', ownedBy: 'app', partOf: 'board' })
 */
export interface Groups {
  /** One user's name, picture or address. Stale when the user is changed or deleted. */
  readonly user: { readonly userId: string }
  /** Lists that show users, without an argument that names one. Stale when any user is changed or deleted. */
  readonly users: {}
  /** Things that a user owns, such as contact channels and sessions. Stale when the user is deleted. */
  readonly owned: { readonly userId: string }
  /** One team and what belongs to it. Stale when the user joins or leaves the team, or it is deleted. */
  readonly team: { readonly teamId: string }
  /** Lists of teams, without an argument that names one. Stale when a team is created, changed, joined, left or deleted. */
  readonly teams: {}
  /**
   * Permissions, or what only a permission shows. Stale when the permission itself, not one that contains it, or any in the team
   * is granted or revoked, or when it is redefined.
   */
  readonly permission: { readonly permissionId: string; readonly teamId: string }
}

/** The groups that a query is part of. */
export interface PartOf {
  readonly partOf?: keyof Groups | readonly (keyof Groups)[]
}

/**
 * All stores of a group whose arguments include these, whichever query they are of: the kit's and the app's own. A store
 * without one of the arguments is not among them; `{}` means all.
 *
 * @example
 * const archive = mutation(async (_kit, _: { teamId: string }) => {}, {
 *   refreshes: ({ teamId }) => [allOf('team', { teamId })],
 * })
 */
export function allOf<G extends keyof Groups>(group: G, args: Partial<Groups[G]> = {}): Target {
  return { ...topic(`~${group}`), args }
}
