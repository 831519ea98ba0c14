import * as v from 'valibot'
import { items, serverStore, type CallOptions, type Kit } from '../declare'
import type { PermissionId } from '../../core/register'
import { recursive } from './shape'
import { ProjectPermission, TeamPermission } from './client'
import { given } from '../../errors/auth-error'

/**
 * A user's permissions in a team; without `teamId`, in all teams. Includes permissions that others contain, unless
 * `recursive: false` limits the list to those granted directly. Empty for an unknown user and outside the team.
 *
 * @example
 * const permissions = await server.teamPermissionsOf$({ userId: 'user-1', teamId: 'team-1' }).get()
 */
export const teamPermissionsOf$ = serverStore('GET /team-permissions', {
  query: { userId: v.string(), teamId: v.optional(v.string()), recursive },
  returns: items(TeamPermission),
  partOf: 'owned',
})

/**
 * A user's permissions in the whole project; `recursive` as for `teamPermissionsOf$`.
 *
 * @example
 * const permissions = await server.projectPermissionsOf$({ userId: 'user-1' }).get()
 */
export const projectPermissionsOf$ = serverStore('GET /project-permissions', {
  query: { userId: v.string(), recursive },
  returns: items(ProjectPermission),
  partOf: 'owned',
})

/** A question for `isPermitted`. */
export interface UserPermissionCheck {
  readonly userId: string
  readonly permissionId: PermissionId
  /** Absent: in the whole project. */
  readonly teamId?: string
  /** The greatest age of the answer. Default 5000; 0 asks the platform each time. */
  readonly maxAgeMillis?: number
}

/**
 * Whether a user has a permission, in a team or in the whole project: itself, or in one that contains it. Repeated checks of
 * one user share a request.
 *
 * @example
 * if (await server.isPermitted({ userId: 'user-1', permissionId: 'write', teamId: 'team-1' })) console.log('go on')
 */
export async function isPermitted(
  kit: Kit<'server'>,
  check: UserPermissionCheck,
  { signal }: CallOptions = {},
): Promise<boolean> {
  const { userId, permissionId, teamId, maxAgeMillis } = given(check)
  const store =
    teamId === undefined ? projectPermissionsOf$(kit, { userId }) : teamPermissionsOf$(kit, { userId, teamId })
  const permissions = await store.get({
    ...(maxAgeMillis !== undefined && { maxAgeMillis }),
    ...(signal && { signal }),
  })
  return permissions.some(({ id }) => id === permissionId)
}

/**
 * The permissions of all members of a team, each with its `userId`, by one request; `recursive` as for `teamPermissionsOf$`.
 * Empty for an unknown team.
 *
 * @example
 * const permissions = await teamMemberPermissions$(server, { teamId: 'team-1' }).get()
 * const admins = permissions.filter(({ id }) => id === 'team_admin').map(({ userId }) => userId)
 */
export const teamMemberPermissions$ = serverStore('GET /team-permissions', {
  query: { teamId: v.string(), recursive },
  returns: items(TeamPermission),
  partOf: ['team', 'permission', 'users'],
})
