import { allOf, only, type Target } from './declare'
import { projectPermissions$, teamPermissions$ } from './permissions/client'
import { team$, teams$ } from './teams/client'
import { projectPermissionsOf$, teamPermissionsOf$ } from './permissions/server'
import { teamMemberProfileById$, teamMemberProfilesOf$, teamMembersOf$ } from './team-members/server'
import { teamById$, teamsOf$ } from './teams/server'
import { userApiKeyById$ } from './api-keys/server-user'
import { users$ } from './users/server'

interface UserInput {
  readonly userId: string
}

/** After a change of a user's own fields; the user may be the one whose tokens this kit has. Without an id, of any user. */
export function changedUser(user: Partial<UserInput>): readonly Target[] {
  return [allOf('user', user), allOf('users', {})]
}

/** After a user with all that it owns has been created or deleted; without an id, any user. */
export function wholeUser(user: Partial<UserInput>): readonly Target[] {
  // The arguments of a key do not name its owner.
  return [...changedUser(user), allOf('owned', user), userApiKeyById$]
}

/** After a change of a team's own fields. Stores that show a user contain the selected team. */
export function changedTeam(teamId: string): readonly Target[] {
  return [allOf('teams', {}), only(teamById$, { teamId }), only(team$, { teamId }), ...changedUser({})]
}

/** After a team with all that belongs to it has been created or deleted. */
export function wholeTeam(teamId: string): readonly Target[] {
  return [...changedTeam(teamId), allOf('team', { teamId }), teamPermissions$, teamPermissionsOf$]
}

/** After a user has joined or left a team. */
export function changedMembership(teamId: string, userId: string): readonly Target[] {
  return [
    only(teamMembersOf$, { teamId }),
    only(teamMemberProfilesOf$, { userId }),
    only(teamMemberProfileById$, { teamId, userId }),
    only(teamsOf$, { userId }),
    only(users$, { teamId }),
    teams$,
    allOf('teams', {}),
    allOf('team', { teamId }),
    ...changedTeamPermission({ teamId, userId }),
  ]
}

/** After a permission of a user in a team has changed; without its id, any permission there. */
export function changedTeamPermission({
  teamId,
  userId,
  permissionId,
}: UserInput & { readonly teamId: string; readonly permissionId?: string }): readonly Target[] {
  return [
    only(teamPermissionsOf$, { userId }),
    teamPermissions$,
    allOf('permission', { teamId }),
    ...named(permissionId),
  ]
}

/** After a permission of a user in the whole project has changed. */
export function changedProjectPermission({
  userId,
  permissionId,
}: UserInput & { readonly permissionId: string }): readonly Target[] {
  return [only(projectPermissionsOf$, { userId }), projectPermissions$, ...named(permissionId)]
}

function named(permissionId: string | undefined): readonly Target[] {
  return permissionId === undefined ? [] : [allOf('permission', { permissionId })]
}
