import * as v from 'valibot'
import { items } from '../../core/wire'
import type { Shape } from '../../core/wire'
import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { lenient } from '../../transport/lenient'
import { teamFields } from './shape'

const team = v.object(teamFields)

/** A team as its members see it. */
export interface Team extends v.InferOutput<typeof team> {
  /** Never present: a server team is not assignable to a client team. */
  readonly serverMetadata?: never
}
export const Team: Shape<Team> = team

/**
 * The teams of the signed-in user, oldest first.
 *
 * @example
 * app.teams$.subscribe(teams => console.log(teams.map(({ displayName }) => displayName)))
 */
export const teams$ = query(
  endpoint('GET /teams', { access: 'client', fixed: { user_id: 'me' }, returns: lenient(items(Team)) }),
  { partOf: 'teams', signedOut: [] },
)

/**
 * One team of the signed-in user; null if the user is not a member of a team with this id.
 *
 * @example
 * const team = await app.team$({ teamId: 'team-1' }).get()
 */
export const team$ = query(
  endpoint('GET /teams/{teamId}', {
    access: 'client',
    returns: Team,
    fails: ['TEAM_MEMBERSHIP_NOT_FOUND', 'TEAM_NOT_FOUND'],
  }),
  { partOf: ['team', 'permission'], signedOut: null, absent: ['TEAM_MEMBERSHIP_NOT_FOUND', 'TEAM_NOT_FOUND'] },
)
