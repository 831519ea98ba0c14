import { requireUser } from '../model/restriction'
import { presentIn } from '../../core/values'
import * as v from 'valibot'
import * as client from '../../entities/client'
import * as server from '../../entities/server'
import { internalProjectId, requireOwnId, requireOwnUser, type Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { userIdOrMe, uuid } from '../model/limits'
import { requireOwnImage } from '../directory/users'
import type { SystemPermission, MembershipRow } from '../model/teams'
import { plain, known } from '../model/refusal'
import { pageFields, pageOf, serve } from '../http/serve'
import {
  requireMembership,
  requireSignedIn,
  requireTeam,
  requireTeamPermission,
  requireRights,
  createTeam,
  deleteTeam,
  join,
  isMember,
  leave,
} from '../directory/teams'
import { tellTeam, tellMembership } from '../webhooks/webhook-events'
import { toServerTeam, NewerServerUser, toServerUser } from '../http/user-shapes'

/** An older way to make the caller the creator. */
const addCurrentUser = v.optional(v.boolean(), false)

/** Servers may ask for pages, and search. */
const paging = { ...pageFields, orderBy: v.optional(v.picklist(['created_at'])), query: v.optional(v.string()) }

/** The answer to a new membership, which the kit does not use. */
const Membership = v.object({ teamId: v.string(), userId: v.string() })

/** For servers, a member includes its user. */
const newer = { answers: { user: NewerServerUser }, serversOnly: ['user'] }

export const routes = [
  serve(
    [client.teams$, server.teamsOf$],
    {
      query: { userId: v.optional(userIdOrMe) },
      newer: { query: paging, serversOnly: Object.keys(paging), later: Object.keys(paging) },
    },
    ({ engine, caller, input: { userId, query, ...asked } }) => {
      requireOwnId(caller, userId, 'A client lists the teams of its own user only: say user_id=me.')
      const { teams, memberships } = engine.tables
      const ids = userId === undefined ? undefined : new Set(memberships.by('userId', userId).map(each => each.teamId))
      // Oldest first, regardless of when the user joined.
      const all = teams.filter(({ id }) => ids?.has(id) ?? true).map(toServerTeam)
      if (query === undefined && Object.values(asked).every(each => each === undefined)) return all
      const sought = (query ?? '').toLowerCase()
      const found = all.filter(({ id, displayName }) => id === sought || displayName.toLowerCase().includes(sought))
      return pageOf(server.ServerTeam, found, asked)
    },
  ),

  serve(
    [client.createTeam, server.createTeamById],
    { query: { addCurrentUser }, status: 201 },
    ({ engine, caller, input: { creatorUserId: given, addCurrentUser: addsCaller, displayName, ...input } }) => {
      const creator = caller.access === 'client' ? creatorOf(engine, caller, given) : given
      requireOwnImage(caller, input.profileImageUrl)
      if (addsCaller && given !== undefined)
        throw plain(400, 'The creator is named by creator_user_id or by add_current_user, not by both.')
      const userId = creator ?? (addsCaller ? requireSignedIn(caller).id : undefined)
      if (userId !== undefined) requireUser(engine, userId)
      const team = createTeam(engine, { displayName, ...presentIn(input) })
      if (userId !== undefined) join(engine, { teamId: team.id, userId, as: 'creator' })
      return toServerTeam(team)
    },
  ),

  serve([client.team$, server.teamById$], {}, ({ engine, caller, input: { teamId } }) => {
    if (caller.access === 'client') requireMembership(engine, teamId, requireSignedIn(caller).id)
    return toServerTeam(requireTeam(engine, teamId))
  }),

  serve([client.updateTeam, server.updateTeamById], {}, ({ engine, caller, input: { teamId, ...input } }) => {
    requireRights(engine, caller, teamId, '$update_team')
    requireOwnImage(caller, input.profileImageUrl)
    const { id } = requireTeam(engine, teamId)
    const team = engine.tables.teams.patch(id, presentIn(input))
    tellTeam(engine, 'updated', team)
    return toServerTeam(team)
  }),

  serve([client.deleteTeam, server.deleteTeamById], {}, ({ engine, caller, input: { teamId } }) => {
    requireRights(engine, caller, teamId, '$delete_team')
    deleteTeam(engine, requireTeam(engine, teamId).id)
  }),

  serve(
    server.addTeamMemberById,
    { body: {}, answers: Membership, status: 201 },
    ({ engine, input: { teamId, userId } }) => {
      requireUser(engine, userId)
      requireTeam(engine, teamId)
      if (isMember(engine.tables, teamId, userId))
        throw known('TEAM_MEMBERSHIP_ALREADY_EXISTS', 'The user is a member of this team already.')
      join(engine, { teamId, userId, as: 'member' })
      return { teamId, userId }
    },
  ),

  serve([client.removeTeamMember, server.removeTeamMemberById], {}, ({ engine, caller, input: { teamId, userId } }) => {
    requireRightToOther(engine, caller, { teamId, userId, permissionId: '$remove_members' })
    requireMembership(engine, teamId, userId)
    leave(engine.tables, teamId, userId)
    tellMembership(engine, 'deleted', { teamId, userId })
  }),

  serve(
    [client.teamMembers$, server.teamMembersOf$],
    { query: { teamId: v.optional(uuid), userId: v.optional(userIdOrMe) }, newer },
    ({ engine, caller, input: { teamId, userId } }) => {
      if (caller.access === 'client') requireVisible(engine, caller, teamId, userId)
      else {
        if (teamId !== undefined) requireTeam(engine, teamId)
        if (userId !== undefined) requireUser(engine, userId)
      }
      const { memberships } = engine.tables
      // In the order in which the users joined.
      const ofTeam = teamId === undefined ? undefined : memberships.by('teamId', teamId)
      const found = ofTeam ?? (userId === undefined ? memberships.rows() : memberships.by('userId', userId))
      return found.filter(each => (userId ?? each.userId) === each.userId).map(each => toMember(engine, each))
    },
  ),

  serve(
    [client.teamMemberProfile$, server.teamMemberProfileById$],
    { newer },
    ({ engine, caller, input: { teamId, userId } }) => {
      if (caller.access === 'client') requireVisible(engine, caller, teamId, userId)
      else requireTeam(engine, teamId)
      return toMember(engine, requireMembership(engine, teamId, userId))
    },
  ),

  serve(
    [client.updateOwnTeamProfile, server.updateTeamMemberProfileById],
    { newer },
    ({ engine, caller, input: { teamId, userId, displayName, profileImageUrl } }) => {
      requireOwnId(caller, userId, 'A client changes the profile of its own user only.')
      const { id } = requireMembership(engine, teamId, userId)
      requireOwnImage(caller, profileImageUrl)
      return toMember(engine, engine.tables.memberships.patch(id, presentIn({ displayName, profileImageUrl })))
    },
  ),
]

/** The client's user as creator, if the project lets clients create teams. Owners of projects may always do so. */
function creatorOf({ rules, settings }: Engine, caller: Caller, given: string | undefined): string {
  const { id } = requireSignedIn(caller)
  const isOwner = rules.hasOwnerTeams && caller.project.id === internalProjectId
  if (!isOwner && !settings.clientTeamCreationEnabled)
    throw plain(
      403,
      'This project does not let clients create teams: switch on clientTeamCreationEnabled, or send a server key.',
    )
  if (given !== undefined && given !== id)
    throw plain(403, 'A client creates teams as its own user only: say creator_user_id: "me".')
  return id
}

/** A client may see members of its own teams if it has the permission, and always itself. */
function requireVisible(engine: Engine, caller: Caller, teamId: string | undefined, userId: string | undefined): void {
  const { id } = requireOwnUser(caller)
  if (teamId === undefined) throw plain(400, 'A client lists the members of one team: say team_id.')
  requireMembership(engine, teamId, id)
  requireRightToOther(engine, caller, { teamId, userId, permissionId: '$read_members' })
}

/** Requires the permission unless the request concerns only the caller itself. */
function requireRightToOther(
  engine: Engine,
  caller: Caller,
  asked: Readonly<Record<'teamId', string> & { userId: string | undefined; permissionId: SystemPermission }>,
): void {
  if (caller.access !== 'client') return
  const { id } = requireOwnUser(caller)
  if (asked.userId !== id) requireTeamPermission(engine, { ...asked, userId: id })
}

/** The member's profile, with the user's own name and picture where the profile has none. */
function toMember(
  engine: Engine,
  { teamId, userId, displayName, profileImageUrl }: MembershipRow,
): server.ServerTeamMember {
  const user = toServerUser(engine, requireUser(engine, userId))
  return {
    teamId,
    userId,
    displayName: displayName ?? user.displayName,
    profileImageUrl: profileImageUrl ?? user.profileImageUrl,
    user,
  }
}
