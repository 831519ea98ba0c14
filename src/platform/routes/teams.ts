import { requireUser } from '../model/restriction'
import { presentIn } from '../../core/values'
import { configOf } from '../model/project-config'
import * as v from 'valibot'
import { createTeam, deleteTeam, updateTeam } from '../../entities/teams/client-writes'
import { team$, teams$ } from '../../entities/teams/client'
import { createTeamById, deleteTeamById, updateTeamById } from '../../entities/teams/server-writes'
import { ServerTeam, teamById$, teamsOf$ } from '../../entities/teams/server'
import { askedUserId, internalProjectId, userIdOf } from '../http/authenticate'
import type { Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { userIdOrMe } from '../model/limits'
import { requireOwnImage } from '../directory/users'
import type { SystemPermission, TeamRow } from '../model/teams'
import { plain } from '../model/refusal'
import { pageFields, pageOf, serve } from '../http/serve'
import {
  requireMembership,
  requireSignedIn,
  requireTeam,
  requireTeamPermission,
  createTeam as addTeam,
  deleteTeam as removeTeam,
  join,
} from '../directory/teams'
import { tellTeam } from '../webhooks/webhook-events'
import { toServerTeam } from '../http/user-shapes'

/** An older way to make the caller the creator. */
const addCurrentUser = v.optional(v.boolean(), false)

/** Servers may ask for pages, and search. */
const paging = { ...pageFields, orderBy: v.optional(v.picklist(['created_at'])), query: v.optional(v.string()) }

export const routes = [
  serve(
    [teams$, teamsOf$],
    {
      query: { userId: v.optional(userIdOrMe) },
      newer: { query: paging, serversOnly: Object.keys(paging), later: Object.keys(paging) },
    },
    ({ engine, caller, input: { userId, query, ...asked } }) => {
      const of = askedUserId(caller, userId, 'A client lists the teams of its own user only: say user_id=me.')
      const all = (of === undefined ? engine.tables.teams.rows() : teamsOf(engine, of)).map(toServerTeam)
      if (query === undefined && Object.values(asked).every(each => each === undefined)) return all
      const sought = (query ?? '').toLowerCase()
      const found = all.filter(({ id, displayName }) => id === sought || displayName.toLowerCase().includes(sought))
      return pageOf(ServerTeam, found, asked)
    },
  ),

  serve(
    [createTeam, createTeamById],
    { query: { addCurrentUser }, status: 201 },
    ({ engine, caller, input: { creatorUserId, addCurrentUser: addsCaller, displayName, ...input } }) => {
      const given = creatorUserId === undefined ? undefined : userIdOf(caller, creatorUserId)
      const creator = caller.access === 'client' ? creatorOf(engine, caller, given) : given
      requireOwnImage(caller, input.profileImageUrl)
      if (addsCaller && given !== undefined)
        throw plain(400, 'The creator is named by creator_user_id or by add_current_user, not by both.')
      const userId = creator ?? (addsCaller ? requireSignedIn(caller).id : undefined)
      if (userId !== undefined) requireUser(engine, userId)
      const team = addTeam(engine, { displayName, ...presentIn(input) })
      if (userId !== undefined) join(engine, caller.project, { teamId: team.id, userId, as: 'creator' })
      return toServerTeam(team)
    },
  ),

  serve([team$, teamById$], {}, ({ engine, caller, input: { teamId } }) => {
    if (caller.access === 'client') requireMembership(engine, teamId, requireSignedIn(caller).id)
    return toServerTeam(requireTeam(engine, teamId))
  }),

  serve([updateTeam, updateTeamById], {}, ({ engine, caller, input: { teamId, ...input } }) => {
    requireRight(engine, caller, teamId, '$update_team')
    requireOwnImage(caller, input.profileImageUrl)
    const { id } = requireTeam(engine, teamId)
    const team = engine.tables.teams.patch(id, presentIn(input))
    tellTeam(engine, 'updated', team)
    return toServerTeam(team)
  }),

  serve([deleteTeam, deleteTeamById], {}, ({ engine, caller, input: { teamId } }) => {
    requireRight(engine, caller, teamId, '$delete_team')
    removeTeam(engine, requireTeam(engine, teamId).id)
  }),
]

/** Clients need the permission; servers may do everything. */
function requireRight(engine: Engine, caller: Caller, teamId: string, permissionId: SystemPermission): void {
  if (caller.access === 'client')
    requireTeamPermission(engine, { teamId, userId: requireSignedIn(caller).id, permissionId })
}

/** The client's user as creator, if the project lets clients create teams. Owners of projects may always do so. */
function creatorOf({ rules }: Engine, caller: Caller, given: string | undefined): string {
  const { id } = requireSignedIn(caller)
  const isOwner = rules.hasOwnerTeams && caller.project.id === internalProjectId
  if (!isOwner && !configOf(caller.project).clientTeamCreationEnabled)
    throw plain(
      403,
      'This project does not let clients create teams: switch on clientTeamCreationEnabled, or send a server key.',
    )
  if (given !== undefined && given !== id)
    throw plain(403, 'A client creates teams as its own user only: say creator_user_id: "me".')
  return id
}

/** A user's teams, oldest first, regardless of when the user joined. */
function teamsOf({ tables }: Engine, userId: string): TeamRow[] {
  const ids = new Set(tables.memberships.by('userId', userId).map(({ teamId }) => teamId))
  return tables.teams.filter(({ id }) => ids.has(id))
}
