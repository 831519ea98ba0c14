import type { Engine } from '../model/engine'
import { noMetadata, type UserRow } from '../model/users'
import { grantInTeam, teamDefaults, hasTeamPermission } from './permissions'
import type { Tables } from '../model/tables'
import type { MembershipRow, TeamRow, SystemPermission } from '../model/teams'
import { tellMembership, tellTeam, tellTeamDeleted, tellTeamGrant } from '../webhooks/webhook-events'
import { requireUser } from '../model/restriction'
import type { Caller } from '../http/authenticate'
import { known, refuse } from '../model/refusal'

type Member = Readonly<Record<'teamId' | 'userId', string>>

/** Creates a team without members. */
export function createTeam(
  engine: Engine,
  { displayName, ...given }: Partial<Omit<TeamRow, 'createdAt'>> & { readonly displayName: string },
): TeamRow {
  const team = engine.tables.teams.put({
    id: crypto.randomUUID(),
    displayName,
    profileImageUrl: null,
    createdAt: engine.clock.now(),
    clientMetadata: noMetadata(),
    clientReadOnlyMetadata: noMetadata(),
    serverMetadata: noMetadata(),
    ...given,
  })
  tellTeam(engine, 'created', team)
  return team
}

/** Deletes the team with all rows that belong to it. */
export function deleteTeam(engine: Engine, teamId: string): void {
  const { tables } = engine
  for (const { userId } of tables.memberships.by('teamId', teamId)) leave(tables, teamId, userId)
  tables.teams.delete(teamId)
  tellTeamDeleted(engine, teamId)
}

/**
 * Makes the user a member, with the project's default permissions for creators or members, or with those of `granted`. An
 * existing membership stays unchanged. For a creator no separate webhook is sent: the event of the new team covers it.
 */
export function join(
  engine: Engine,
  { teamId, userId, as, granted }: Member & { as: 'creator' | 'member'; granted?: readonly string[] | undefined },
): void {
  const { tables } = engine
  if (isMember(tables, teamId, userId)) return
  tables.memberships.put({ id: `${teamId} ${userId}`, teamId, userId, displayName: null, profileImageUrl: null })
  const permissionIds = granted ?? teamDefaults(engine, as)
  for (const permissionId of permissionIds) grantInTeam(tables, { teamId, userId, permissionId })
  if (as === 'creator') return
  tellMembership(engine, 'created', { teamId, userId })
  for (const permissionId of permissionIds) tellTeamGrant(engine, 'created', { teamId, userId, permissionId })
}

/** Ends a membership with its profile and permissions, and deselects the team if the user has it selected. */
export function leave({ memberships, users }: Tables, teamId: string, userId: string): void {
  memberships.delete(`${teamId} ${userId}`)
  if (users.get(userId)?.selectedTeamId === teamId) users.patch(userId, { selectedTeamId: null })
}

export function isMember({ memberships }: Tables, teamId: string, userId: string): boolean {
  return memberships.get(`${teamId} ${userId}`) !== undefined
}

export function requireTeam({ tables }: Engine, teamId: string): TeamRow {
  const unknown = known('TEAM_NOT_FOUND', `There is no team with the id ${teamId}.`, { teamId })
  return tables.teams.get(teamId) ?? refuse(unknown)
}

/** Throws for a user that does not exist, then for one that is not in the team; the team itself may not exist. */
export function requireMembership(engine: Engine, teamId: string, userId: string): MembershipRow {
  const message = `The user ${userId} is not a member of the team ${teamId}.`
  const membership = engine.tables.memberships.get(`${teamId} ${requireUser(engine, userId).id}`)
  return membership ?? refuse(known('TEAM_MEMBERSHIP_NOT_FOUND', message, { teamId, userId }))
}

/** Throws for a user that is not in the team, then for one without the permission there. */
export function requireTeamPermission(
  engine: Engine,
  { teamId, userId, permissionId }: Member & { permissionId: SystemPermission },
): void {
  requireMembership(engine, teamId, userId)
  if (hasTeamPermission(engine, { teamId, userId, permissionId })) return
  const message = `The user ${userId} needs the permission ${permissionId} in the team ${teamId}.`
  throw known('TEAM_PERMISSION_REQUIRED', message, { teamId, userId, permissionId })
}

/** A client's user needs the permissions in the team; servers may do everything. */
export function requireRights(engine: Engine, caller: Caller, teamId: string, ...ids: SystemPermission[]): void {
  if (caller.access !== 'client') return
  const { id: userId } = requireSignedIn(caller)
  for (const permissionId of ids) requireTeamPermission(engine, { teamId, userId, permissionId })
}

/** The signed-in user of a client that changes a team. */
export function requireSignedIn({ user }: Pick<Caller, 'user'>): UserRow {
  return user ?? refuse(known('USER_AUTHENTICATION_REQUIRED', 'This needs the access token of a user who exists.'))
}
