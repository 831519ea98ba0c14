import * as v from 'valibot'
import { items, lenient, serverStore, type Shape } from '../declare'
import { teamMemberFields } from './shape'
import { ServerUser } from '../users/server'

const serverTeamMember = v.object(v.entriesFromObjects([v.object(teamMemberFields), v.object({ user: ServerUser })]))

/** A member of a team as servers see it: the name and picture there, and the user. */
export interface ServerTeamMember extends v.InferOutput<typeof serverTeamMember> {}
export const ServerTeamMember: Shape<ServerTeamMember> = serverTeamMember

/**
 * The members of a team, in the order of joining. Fails with TEAM_NOT_FOUND for an unknown team.
 *
 * @example
 * const members = await server.teamMembersOf$({ teamId: 'team-1' }).get()
 */
export const teamMembersOf$ = serverStore('GET /team-member-profiles', {
  query: { teamId: v.string() },
  returns: lenient(items(ServerTeamMember)),
  partOf: ['team', 'users'],
})

/**
 * A user's profiles in all teams. Fails with USER_NOT_FOUND for an unknown user.
 *
 * @example
 * const profiles = await server.teamMemberProfilesOf$({ userId: 'user-1' }).get()
 */
export const teamMemberProfilesOf$ = serverStore('GET /team-member-profiles', {
  query: { userId: v.string() },
  returns: lenient(items(ServerTeamMember)),
  partOf: 'user',
})

const notMember = ['TEAM_MEMBERSHIP_NOT_FOUND', 'TEAM_NOT_FOUND', 'USER_NOT_FOUND'] as const

/**
 * One member of a team; null if the user is not a member.
 *
 * @example
 * const profile = await server.teamMemberProfileById$({ teamId: 'team-1', userId: 'user-1' }).get()
 */
export const teamMemberProfileById$ = serverStore('GET /team-member-profiles/{teamId}/{userId}', {
  returns: ServerTeamMember,
  fails: notMember,
  partOf: ['team', 'user'],
  absent: notMember,
})
