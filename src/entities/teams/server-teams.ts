import * as v from 'valibot'
import { items, json, millis } from '../../core/wire'
import type { Shape } from '../../core/wire'
import type { ServerMetadata } from '../../core/register'
import { teamFields } from './shape'
import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { shown } from '../../transport/shown'

const serverTeam = v.object(
  v.entriesFromObjects([
    v.object(teamFields),
    v.object({ createdAt: millis(), serverMetadata: json<ServerMetadata>() }),
  ]),
)

/**
 * A team as servers see it.
 *
 * @example
 * const plan = ({ serverMetadata }: ServerTeam) => JSON.stringify(serverMetadata)
 */
export interface ServerTeam extends v.InferOutput<typeof serverTeam> {}
export const ServerTeam: Shape<ServerTeam> = serverTeam

/**
 * Every team of the project, oldest first.
 *
 * @example
 * const teams = await server.allTeams$.get()
 */
export const allTeams$ = query(endpoint('GET /teams', { access: 'server', returns: shown(items(ServerTeam)) }), {
  partOf: 'teams',
})

/**
 * The teams of a user, oldest first.
 *
 * @example
 * const teams = await server.teamsOf$({ userId: 'user-1' }).get()
 */
export const teamsOf$ = query(
  endpoint('GET /teams', { access: 'server', query: { userId: v.string() }, returns: shown(items(ServerTeam)) }),
  { partOf: ['teams', 'owned'] },
)

/**
 * One team; null if there is none with this id.
 *
 * @example
 * const team = await server.teamById$({ teamId: 'team-1' }).get()
 */
export const teamById$ = query(
  endpoint('GET /teams/{teamId}', { access: 'server', returns: ServerTeam, fails: ['TEAM_NOT_FOUND'] }),
  { partOf: 'team', absent: ['TEAM_NOT_FOUND'] },
)
