import * as v from 'valibot'
import { adminStore, eachOf, lacking, newer, page } from '../declare'
import { configWritten } from '../config/server'
import { PermissionDefinition, teamPermissionDefinitions$ } from './admin'

/**
 * One page of the team permissions of this project, sorted by id; `query` searches them. `listTeamPermissionDefinitions`
 * iterates over all pages.
 *
 * Throws NOT_ON_THIS_PLATFORM on releases that list all at once, such as 2.8.18: `teamPermissionDefinitions$` does that on each
 * release.
 *
 * @example
 * const { items, nextCursor } = await teamPermissionDefinitionPage$(admin, { query: 'invoice', limit: 20 }).get()
 */
export const teamPermissionDefinitionPage$ = adminStore('GET /team-permission-definitions', {
  query: {
    query: newer(v.optional(v.string())),
    // Always sent: without it the answer is not in pages.
    limit: newer(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 100)),
    cursor: newer(v.optional(v.string())),
  },
  returns: page(PermissionDefinition),
  notOnPlatform: lacking(),
  follows: [configWritten, teamPermissionDefinitions$],
})

/**
 * Every team permission of this project, or every one that `query` finds, page by page.
 *
 * @example
 * for await (const { id } of listTeamPermissionDefinitions(admin, { query: 'invoice' })) console.log(id)
 */
export const listTeamPermissionDefinitions = eachOf(teamPermissionDefinitionPage$)
