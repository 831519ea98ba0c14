import * as v from 'valibot'
import { json } from '../../core/wire'
import type { ClientReadOnlyMetadata, ServerMetadata } from '../../core/register'
import { anyPicture } from '../users/shape'
import { teamChanges } from './shape'
import { allOf } from '../../store/definition'
import { mutation, patch } from '../../store/write/mutation'
import { renewToken } from '../../store/session-effects'
import { endpoint, withFields } from '../../transport/endpoint'
import { changedMembership, changedTeam, wholeTeam } from '../server-touched'
import { teamAsItIs, teamGone } from './server-touched'
import { allTeams$, ServerTeam } from './server'

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
export const createTeamById = mutation(
  endpoint('POST /teams', {
    access: 'server',
    body: withFields(changes, { displayName: v.string(), creatorUserId: v.optional(v.string()) }),
    returns: ServerTeam,
    fails: ['USER_NOT_FOUND'],
  }),
  {
    refreshes: ({ creatorUserId }, team) => [
      allOf('teams', {}),
      ...(creatorUserId === undefined ? [] : changedMembership(team?.id ?? '', creatorUserId)),
    ],
    writes: (_, team) => [patch(allTeams$, {}, all => [...all.filter(({ id }) => id !== team.id), team])],
    settled: (kit, _, { creatorUserId }) => (creatorUserId === undefined ? undefined : renewToken(kit, creatorUserId)),
  },
)

/**
 * Changes a team; fields left out stay.
 *
 * @example
 * await server.updateTeamById({ teamId: 'team-1', clientReadOnlyMetadata: { plan: 'pro' } })
 */
export const updateTeamById = mutation(
  endpoint('PATCH /teams/{teamId}', {
    access: 'server',
    body: withFields(changes, { displayName: v.optional(v.string()) }),
    returns: ServerTeam,
    fails: ['TEAM_NOT_FOUND'],
  }),
  {
    refreshes: ({ teamId }) => changedTeam(teamId),
    writes: (_, team) => teamAsItIs(team),
  },
)

/**
 * Deletes a team with its memberships and permissions; one that is already gone counts as done.
 *
 * @example
 * await server.deleteTeamById({ teamId: 'team-1' })
 */
export const deleteTeamById = mutation(endpoint('DELETE /teams/{teamId}', { access: 'server' }), {
  done: ['TEAM_NOT_FOUND'],
  refreshes: ({ teamId }) => wholeTeam(teamId),
  writes: ({ teamId }) => teamGone(teamId),
  // The user whose tokens this kit has may have been a member.
  settled: kit => renewToken(kit),
})
