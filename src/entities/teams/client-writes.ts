import * as v from 'valibot'
import { allOf, clientWrite, coreOf, only, patch, renewToken, slot, withFields } from '../declare'
import type { CallOptions, Kit, Patch, Target } from '../declare'
import { given, isRefusedWith } from '../../errors/auth-error'
import { anyUser$, updateUser, teamAhead, type CurrentUser } from '../users/client'
import { ownPicture } from '../users/shape'
import { teamPermissions$ } from '../permissions/client'
import { teamChanges } from './shape'
import { Team, team$, teams$ } from './client'
import { changeBoth, removeBoth } from '../rows'
import { teamApiKey$, teamApiKeys$ } from '../api-keys/client-team'
import { teamInvitations$ } from '../team-invitations/client'
import { mayAnswer, sessionChanged } from '../../session/identity'

const teamsAndTeam = [teams$, team$] as const

/** Applies a change of a team to every store that shows it. */
export function inTeam(teamId: string, change: (team: Team) => Team): Patch[] {
  return [
    ...changeBoth(teamsAndTeam, {}, { teamId }, teamId, change),
    patch(
      anyUser$,
      {},
      user =>
        user && {
          ...user,
          selectedTeam: user.selectedTeam?.id === teamId ? change(user.selectedTeam) : user.selectedTeam,
        },
    ),
  ]
}

/** The stores that change when the user is no longer a member of a team. */
export function afterTeam(teamId: string): readonly Target[] {
  return [allOf('teams', {}), allOf('team', { teamId }), anyUser$, teamPermissions$]
}

/** Removes a team from the stores of the user. */
export function withoutTeam(teamId: string): Patch[] {
  return [
    ...removeBoth(teamsAndTeam, {}, { teamId }, teamId),
    patch(teamInvitations$, { teamId }, () => []),
    patch(teamApiKeys$, { teamId }, () => []),
    patch(teamApiKey$, { teamId }, () => null),
    patch(anyUser$, {}, user =>
      user?.selectedTeamId === teamId ? { ...user, selectedTeamId: null, selectedTeam: null } : user,
    ),
  ]
}

/**
 * Creates a team with the signed-in user as its creator, who gets the project's permissions for creators. The team is not
 * selected; use `selectTeam`. `profileImageUrl` takes a base64 data URL of an image, or null; another text is thrown as
 * INVALID_INPUT, before a request.
 *
 * Throws REQUEST_FAILED with status 403 if the project does not allow clients to create teams (`clientTeamCreationEnabled`).
 *
 * @example
 * const team = await app.createTeam({ displayName: 'Engineering' })
 */
export const createTeam = clientWrite('POST /teams', {
  fixed: { creator_user_id: 'me' },
  body: withFields(withFields(teamChanges, ownPicture), { displayName: v.string() }),
  returns: Team,
  refreshes: () => [allOf('teams', {}), teamPermissions$],
  writes: (_, team) => [patch(teams$, {}, all => [...all.filter(({ id }) => id !== team.id), team])],
  settled: kit => renewToken(kit),
})

/**
 * Changes a team of the signed-in user; fields left out stay. All stores that show the team change before the platform has
 * answered. `profileImageUrl` takes a base64 data URL of an image, or null; another text is thrown as INVALID_INPUT, before a
 * request.
 *
 * Throws TEAM_PERMISSION_REQUIRED without the permission `$update_team`.
 *
 * @example
 * await app.updateTeam({ teamId: 'team-1', displayName: 'Research' })
 */
export const updateTeam = clientWrite('PATCH /teams/{teamId}', {
  body: withFields(withFields(teamChanges, ownPicture), { displayName: v.optional(v.string()) }),
  returns: Team,
  refreshes: ({ teamId }) => [allOf('teams', {}), only(team$, { teamId }), anyUser$],
  optimistic: ({ teamId, displayName, profileImageUrl, clientMetadata }) =>
    inTeam(teamId, team => ({
      ...team,
      ...(displayName !== undefined && { displayName }),
      ...(profileImageUrl !== undefined && { profileImageUrl }),
      ...(clientMetadata !== undefined && { clientMetadata }),
    })),
  writes: ({ teamId }, team) => inTeam(teamId, () => team),
})

/**
 * Deletes a team for all members.
 *
 * Throws TEAM_PERMISSION_REQUIRED without the permission `$delete_team`, and TEAM_MEMBERSHIP_NOT_FOUND if the user is not,
 * or no longer, a member: the platform answers the same for a team that is already gone.
 *
 * @example
 * await app.deleteTeam({ teamId: 'team-1' })
 */
export const deleteTeam = clientWrite('DELETE /teams/{teamId}', {
  // After the deletion there are no members: done if an earlier attempt without an answer may have deleted it.
  done: (error, _, __, { mayBeDone }) =>
    isRefusedWith(error, mayBeDone ? ['TEAM_NOT_FOUND', 'TEAM_MEMBERSHIP_NOT_FOUND'] : ['TEAM_NOT_FOUND']),
  refreshes: ({ teamId }) => afterTeam(teamId),
  optimistic: ({ teamId }) => withoutTeam(teamId),
  writes: ({ teamId }) => withoutTeam(teamId),
  settled: kit => renewToken(kit),
})

/**
 * Selects a team of the signed-in user; null: none. First it loads, for the new team, every watched store of the team that is
 * selected, for 2 s at most, so that no screen goes blank. Name, members and permissions of both teams are never mixed.
 * A later call overtakes one that still loads, whose promise settles as the later one does.
 *
 * Throws TEAM_MEMBERSHIP_NOT_FOUND if the user is not a member.
 *
 * @example
 * await app.selectTeam({ teamId: 'team-1' })
 */
export async function selectTeam(
  kit: Kit,
  input: { readonly teamId: string | null },
  options?: CallOptions,
): Promise<CurrentUser> {
  const { teamId } = given(input)
  const choices = slot<{ last?: Promise<CurrentUser> }>(kit, selectTeam, () => ({}))
  const choose = async (): Promise<CurrentUser> => {
    const ahead = teamAhead(kit, anyUser$(kit).snapshot, teamId, options?.signal)
    if (ahead) {
      const { session } = coreOf(kit)
      const { owner } = session.identity
      await ahead
      if (!mayAnswer(owner, session.identity)) throw sessionChanged()
      if (choices.last && choices.last !== choice) return choices.last
    }
    return updateUser(kit, { selectedTeamId: teamId }, options)
  }
  const choice: Promise<CurrentUser> = choose()
  choices.last = choice
  return choice
}
