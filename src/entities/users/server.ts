import * as v from 'valibot'
import { field, json, millis, newer, page, type Shape } from '../../core/wire'
import { checkedInput, eachOf, endpoint, lacking, lenient, query, serverStore, view } from '../declare'
import type { ServerMetadata } from '../../core/register'
import { noUser, userFields } from './shape'
import { ServerTeam } from '../teams/server'

const riskScores = v.object({ signUp: v.object({ bot: v.number(), freeTrialAbuse: v.number() }) })

/** How likely the platform takes it that the sign-up was made by a program, or to use a free trial again: from 0 to 100. */
export interface RiskScores extends v.InferOutput<typeof riskScores> {}

const serverUser = v.object(
  v.entriesFromObjects([
    v.object(userFields),
    v.object({
      primaryEmailAuthEnabled: v.boolean(),
      lastActiveAt: millis(),
      serverMetadata: json<ServerMetadata>(),
      selectedTeam: v.nullable(ServerTeam),
      /**
       * Whether the platform refuses most calls of the user, for any reason. Release 2.8.18 lacks this field and those
       * below.
       */
      isRestricted: v.optional(v.boolean()),
      restrictedReason: v.optional(v.nullable(v.object({ type: v.string() }))),
      restrictedByAdmin: v.optional(v.boolean()),
      /** Visible to the user. */
      restrictedByAdminReason: v.optional(v.nullable(v.string())),
      /** For the project's team only. */
      restrictedByAdminPrivateDetails: v.optional(v.nullable(v.string())),
      /** The country of the sign-up: two letters, such as `DE`. */
      countryCode: v.optional(v.nullable(v.string())),
      riskScores: v.optional(riskScores),
    }),
  ]),
)

/** A user as servers see it. */
export interface ServerUser extends v.InferOutput<typeof serverUser> {}
export const ServerUser: Shape<ServerUser> = serverUser

const allUsers = endpoint('GET /users', {
  access: 'server',
  query: {
    query: v.optional(v.string()),
    teamId: v.optional(v.string()),
    limit: v.optional(v.number()),
    cursor: v.optional(v.string()),
    orderBy: v.optional(field(['signedUpAt', 'lastActiveAt'])),
    desc: v.optional(v.boolean()),
    includeAnonymous: newer(v.optional(v.boolean())),
    onlyAnonymous: newer(v.optional(v.boolean())),
    includeRestricted: newer(v.optional(v.boolean())),
    excludedEmailDomains: newer(v.optional(domains())),
  },
  returns: lenient(page(ServerUser)),
  notOnPlatform: lacking('order_by=lastActiveAt'),
})

const pageOfUsers = checkedInput(
  allUsers,
  'onlyAnonymous',
  ({ onlyAnonymous, includeAnonymous }) => !onlyAnonymous || includeAnonymous === true,
  'needs includeAnonymous: true',
)

/** Joined by commas on the wire; an empty list excludes nothing. */
function domains() {
  return v.pipe(
    v.array(v.pipe(v.string(), v.trim(), v.toLowerCase())),
    v.transform(all => (all.length > 0 ? all : undefined)),
  )
}

/**
 * One page of the project's users, oldest sign-up first. `query` matches whole ids, and parts of names and addresses, in
 * which `%` stands for any characters and `_` for one. Without `limit` the page has all users; `listUsers` iterates over all
 * pages.
 *
 * Newer releases leave out anonymous and restricted users: `includeRestricted` adds restricted ones, `includeAnonymous`
 * both, and `onlyAnonymous` in addition limits the list to anonymous ones. `excludedEmailDomains` leaves out users whose
 * primary address is of one of the domains, and `orderBy: 'lastActiveAt'` begins with the user who was inactive longest; not
 * every newer release has these two. Release 2.8.18 lists all users, and throws NOT_ON_THIS_PLATFORM for all of these.
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
export const userById$ = serverStore('GET /users/{userId}', {
  returns: ServerUser,
  fails: ['USER_NOT_FOUND'],
  partOf: 'user',
  absent: ['USER_NOT_FOUND'],
})

/**
 * The user whose tokens this kit has, with fields that only servers see; null without tokens, and for an anonymous user.
 *
 * @example
 * const user = await server.withTokens(requestTokens(request)).ownUser$.get()
 */
export const ownUser$ = view(
  serverStore('GET /users/me', {
    returns: ServerUser,
    fails: [noUser],
    ownedBy: 'session',
    partOf: 'users',
    signedOut: null,
    absent: [noUser],
  }),
  user => (user?.isAnonymous ? null : user),
)
