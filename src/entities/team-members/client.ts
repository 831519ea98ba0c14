import * as v from 'valibot'
import { clientStore, items, lenient, type Shape } from '../declare'
import { teamMemberFields } from './shape'

const teamMember = v.object(teamMemberFields)

/** A member of a team, with the name and picture of its profile there, else the user's own. */
export interface TeamMember extends v.InferOutput<typeof teamMember> {
  /** Never present: a server's view of a member is not assignable to a client's. */
  readonly user?: never
}
export const TeamMember: Shape<TeamMember> = teamMember

const notMember = ['TEAM_MEMBERSHIP_NOT_FOUND'] as const
const neitherMember = ['TEAM_MEMBERSHIP_NOT_FOUND', 'USER_NOT_FOUND'] as const

/**
 * The members of a team of the signed-in user, in the order of joining; none if the user is not a member.
 *
 * Fails with TEAM_PERMISSION_REQUIRED without the permission `$read_members`.
 *
 * @example
 * app.teamMembers$({ teamId: 'team-1' }).subscribe(members => console.log(members.length))
 */
export const teamMembers$ = clientStore('GET /team-member-profiles', {
  query: { teamId: v.string() },
  returns: lenient(items(TeamMember)),
  fails: notMember,
  partOf: ['team', 'users', 'permission'],
  signedOut: [],
  absent: notMember,
})

/**
 * One member of a team of the signed-in user; null if either is not a member.
 *
 * Fails with TEAM_PERMISSION_REQUIRED without the permission `$read_members`, which the user's own profile does not need.
 *
 * @example
 * const member = await app.teamMemberProfile$({ teamId: 'team-1', userId: 'user-2' }).get()
 */
export const teamMemberProfile$ = clientStore('GET /team-member-profiles/{teamId}/{userId}', {
  returns: TeamMember,
  fails: neitherMember,
  partOf: ['team', 'users', 'permission'],
  signedOut: null,
  absent: neitherMember,
})
