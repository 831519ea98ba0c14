import * as v from 'valibot'
import { mutation, only, patch } from '../store/mutation'
import type { CallOptions } from '../store/mutation'
import type { Kit } from '../store/kit'
import { isRefusedWith } from '../store/refusals'
import { renewToken } from '../store/session'
import { endpoint, withFields } from '../transport/endpoint'
import { anyUser$, updateUser } from './current-user'
import type { CurrentUser } from './current-user'
import { ofTeam } from './of-team'
import { teamPermissions$ } from './permissions'
import { teamChanges } from './team-fields'
import { inTeam, withoutTeam } from './team-patches'
import { Team, team$, teams$ } from './teams'

/**
 * Creates a team with the signed-in user as its creator, who gets the permissions that the project gives to creators. It is
 * not selected: `selectTeam` does that.
 *
 * Throws REQUEST_FAILED with status 403 where the project does not let clients create teams (`clientTeamCreationEnabled`).
 *
 * @example
 * const team = await app.createTeam({ displayName: 'Engineering' })
 */
export const createTeam = mutation(
  endpoint('POST /teams', {
    access: 'client',
    fixed: { creator_user_id: 'me' },
    body: withFields(teamChanges, { displayName: v.string() }),
    returns: Team,
  }),
  {
    refreshes: () => [teams$, teamPermissions$],
    writes: (_, team) => [patch(teams$, {}, all => [...all.filter(({ id }) => id !== team.id), team])],
    settled: kit => renewToken(kit),
  },
)

/**
 * Changes a team of the signed-in user; what is left out stays. Every place that shows the team changes before the platform
 * has answered. `profileImageUrl` takes a base64 data URL of an image, or null.
 *
 * Throws TEAM_PERMISSION_REQUIRED without the permission `$update_team`.
 *
 * @example
 * await app.updateTeam({ teamId: 'team-1', displayName: 'Research' })
 */
export const updateTeam = mutation(
  endpoint('PATCH /teams/{teamId}', {
    access: 'client',
    body: withFields(teamChanges, { displayName: v.optional(v.string()) }),
    returns: Team,
  }),
  {
    refreshes: ({ teamId }) => [teams$, only(team$, { teamId }), anyUser$],
    optimistic: ({ teamId, displayName, profileImageUrl, clientMetadata }) =>
      inTeam(teamId, team => ({
        ...team,
        ...(displayName !== undefined && { displayName }),
        ...(profileImageUrl !== undefined && { profileImageUrl }),
        ...(clientMetadata !== undefined && { clientMetadata }),
      })),
    writes: ({ teamId }, team) => inTeam(teamId, () => team),
  },
)

/**
 * Deletes a team for all of its members.
 *
 * Throws TEAM_PERMISSION_REQUIRED without the permission `$delete_team`, and TEAM_MEMBERSHIP_NOT_FOUND if the user is no
 * member of it, or not any more: a team that is gone already the platform refuses with the same code.
 *
 * @example
 * await app.deleteTeam({ teamId: 'team-1' })
 */
export const deleteTeam = mutation(endpoint('DELETE /teams/{teamId}', { access: 'client' }), {
  // The last member of a deleted team is no member: done where this very call may have deleted it, and its answer was lost.
  done: (error, _, __, { mayBeDone }) =>
    isRefusedWith(error, mayBeDone ? ['TEAM_NOT_FOUND', 'TEAM_MEMBERSHIP_NOT_FOUND'] : ['TEAM_NOT_FOUND']),
  refreshes: ({ teamId }) => [teams$, anyUser$, ...ofTeam(teamId)],
  optimistic: ({ teamId }) => withoutTeam(teamId),
  writes: ({ teamId }) => withoutTeam(teamId),
  settled: kit => renewToken(kit),
})

/**
 * Makes a team of the signed-in user the one that it works in; null: none. Name, members and rights of the old team and of
 * the new one are never shown together: what depends on `selectedTeamId` shows the new team as soon as all of it is known.
 *
 * Throws TEAM_MEMBERSHIP_NOT_FOUND if the user is not a member.
 *
 * @example
 * await app.selectTeam({ teamId: 'team-1' })
 */
export function selectTeam(
  kit: Kit,
  { teamId }: { readonly teamId: string | null },
  options?: CallOptions,
): Promise<CurrentUser> {
  return updateUser(kit, { selectedTeamId: teamId }, options)
}
