import * as v from 'valibot'
import { clientStore, items, slot, view, withFields, type Kit, type Shape } from '../declare'
import type { PermissionId } from '../../core/register'
import type { Store } from '../../store/store'
import { permissionFields, recursive } from './shape'
import { given } from '../../errors/auth-error'

const projectPermission = v.object(permissionFields)

/** A permission of a user in the whole project. */
export interface ProjectPermission extends v.InferOutput<typeof projectPermission> {}
export const ProjectPermission: Shape<ProjectPermission> = projectPermission

const teamPermission = v.object(withFields(permissionFields, { teamId: v.string() }))

/** A permission of a user in a team. */
export interface TeamPermission extends v.InferOutput<typeof teamPermission> {}
export const TeamPermission: Shape<TeamPermission> = teamPermission

/**
 * The signed-in user's permissions in a team; without `teamId`, in all teams. Includes permissions that others contain,
 * unless `recursive: false` limits the list to those granted directly.
 *
 * @example
 * const permissions = await app.teamPermissions$({ teamId: 'team-1' }).get()
 */
export const teamPermissions$ = clientStore('GET /team-permissions', {
  fixed: { user_id: 'me' },
  query: { teamId: v.optional(v.string()), recursive },
  returns: items(TeamPermission),
  partOf: ['team', 'permission'],
  signedOut: [],
})

/**
 * The signed-in user's permissions in the whole project; `recursive` as for `teamPermissions$`.
 *
 * @example
 * const permissions = await app.projectPermissions$({ recursive: false }).get()
 */
export const projectPermissions$ = clientStore('GET /project-permissions', {
  fixed: { user_id: 'me' },
  query: { recursive },
  returns: items(ProjectPermission),
  partOf: 'permission',
  signedOut: [],
})

/** A question for `can` and `can$`. */
export interface PermissionCheck {
  readonly permissionId: PermissionId
  /** Absent: in the whole project. */
  readonly teamId?: string
}

/**
 * Whether the signed-in user has a permission, in a team or in the whole project: itself, or in one that contains it. It
 * projects `teamPermissions$` or `projectPermissions$`, without a request of its own.
 *
 * @example
 * app.can$({ permissionId: '$invite_members', teamId: 'team-1' }).subscribe(may => console.log(may))
 */
export function can$(kit: Kit, check: PermissionCheck): Store<boolean> {
  const { permissionId, teamId } = given(check)
  const checks = slot(kit, checksKey, () => new Map<string, Includes>())
  // One function per permission, so that two handles are of one store.
  const known = checks.get(permissionId)
  const includes: Includes = known ?? (all => all.some(({ id }) => id === permissionId))
  if (!known) checks.set(permissionId, includes)
  return teamId === undefined
    ? view(projectPermissions$, includes)(kit)
    : view(teamPermissions$, includes)(kit, { teamId })
}

/**
 * The present value of `can$`; undefined: unknown, until it has been watched or loaded.
 *
 * @example
 * const may = app.can({ permissionId: '$invite_members', teamId: 'team-1' })
 */
export function can(kit: Kit, check: PermissionCheck): boolean | undefined {
  const { snapshot } = can$(kit, check)
  return snapshot.status === 'ready' ? snapshot.value : undefined
}

const checksKey = {}

type Includes = (all: readonly { readonly id: string }[]) => boolean
