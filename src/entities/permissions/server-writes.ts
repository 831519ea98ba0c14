import { renewToken, serverWrite, type Kit } from '../declare'
import { ProjectPermission, TeamPermission } from './client'
import { changedProjectPermission, changedTeamPermission } from '../server-touched'

interface PermissionOwner {
  readonly userId: string
}

const renewed = (kit: Kit, _: unknown, { userId }: PermissionOwner) => renewToken(kit, userId)

/**
 * Grants a permission to a member of a team; one that is granted already stays.
 *
 * Throws PERMISSION_NOT_FOUND, and WRONG_PERMISSION_SCOPE for a permission of the whole project.
 *
 * @example
 * const result = await server.grantTeamPermission({ teamId: 'team-1', userId: 'user-1', permissionId: 'write' })
 */
export const grantTeamPermission = serverWrite('POST /team-permissions/{teamId}/{userId}/{permissionId}', {
  returns: TeamPermission,
  fails: ['TEAM_MEMBERSHIP_NOT_FOUND', 'USER_NOT_FOUND'],
  refreshes: changedTeamPermission,
  settled: renewed,
})

/**
 * Revokes a permission of a team member; one that was not granted directly counts as done. Permissions contained in others
 * stay.
 *
 * @example
 * const result = await server.revokeTeamPermission({ teamId: 'team-1', userId: 'user-1', permissionId: 'write' })
 */
export const revokeTeamPermission = serverWrite('DELETE /team-permissions/{teamId}/{userId}/{permissionId}', {
  fails: ['TEAM_MEMBERSHIP_NOT_FOUND', 'USER_NOT_FOUND'],
  done: ['TEAM_PERMISSION_NOT_FOUND'],
  refreshes: changedTeamPermission,
  settled: renewed,
})

/**
 * Grants a permission in the whole project; one that is granted already stays.
 *
 * Throws PERMISSION_NOT_FOUND, and WRONG_PERMISSION_SCOPE for a permission of teams.
 *
 * @example
 * const result = await server.grantProjectPermission({ userId: 'user-1', permissionId: 'billing' })
 */
export const grantProjectPermission = serverWrite('POST /project-permissions/{userId}/{permissionId}', {
  returns: ProjectPermission,
  fails: ['USER_NOT_FOUND'],
  refreshes: changedProjectPermission,
  settled: renewed,
})

/**
 * Revokes a user's permission in the whole project; one that was not granted directly counts as done. Permissions contained
 * in others stay.
 *
 * @example
 * const result = await server.revokeProjectPermission({ userId: 'user-1', permissionId: 'billing' })
 */
export const revokeProjectPermission = serverWrite('DELETE /project-permissions/{userId}/{permissionId}', {
  fails: ['USER_NOT_FOUND'],
  done: ['PERMISSION_NOT_FOUND'],
  refreshes: changedProjectPermission,
  settled: renewed,
})
