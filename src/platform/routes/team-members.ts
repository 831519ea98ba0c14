import { requireUser } from '../model/restriction'
import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { removeTeamMember, updateOwnTeamProfile } from '../../entities/team-members/client-writes'
import { teamMemberProfile$, teamMembers$ } from '../../entities/team-members/client'
import {
  addTeamMemberById,
  removeTeamMemberById,
  updateTeamMemberProfileById,
} from '../../entities/team-members/server-writes'
import type { ServerTeamMember } from '../../entities/team-members/server'
import { teamMemberProfileById$, teamMembersOf$ } from '../../entities/team-members/server'
import { askedUserId, requireOwnUser, userIdOf } from '../http/authenticate'
import type { Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { userIdOrMe, uuid } from '../model/limits'
import { requireOwnImage } from '../directory/users'
import { known, plain } from '../model/refusal'
import { serve } from '../http/serve'
import {
  requireMembership,
  requireTeam,
  requireTeamPermission,
  isMember,
  join,
  leave,
  membershipOf,
} from '../directory/teams'
import type { MembershipRow } from '../model/teams'
import { tellMembership } from '../webhooks/webhook-events'
import { NewerServerUser, toServerUser } from '../http/user-shapes'

/** The answer to a new membership, which the kit does not use. */
const Membership = v.object({ teamId: v.string(), userId: v.string() })

/** For servers, a member includes its user. */
const newer = { answers: { user: NewerServerUser }, serversOnly: ['user'] }

export const routes = [
  serve(
    addTeamMemberById,
    { body: {}, answers: Membership, status: 201 },
    ({ engine, caller, input: { teamId, userId: idOrMe } }) => {
      const userId = requireUser(engine, userIdOf(caller, idOrMe)).id
      requireTeam(engine, teamId)
      if (isMember(engine.tables, teamId, userId))
        throw known('TEAM_MEMBERSHIP_ALREADY_EXISTS', 'The user is a member of this team already.')
      join(engine, caller.project, { teamId, userId, as: 'member' })
      return { teamId, userId }
    },
  ),

  serve([removeTeamMember, removeTeamMemberById], {}, ({ engine, caller, input: { teamId, userId: idOrMe } }) => {
    const userId = userIdOf(caller, idOrMe)
    requireRightToOther(engine, caller, { teamId, userId, permissionId: '$remove_members' })
    requireMembership(engine, teamId, userId)
    leave(engine.tables, teamId, userId)
    tellMembership(engine, 'deleted', { teamId, userId })
  }),

  serve(
    [teamMembers$, teamMembersOf$],
    { query: { teamId: v.optional(uuid), userId: v.optional(userIdOrMe) }, newer },
    ({ engine, caller, input: { teamId, userId: idOrMe } }) => {
      const userId = idOrMe === undefined ? undefined : userIdOf(caller, idOrMe)
      if (caller.access === 'client') requireVisible(engine, caller, teamId, userId)
      else {
        if (teamId !== undefined) requireTeam(engine, teamId)
        if (userId !== undefined) requireUser(engine, userId)
      }
      return membershipsOf(engine, teamId, userId).map(membership => toMember(engine, membership))
    },
  ),

  serve(
    [teamMemberProfile$, teamMemberProfileById$],
    { newer },
    ({ engine, caller, input: { teamId, userId: idOrMe } }) => {
      const userId = userIdOf(caller, idOrMe)
      if (caller.access === 'client') requireVisible(engine, caller, teamId, userId)
      else requireTeam(engine, teamId)
      return toMember(engine, requireMembership(engine, teamId, userId))
    },
  ),

  serve(
    [updateOwnTeamProfile, updateTeamMemberProfileById],
    { newer },
    ({ engine, caller, input: { teamId, userId: idOrMe, displayName, profileImageUrl } }) => {
      const userId = askedUserId(caller, idOrMe, 'A client changes the profile of its own user only.')
      const { id } = requireMembership(engine, teamId, userId)
      requireOwnImage(caller, profileImageUrl)
      return toMember(engine, engine.tables.memberships.patch(id, presentIn({ displayName, profileImageUrl })))
    },
  ),
]

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
  asked: {
    readonly teamId: string
    readonly userId: string | undefined
    readonly permissionId: '$read_members' | '$remove_members'
  },
): void {
  if (caller.access !== 'client') return
  const { id } = requireOwnUser(caller)
  if (asked.userId !== id) requireTeamPermission(engine, { ...asked, userId: id })
}

/** In the order in which the users joined. */
function membershipsOf({ tables }: Engine, teamId: string | undefined, userId: string | undefined): MembershipRow[] {
  if (teamId !== undefined && userId !== undefined) {
    const membership = membershipOf(tables, teamId, userId)
    return membership ? [membership] : []
  }
  if (teamId !== undefined) return tables.memberships.by('teamId', teamId)
  return userId === undefined ? tables.memberships.rows() : tables.memberships.by('userId', userId)
}

/** The member's profile, with the user's own name and picture where the profile has none. */
function toMember(engine: Engine, { teamId, userId, displayName, profileImageUrl }: MembershipRow): ServerTeamMember {
  const user = toServerUser(engine, requireUser(engine, userId))
  return {
    teamId,
    userId,
    displayName: displayName ?? user.displayName,
    profileImageUrl: profileImageUrl ?? user.profileImageUrl,
    user,
  }
}
