import * as v from 'valibot'
import { field, json, millis, newer, page } from '../../core/wire'
import type { Shape } from '../../core/wire'
import type { ServerMetadata } from '../../core/register'
import { noUser } from '../client/no-user'
import { userFields } from '../client/user-fields'
import { eachOf } from '../../store/pages'
import { query, view } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { ServerTeam } from './teams'

const serverUser = v.object(
  v.entriesFromObjects([
    v.object(userFields),
    v.object({
      primaryEmailAuthEnabled: v.boolean(),
      lastActiveAt: millis(),
      serverMetadata: json<ServerMetadata>(),
      selectedTeam: v.nullable(ServerTeam),
      /**
       * Whether the platform refuses most calls of the user, for any reason; this and all that follow in newer releases
       * only.
       */
      isRestricted: v.optional(v.boolean()),
      restrictedReason: v.optional(v.nullable(v.object({ type: v.string() }))),
      restrictedByAdmin: v.optional(v.boolean()),
      /** Visible to the user. */
      restrictedByAdminReason: v.optional(v.nullable(v.string())),
      /** For the project's team only. */
      restrictedByAdminPrivateDetails: v.optional(v.nullable(v.string())),
    }),
  ]),
)

/**
 * A user as servers see it.
 *
 * @example
 * const label = ({ displayName, primaryEmail, id }: ServerUser) => displayName ?? primaryEmail ?? id
 */
export interface ServerUser extends v.InferOutput<typeof serverUser> {}
export const ServerUser: Shape<ServerUser> = serverUser

const pageOfUsers = endpoint('GET /users', {
  access: 'server',
  query: {
    query: v.optional(v.string()),
    teamId: v.optional(v.string()),
    limit: v.optional(v.number()),
    cursor: v.optional(v.string()),
    orderBy: v.optional(field(['signedUpAt'])),
    desc: v.optional(v.boolean()),
    includeAnonymous: newer(v.optional(v.boolean())),
    onlyAnonymous: newer(v.optional(v.boolean())),
    includeRestricted: newer(v.optional(v.boolean())),
  },
  returns: page(ServerUser),
})

/**
 * One page of the project's users, oldest sign-up first. `query` matches whole ids, and parts of names and addresses, in
 * which `%` stands for any characters and `_` for one. Without `limit` the page has all users; `listUsers` iterates over all
 * pages.
 *
 * Newer releases leave out anonymous and restricted users: `includeRestricted` adds restricted ones, `includeAnonymous`
 * both, and `onlyAnonymous` in addition limits the list to anonymous ones. The reference release lists all users and refuses
 * these options.
 *
 * @example
 * const { items, nextCursor } = await server.users$({ query: 'ada', limit: 20 }).get()
 */
export const users$ = query(pageOfUsers, { partOf: 'users' })

/**
 * Every user, page by page: `for await (const user of listUsers(kit, { teamId }))`.
 *
 * @example
 * for await (const user of server.listUsers({ teamId: 'team-1' })) console.log(user.primaryEmail)
 */
export const listUsers = eachOf(users$)

/**
 * One user; null if there is none with this id.
 *
 * @example
 * const user = await server.userById$({ userId: 'user-1' }).get()
 */
export const userById$ = query(
  endpoint('GET /users/{userId}', { access: 'server', returns: ServerUser, fails: ['USER_NOT_FOUND'] }),
  { partOf: 'user', absent: ['USER_NOT_FOUND'] },
)

/**
 * The user whose tokens this kit has, with fields that only servers see; null without tokens, and for an anonymous user.
 *
 * @example
 * const user = await server.withTokens(requestTokens(request)).ownUser$.get()
 */
export const ownUser$ = view(
  query(endpoint('GET /users/me', { access: 'server', returns: ServerUser, fails: [noUser], ownedBy: 'session' }), {
    partOf: 'users',
    signedOut: null,
    absent: [noUser],
  }),
  user => (user?.isAnonymous ? null : user),
)
