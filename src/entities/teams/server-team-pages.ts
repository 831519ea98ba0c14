import * as v from 'valibot'
import { field, newer, page } from '../../core/wire'
import { eachOf } from '../../store/page/pages'
import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { shown } from '../../transport/shown'
import { ServerTeam } from './server-teams'

/**
 * One page of the project's teams, oldest first, or newest first with `desc`. `query` searches names and ids. Without `limit` the
 * platform decides how many teams a page has; `listTeams` iterates over all pages.
 *
 * Throws NOT_ON_THIS_PLATFORM on releases that list all teams at once, such as 2.8.18: `allTeams$` does that on each release.
 *
 * @example
 * const { items, nextCursor } = await teamPage$(server, { query: 'ops', limit: 20 }).get()
 */
export const teamPage$ = query(
  endpoint('GET /teams', {
    access: 'server',
    query: {
      userId: v.optional(v.string()),
      query: newer(v.optional(v.string())),
      limit: newer(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))),
      cursor: newer(v.optional(v.pipe(v.string(), v.uuid()))),
      // Always sent: without any of these the answer is not in pages.
      orderBy: newer(v.optional(field(['createdAt']), 'createdAt')),
      desc: newer(v.optional(v.boolean())),
    },
    returns: shown(page(ServerTeam)),
    notOnPlatform: lacking(),
  }),
  { partOf: ['teams', 'owned'] },
)

/**
 * Every team of the project, or every one that `query` finds, page by page.
 *
 * @example
 * for await (const team of listTeams(server, { query: 'ops' })) console.log(team.displayName)
 */
export const listTeams = eachOf(teamPage$)
