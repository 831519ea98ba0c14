import { clientWrite, coreOf, endpoint, mutation, only, patch, renewToken, withFields } from '../declare'
import type { Kit, Patch } from '../declare'
import { isAuthError, given } from '../../errors/auth-error'
import type { Store } from '../../store/store'
import { ownPicture } from '../users/shape'
import { teamMemberChanges } from './shape'
import { TeamMember, teamMemberProfile$, teamMembers$ } from './client'
import { afterTeam, withoutTeam } from '../teams/client-writes'

const me = 'me'

/**
 * The signed-in user as a member of one of its teams, which needs no permission; null if it is not a member.
 *
 * @example
 * app.ownTeamProfile$({ teamId: 'team-1' }).subscribe(profile => console.log(profile?.displayName))
 */
export function ownTeamProfile$(kit: Kit, input: { readonly teamId: string }): Store<TeamMember | null> {
  return teamMemberProfile$(kit, { teamId: given(input).teamId, userId: me })
}

/**
 * Changes the signed-in user's name and picture in one team; fields left out stay. A null picture restores the user's own; a
 * name cannot be removed once set. `profileImageUrl` takes a base64 data URL of an image, or null; another text is thrown as
 * INVALID_INPUT, before a request.
 *
 * @example
 * await app.updateOwnTeamProfile({ teamId: 'team-1', displayName: 'Ada of Engineering' })
 */
export const updateOwnTeamProfile = clientWrite('PATCH /team-member-profiles/{teamId}/{userId}', {
  body: withFields(teamMemberChanges, ownPicture),
  returns: TeamMember,
  prepare: (
    _,
    changes: { readonly teamId: string; readonly displayName?: string; readonly profileImageUrl?: string | null },
  ) => ({
    ...changes,
    userId: me,
  }),
  refreshes: ({ teamId }) => [only(teamMembers$, { teamId }), only(teamMemberProfile$, { teamId })],
  optimistic: ({ teamId, displayName, profileImageUrl }, kit) => {
    const { userId } = coreOf(kit).session.identity
    const change = (member: TeamMember): TeamMember => ({
      ...member,
      ...(displayName !== undefined && { displayName }),
      // Without its own picture, the profile shows the user's, which is not known here.
      ...(typeof profileImageUrl === 'string' && { profileImageUrl }),
    })
    return [
      patch(teamMembers$, { teamId }, all => all.map(each => (each.userId === userId ? change(each) : each))),
      ...[me, userId ?? me].map(id => patch(teamMemberProfile$, { teamId, userId: id }, each => each && change(each))),
    ]
  },
  writes: ({ teamId }, profile) => [
    patch(teamMembers$, { teamId }, all => all.map(other => (other.userId === profile.userId ? profile : other))),
    patch(teamMemberProfile$, { teamId, userId: me }, () => profile),
    patch(teamMemberProfile$, { teamId, userId: profile.userId }, () => profile),
  ],
})

const removal = endpoint('DELETE /team-memberships/{teamId}/{userId}', { access: 'client' })

/**
 * Ends the signed-in user's membership of a team; one that has already ended counts as done. The user's profile and
 * permissions in the team are deleted, and the team is no longer selected. Needs no permission.
 *
 * @example
 * await app.leaveTeam({ teamId: 'team-1' })
 */
export const leaveTeam = mutation(removal, {
  prepare: (_, { teamId }: { readonly teamId: string }) => ({ teamId, userId: me }),
  done: isGone,
  refreshes: ({ teamId }) => afterRemoval(teamId, me),
  optimistic: ({ teamId }) => withoutTeam(teamId),
  writes: ({ teamId }) => withoutTeam(teamId),
  settled: kit => renewToken(kit),
})

/**
 * Ends another user's membership of a team of the signed-in user; one that has already ended counts as done.
 *
 * Throws TEAM_PERMISSION_REQUIRED without the permission `$remove_members`, which the user's own membership does not need.
 *
 * @example
 * await app.removeTeamMember({ teamId: 'team-1', userId: 'user-2' })
 */
export const removeTeamMember = mutation(removal, {
  prepare: (kit, { teamId, userId }: { readonly teamId: string; readonly userId: string }) => ({
    teamId,
    // Before the first access token the own id is not known, and null.
    userId: userId && userId === coreOf(kit).session.identity.userId ? me : userId,
  }),
  done: isGone,
  refreshes: ({ teamId, userId }) => afterRemoval(teamId, userId),
  optimistic: ({ teamId, userId }) => removed(teamId, userId),
  writes: ({ teamId, userId }) => removed(teamId, userId),
  settled: (kit, _, { userId }) => renewToken(kit, userId),
})

/** Refused because the member is gone. The same code with another user means that the caller is not a member. */
function isGone(error: unknown, { userId }: { readonly userId: string }): boolean {
  if (isAuthError(error, 'USER_NOT_FOUND')) return true
  return isAuthError(error, 'TEAM_MEMBERSHIP_NOT_FOUND') && (userId === me || error.details.userId === userId)
}

function afterRemoval(teamId: string, userId: string) {
  if (userId === me) return afterTeam(teamId)
  return [only(teamMembers$, { teamId }), only(teamMemberProfile$, { teamId, userId })]
}

function removed(teamId: string, userId: string): Patch[] {
  if (userId === me) return withoutTeam(teamId)
  return [
    patch(teamMembers$, { teamId }, all => all.filter(member => member.userId !== userId)),
    patch(teamMemberProfile$, { teamId, userId }, () => null),
  ]
}
