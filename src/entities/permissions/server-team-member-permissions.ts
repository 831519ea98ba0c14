import * as v from 'valibot'
import { items } from '../../core/wire'
import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { recursive } from './shape'
import { TeamPermission } from './client'

/**
 * The permissions of all members of a team, each with its `userId`, by one request; `recursive` as for `teamPermissionsOf$`.
 * Empty for an unknown team.
 *
 * @example
 * const permissions = await teamMemberPermissions$(server, { teamId: 'team-1' }).get()
 * const admins = permissions.filter(({ id }) => id === 'team_admin').map(({ userId }) => userId)
 */
export const teamMemberPermissions$ = query(
  endpoint('GET /team-permissions', {
    access: 'server',
    query: { teamId: v.string(), recursive },
    returns: items(TeamPermission),
  }),
  { partOf: ['team', 'permission', 'users'] },
)
