import * as v from 'valibot'
import { json } from '../core/wire'
import type { ClientReadOnlyMetadata, ServerMetadata } from '../core/register'
import { anyUser$ } from '../resources/current-user'
import { ofTeam } from '../resources/of-team'
import { teamChanges } from '../resources/team-fields'
import { team$, teams$ } from '../resources/teams'
import { mutation, only, patch } from '../store/mutation'
import { renewToken } from '../store/session'
import { endpoint, withFields } from '../transport/endpoint'
import { ofMembership } from './of-team'
import { teamPermissionsOf$ } from './permissions'
import { teamApiKeyById$, teamApiKeysOf$ } from './team-api-keys'
import { teamInvitationsOf$ } from './team-invitations'
import { teamMemberProfileById$, teamMemberProfilesOf$, teamMembersOf$ } from './team-members'
import { allTeams$, ServerTeam, teamById$, teamsOf$ } from './teams'
import { ownUser$, userById$, users$ } from './users'

const changes = withFields(teamChanges, {
  clientReadOnlyMetadata: v.optional(json<ClientReadOnlyMetadata>()),
  serverMetadata: v.optional(json<ServerMetadata>()),
})

/** Users show the team that they have selected, and so do the members of a team. */
const selecting = [userById$, users$, ownUser$, anyUser$, teamMembersOf$, teamMemberProfilesOf$, teamMemberProfileById$]

/**
 * Creates a team, whether or not the project lets clients do so. The user with the id `creatorUserId`, if there is one, gets
 * the permissions that the project gives to creators; without it the team has no members.
 */
export const createTeamById = mutation(
  endpoint('POST /teams', {
    access: 'server',
    body: withFields(changes, { displayName: v.string(), creatorUserId: v.optional(v.string()) }),
    returns: ServerTeam,
    fails: ['USER_NOT_FOUND'],
  }),
  {
    refreshes: ({ creatorUserId }, team) => [
      allTeams$,
      ...(creatorUserId === undefined ? [] : ofMembership(team?.id ?? '', creatorUserId)),
    ],
    writes: (_, team) => [patch(allTeams$, {}, all => [...all.filter(({ id }) => id !== team.id), team])],
    settled: (kit, _, { creatorUserId }) => (creatorUserId === undefined ? undefined : renewToken(kit, creatorUserId)),
  },
)

/** Changes a team; what is left out stays. */
export const updateTeamById = mutation(
  endpoint('PATCH /teams/{teamId}', {
    access: 'server',
    body: withFields(changes, { displayName: v.optional(v.string()) }),
    returns: ServerTeam,
    fails: ['TEAM_NOT_FOUND'],
  }),
  {
    refreshes: ({ teamId }) => [
      allTeams$,
      teamsOf$,
      only(teamById$, { teamId }),
      teams$,
      only(team$, { teamId }),
      ...selecting,
    ],
    writes: ({ teamId }, team) => [
      patch(allTeams$, {}, all => replaced(all, team)),
      patch(teamsOf$, {}, all => replaced(all, team)),
      patch(teamById$, { teamId }, () => team),
    ],
  },
)

/** Deletes a team with its memberships and permissions; one that is gone already counts as done. */
export const deleteTeamById = mutation(endpoint('DELETE /teams/{teamId}', { access: 'server' }), {
  done: ['TEAM_NOT_FOUND'],
  refreshes: ({ teamId }) => [
    allTeams$,
    teamsOf$,
    only(teamById$, { teamId }),
    teamPermissionsOf$,
    only(teamInvitationsOf$, { teamId }),
    only(teamApiKeysOf$, { teamId }),
    only(teamApiKeyById$, { teamId }),
    teams$,
    ...ofTeam(teamId),
    ...selecting,
  ],
  writes: ({ teamId }) => [
    patch(allTeams$, {}, all => all.filter(({ id }) => id !== teamId)),
    patch(teamsOf$, {}, all => all.filter(({ id }) => id !== teamId)),
    patch(teamById$, { teamId }, () => null),
    patch(teamMembersOf$, { teamId }, () => []),
    patch(teamInvitationsOf$, { teamId }, () => []),
    patch(teamApiKeysOf$, { teamId }, () => []),
    patch(teamApiKeyById$, { teamId }, () => null),
  ],
  // The user whose tokens this kit has may have been a member.
  settled: kit => renewToken(kit),
})

function replaced(all: readonly ServerTeam[], team: ServerTeam): ServerTeam[] {
  return all.map(other => (other.id === team.id ? team : other))
}
