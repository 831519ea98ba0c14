import * as v from 'valibot'
import { email, json, millis, page } from '../core/wire'
import type { Shape } from '../core/wire'
import type { ClientReadOnlyMetadata, ServerMetadata } from '../core/register'
import { anyUser$ } from '../resources/current-user'
import { selectedTeamId, userChanges, userFields } from '../resources/user-fields'
import { only, mutation, patch } from '../store/mutation'
import { eachOf } from '../store/pages'
import { query, view } from '../store/query'
import { endSession } from '../store/session'
import { endpoint, withFields } from '../transport/endpoint'
import { ServerTeam } from './teams'

const serverUser = v.object(
  v.entriesFromObjects([
    v.object(userFields),
    v.object({
      primaryEmailAuthEnabled: v.boolean(),
      lastActiveAt: millis(),
      serverMetadata: json<ServerMetadata>(),
      selectedTeam: v.nullable(ServerTeam),
    }),
  ]),
)

/** A user as servers see it. */
export interface ServerUser extends v.InferOutput<typeof serverUser> {}
export const ServerUser: Shape<ServerUser> = serverUser

/** What servers say of a user, new or not. */
const changesByServers = withFields(userChanges, {
  clientReadOnlyMetadata: v.optional(json<ClientReadOnlyMetadata>()),
  serverMetadata: v.optional(json<ServerMetadata>()),
  primaryEmail: v.optional(v.nullable(email())),
  primaryEmailVerified: v.optional(v.boolean()),
  primaryEmailAuthEnabled: v.optional(v.boolean()),
  password: v.optional(v.nullable(v.string())),
  passwordHash: v.optional(v.string()),
})

const pageOfUsers = endpoint('GET /users', {
  access: 'server',
  query: {
    query: v.optional(v.string()),
    teamId: v.optional(v.string()),
    limit: v.optional(v.number()),
    cursor: v.optional(v.string()),
    orderBy: v.optional(v.picklist(['signed_up_at'])),
    desc: v.optional(v.boolean()),
  },
  returns: page(ServerUser),
})

/**
 * One page of the project's users, oldest sign-up first. `query` finds ids to the letter, and parts of names and addresses;
 * without `limit` the page has all users. `listUsers` goes over all pages.
 */
export const users$ = query(pageOfUsers)

/** Every user, page by page: `for await (const user of listUsers(kit, { teamId }))`. */
export const listUsers = eachOf(users$)

/** One user; null if there is none with this id. */
export const userById$ = query(
  endpoint('GET /users/{userId}', { access: 'server', returns: ServerUser, fails: ['USER_NOT_FOUND'] }),
  { absent: ['USER_NOT_FOUND'] },
)

/** The user whose tokens this kit has, with what only servers see; null without tokens, and for an anonymous user. */
export const ownUser$ = view(
  query(endpoint('GET /users/me', { access: 'server', returns: ServerUser, ownedBy: 'session' }), { signedOut: null }),
  user => (user?.isAnonymous ? null : user),
)

const userIsTaken = ['USER_EMAIL_ALREADY_EXISTS'] as const

/** What a write to one user makes stale. The user may be the one whose tokens this kit has. */
const showing = (userId: string) => [only(userById$, { userId }), users$, ownUser$, anyUser$]

/**
 * Adds a user; everything may be left out. The team that the project gives its new users shows from the next read on.
 *
 * A password is not checked for its length. An authenticator's secret is kept, and asked for only after it has been set once
 * more with `updateUserById`.
 */
export const createUser = mutation(
  endpoint('POST /users', {
    access: 'server',
    body: withFields(changesByServers, {
      isAnonymous: v.optional(v.boolean()),
      oauthProviders: v.optional(
        v.array(v.object({ id: v.string(), accountId: v.string(), email: v.nullable(v.string()) })),
      ),
    }),
    returns: ServerUser,
    fails: userIsTaken,
  }),
  { refreshes: () => [users$] },
)

const changes = withFields(changesByServers, { selectedTeamId, isAnonymous: v.optional(v.literal(false)) })

/**
 * Changes fields of a user; what is left out stays. A new password ends every session of the user, the present one included.
 * `isAnonymous: false` makes a person of an anonymous user.
 */
export const updateUserById = mutation(
  endpoint('PATCH /users/{userId}', {
    access: 'server',
    body: changes,
    returns: ServerUser,
    fails: ['USER_NOT_FOUND', ...userIsTaken],
  }),
  {
    refreshes: ({ userId }) => showing(userId),
    writes: ({ userId }, user) => [patch(userById$, { userId }, () => user)],
  },
)

/** Deletes a user for good. */
export const deleteUserById = mutation(
  endpoint('DELETE /users/{userId}', { access: 'server', fails: ['USER_NOT_FOUND'] }),
  { refreshes: ({ userId }) => showing(userId) },
)

/** Changes the user whose tokens this kit has, with what only servers may change. */
export const updateOwnUser = mutation(
  endpoint('PATCH /users/me', {
    access: 'server',
    body: changes,
    returns: ServerUser,
    fails: userIsTaken,
    ownedBy: 'session',
  }),
  { refreshes: () => [userById$, users$, ownUser$, anyUser$] },
)

/** Deletes the user whose tokens this kit has, whatever the project lets its users do, and ends the session. */
export const deleteOwnUser = mutation(endpoint('DELETE /users/me', { access: 'server', ownedBy: 'session' }), {
  refreshes: () => [userById$, users$],
  settled: kit => endSession(kit, 'deleted'),
})
