import * as v from 'valibot'
import { allOf, json, patch, renewToken, serverWrite, withFields, type Patch } from '../declare'
import type { ClientReadOnlyMetadata, ServerMetadata } from '../../core/register'
import { anyPicture } from '../users/shape'
import { teamChanges } from './shape'
import { changedMembership, changedTeam, wholeTeam } from '../server-touched'
import { allTeams$, ServerTeam, teamById$, teamsOf$ } from './server'
import { removeBoth, replaceBoth, withoutRow } from '../rows'
import { teamApiKeyById$, teamApiKeysOf$ } from '../api-keys/server-team'
import { teamInvitationsOf$ } from '../team-invitations/server'
import { teamMembersOf$ } from '../team-members/server'

const teams = [allTeams$, teamById$] as const

/** Applies a team from an answer to every store. */
export function teamAsItIs(team: ServerTeam): readonly Patch[] {
  return [
    ...replaceBoth(teams, {}, { teamId: team.id }, team),
    patch(teamsOf$, {}, all => all.map(other => (other.id === team.id ? team : other))),
  ]
}

/** Removes a deleted team from every store. */
export function teamGone(teamId: string): readonly Patch[] {
  return [
    ...removeBoth(teams, {}, { teamId }, teamId),
    withoutRow(teamsOf$, {}, teamId),
    patch(teamMembersOf$, { teamId }, () => []),
    patch(teamInvitationsOf$, { teamId }, () => []),
    patch(teamApiKeysOf$, { teamId }, () => []),
    patch(teamApiKeyById$, { teamId }, () => null),
  ]
}

const changes = withFields(withFields(teamChanges, anyPicture), {
  clientReadOnlyMetadata: v.optional(json<ClientReadOnlyMetadata>()),
  serverMetadata: v.optional(json<ServerMetadata>()),
})

/**
 * Creates a team, whether or not the project allows clients to do so. The user `creatorUserId`, if given, gets the project's
 * permissions for creators; without it the team has no members.
 *
 * @example
 * const result = await server.createTeamById({ displayName: 'Engineering', creatorUserId: 'user-1' })
 */
export const createTeamById = serverWrite('POST /teams', {
  body: withFields(changes, { displayName: v.string(), creatorUserId: v.optional(v.string()) }),
  returns: ServerTeam,
  fails: ['USER_NOT_FOUND'],
  refreshes: ({ creatorUserId }, team) => [
    allOf('teams', {}),
    ...(creatorUserId === undefined ? [] : changedMembership(team?.id ?? '', creatorUserId)),
  ],
  writes: (_, team) => [patch(allTeams$, {}, all => [...all.filter(({ id }) => id !== team.id), team])],
  settled: (kit, _, { creatorUserId }) => (creatorUserId === undefined ? undefined : renewToken(kit, creatorUserId)),
})

/**
 * Changes a team; fields left out stay.
 *
 * @example
 * await server.updateTeamById({ teamId: 'team-1', clientReadOnlyMetadata: { plan: 'pro' } })
 */
export const updateTeamById = serverWrite('PATCH /teams/{teamId}', {
  body: withFields(changes, { displayName: v.optional(v.string()) }),
  returns: ServerTeam,
  fails: ['TEAM_NOT_FOUND'],
  refreshes: ({ teamId }) => changedTeam(teamId),
  writes: (_, team) => teamAsItIs(team),
})

/**
 * Deletes a team with its memberships and permissions; one that is already gone counts as done.
 *
 * @example
 * await server.deleteTeamById({ teamId: 'team-1' })
 */
export const deleteTeamById = serverWrite('DELETE /teams/{teamId}', {
  done: ['TEAM_NOT_FOUND'],
  refreshes: ({ teamId }) => wholeTeam(teamId),
  writes: ({ teamId }) => teamGone(teamId),
  // The user whose tokens this kit has may have been a member.
  settled: kit => renewToken(kit),
})
