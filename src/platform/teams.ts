import type { Engine } from './engine'
import { noMetadata } from './metadata'
import { grantInTeam, grantTeamDefaults } from './permissions'
import type { ProjectRow, Tables } from './tables'
import type { MembershipRow, TeamRow } from './team-tables'

/** A team without members. */
export function createTeam(
  { tables, clock }: Pick<Engine, 'tables' | 'clock'>,
  { displayName, ...given }: Partial<Omit<TeamRow, 'createdAt'>> & { readonly displayName: string },
): TeamRow {
  return tables.teams.put({
    id: crypto.randomUUID(),
    displayName,
    profileImageUrl: null,
    createdAt: clock.now(),
    clientMetadata: noMetadata(),
    clientReadOnlyMetadata: noMetadata(),
    serverMetadata: noMetadata(),
    ...given,
  })
}

/** Everything that is the team's goes with it. */
export function deleteTeam(tables: Tables, teamId: string): void {
  for (const { userId } of tables.memberships.by('teamId', teamId)) leave(tables, teamId, userId)
  tables.apiKeys.deleteBy('owner', ['team', teamId])
  tables.verificationCodes.deleteBy('teamId', teamId)
  tables.teams.delete(teamId)
}

/**
 * Makes a user a member, with the permissions that the project gives its creators or members, or with those of `granted`.
 * A member stays what it is.
 */
export function join(
  tables: Tables,
  project: ProjectRow,
  member: {
    readonly teamId: string
    readonly userId: string
    readonly as: 'creator' | 'member'
    readonly granted?: readonly string[] | undefined
  },
): void {
  const { teamId, userId, granted } = member
  if (isMember(tables, teamId, userId)) return
  tables.memberships.put({ id: `${teamId} ${userId}`, teamId, userId, displayName: null, profileImageUrl: null })
  if (!granted) grantTeamDefaults(tables, project, member)
  else for (const permissionId of granted) grantInTeam(tables, { teamId, userId, permissionId })
}

/** Ends a membership, with its profile and permissions; a team that was selected is so no more. */
export function leave({ memberships, teamGrants, users }: Tables, teamId: string, userId: string): void {
  memberships.delete(`${teamId} ${userId}`)
  teamGrants.deleteBy('member', [teamId, userId])
  if (users.get(userId)?.selectedTeamId === teamId) users.patch(userId, { selectedTeamId: null })
}

export function membershipOf({ memberships }: Tables, teamId: string, userId: string): MembershipRow | undefined {
  return memberships.get(`${teamId} ${userId}`)
}

export function isMember(tables: Tables, teamId: string, userId: string): boolean {
  return membershipOf(tables, teamId, userId) !== undefined
}
