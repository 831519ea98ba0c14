import * as v from 'valibot'
import { eachOf, field, items, json, lacking, lenient, millis, newer, page, serverStore, type Shape } from '../declare'
import type { ServerMetadata } from '../../core/register'
import { teamFields } from './shape'

const serverTeam = v.object(
  v.entriesFromObjects([
    v.object(teamFields),
    v.object({ createdAt: millis(), serverMetadata: json<ServerMetadata>() }),
  ]),
)

/** A team as servers see it. */
export interface ServerTeam extends v.InferOutput<typeof serverTeam> {}
export const ServerTeam: Shape<ServerTeam> = serverTeam

/**
 * Every team of the project, oldest first.
 *
 * @example
 * const teams = await server.allTeams$.get()
 */
export const allTeams$ = serverStore('GET /teams', { returns: lenient(items(ServerTeam)), partOf: 'teams' })

/**
 * The teams of a user, oldest first.
 *
 * @example
 * const teams = await server.teamsOf$({ userId: 'user-1' }).get()
 */
export const teamsOf$ = serverStore('GET /teams', {
  query: { userId: v.string() },
  returns: lenient(items(ServerTeam)),
  partOf: ['teams', 'owned'],
})

/**
 * One team; null if there is none with this id.
 *
 * @example
 * const team = await server.teamById$({ teamId: 'team-1' }).get()
 */
export const teamById$ = serverStore('GET /teams/{teamId}', {
  returns: ServerTeam,
  fails: ['TEAM_NOT_FOUND'],
  partOf: 'team',
  absent: ['TEAM_NOT_FOUND'],
})

/**
 * One page of the project's teams, oldest first, or newest first with `desc`. `query` searches names and ids. Without `limit` the
 * platform decides how many teams a page has; `listTeams` iterates over all pages.
 *
 * Throws NOT_ON_THIS_PLATFORM on releases that list all teams at once, such as 2.8.18: `allTeams$` does that on each release.
 *
 * @example
 * const { items, nextCursor } = await teamPage$(server, { query: 'ops', limit: 20 }).get()
 */
export const teamPage$ = serverStore('GET /teams', {
  query: {
    userId: v.optional(v.string()),
    query: newer(v.optional(v.string())),
    limit: newer(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))),
    cursor: newer(v.optional(v.pipe(v.string(), v.uuid()))),
    // Always sent: without any of these the answer is not in pages.
    orderBy: newer(v.optional(field(['createdAt']), 'createdAt')),
    desc: newer(v.optional(v.boolean())),
  },
  returns: lenient(page(ServerTeam)),
  notOnPlatform: lacking(),
  partOf: ['teams', 'owned'],
})

/**
 * Every team of the project, or every one that `query` finds, page by page.
 *
 * @example
 * for await (const team of listTeams(server, { query: 'ops' })) console.log(team.displayName)
 */
export const listTeams = eachOf(teamPage$)
