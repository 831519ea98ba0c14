import * as v from 'valibot'
import { clientStore, items, lenient, type Shape } from '../declare'
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
export const teams$ = clientStore('GET /teams', {
  fixed: { user_id: 'me' },
  returns: lenient(items(Team)),
  partOf: 'teams',
  signedOut: [],
})

/**
 * One team of the signed-in user; null if the user is not a member of a team with this id.
 *
 * @example
 * const team = await app.team$({ teamId: 'team-1' }).get()
 */
export const team$ = clientStore('GET /teams/{teamId}', {
  returns: Team,
  fails: ['TEAM_MEMBERSHIP_NOT_FOUND', 'TEAM_NOT_FOUND'],
  partOf: ['team', 'permission'],
  signedOut: null,
  absent: ['TEAM_MEMBERSHIP_NOT_FOUND', 'TEAM_NOT_FOUND'],
})
