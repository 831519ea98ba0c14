import type { Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { hasTeamPermission } from './permissions'
import type { SystemPermission, MembershipRow, TeamRow } from '../model/teams'
import { known } from '../model/refusal'
import type { UserRow } from '../model/users'
import { membershipOf } from './teams'
import { requireUser } from './user-changes'

export function requireTeam({ tables }: Engine, teamId: string): TeamRow {
  const team = tables.teams.get(teamId)
  if (team) return team
  throw known('TEAM_NOT_FOUND', `There is no team with the id ${teamId}.`, { teamId })
}

/** Throws for a user that does not exist, then for one that is not in the team; the team itself may not exist. */
export function requireMembership(engine: Engine, teamId: string, userId: string): MembershipRow {
  const membership = membershipOf(engine.tables, teamId, requireUser(engine, userId).id)
  if (membership) return membership
  throw known('TEAM_MEMBERSHIP_NOT_FOUND', `The user ${userId} is not a member of the team ${teamId}.`, {
    teamId,
    userId,
  })
}

/** Throws for a user that is not in the team, then for one without the permission there. */
export function requireTeamPermission(
  engine: Engine,
  member: { readonly teamId: string; readonly userId: string; readonly permissionId: SystemPermission },
): void {
  requireMembership(engine, member.teamId, member.userId)
  if (hasTeamPermission(engine, member)) return
  const { userId, permissionId, teamId } = member
  throw known(
    'TEAM_PERMISSION_REQUIRED',
    `The user ${userId} needs the permission ${permissionId} in the team ${teamId}.`,
    { teamId, userId, permissionId },
  )
}

/** The signed-in user of a client that changes a team. */
export function requireSignedIn({ user }: Pick<Caller, 'user'>): UserRow {
  if (user) return user
  throw known('USER_AUTHENTICATION_REQUIRED', 'This needs the access token of a user who exists.')
}
