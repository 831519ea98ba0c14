import type { Target } from './definition'
import { topic } from './source'

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
  /** What a user owns, such as contact channels and sessions. Stale when the user is deleted. */
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

/**
 * The groups that a query is part of.
 *
 * @example
 * const groups: PartOf = { partOf: ['team', 'permission'] }
 */
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
