import { only, patch, renewToken, serverWrite, withFields, type Kit } from '../declare'
import { anyPicture } from '../users/shape'
import { teamMemberChanges } from './shape'
import { teamMemberProfile$, teamMembers$ } from './client'
import { changedMembership, changedUser } from '../server-touched'
import { ServerTeamMember, teamMemberProfileById$, teamMemberProfilesOf$, teamMembersOf$ } from './server'

const renewed = (kit: Kit, _: unknown, { userId }: { readonly userId: string }) => renewToken(kit, userId)

/**
 * Makes a user a member of a team, with the project's permissions for members; a member's permissions stay as they are.
 *
 * @example
 * await server.addTeamMemberById({ teamId: 'team-1', userId: 'user-1' })
 */
export const addTeamMemberById = serverWrite('POST /team-memberships/{teamId}/{userId}', {
  fails: ['USER_NOT_FOUND', 'TEAM_NOT_FOUND'],
  done: ['TEAM_MEMBERSHIP_ALREADY_EXISTS'],
  refreshes: ({ teamId, userId }) => changedMembership(teamId, userId),
  settled: renewed,
})

/**
 * Ends a user's membership of a team; one that has already ended counts as done.
 *
 * @example
 * await server.removeTeamMemberById({ teamId: 'team-1', userId: 'user-1' })
 */
export const removeTeamMemberById = serverWrite('DELETE /team-memberships/{teamId}/{userId}', {
  done: ['TEAM_MEMBERSHIP_NOT_FOUND', 'USER_NOT_FOUND'],
  // The team is no longer the user's selected one.
  refreshes: ({ teamId, userId }) => [...changedMembership(teamId, userId), ...changedUser({ userId })],
  writes: ({ teamId, userId }) => [
    patch(teamMembersOf$, { teamId }, all => all.filter(member => member.userId !== userId)),
    patch(teamMemberProfileById$, { teamId, userId }, () => null),
  ],
  settled: renewed,
})

/**
 * Changes a user's name and picture in one team; fields left out stay.
 *
 * @example
 * await server.updateTeamMemberProfileById({ teamId: 'team-1', userId: 'user-1', displayName: 'Ada of Engineering' })
 */
export const updateTeamMemberProfileById = serverWrite('PATCH /team-member-profiles/{teamId}/{userId}', {
  body: withFields(teamMemberChanges, anyPicture),
  returns: ServerTeamMember,
  fails: ['TEAM_MEMBERSHIP_NOT_FOUND', 'USER_NOT_FOUND'],
  refreshes: ({ teamId, userId }) => [
    only(teamMembersOf$, { teamId }),
    only(teamMemberProfilesOf$, { userId }),
    only(teamMemberProfileById$, { teamId, userId }),
    only(teamMembers$, { teamId }),
    only(teamMemberProfile$, { teamId }),
  ],
  writes: ({ teamId, userId }, profile) => [patch(teamMemberProfileById$, { teamId, userId }, () => profile)],
})
