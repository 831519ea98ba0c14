import * as v from 'valibot'
import { email, json } from '../core/wire'
import type { ClientReadOnlyMetadata, ServerMetadata } from '../core/register'
import { anyUser$ } from '../resources/current-user'
import { teamMemberProfile$, teamMembers$ } from '../resources/team-members'
import { selectedTeamId, userChanges } from '../resources/user-fields'
import { mutation, only, patch } from '../store/mutation'
import { endSession } from '../store/session'
import { endpoint, withFields } from '../transport/endpoint'
import { ofUser } from './of-user'
import { projectPermissionsOf$, teamPermissionsOf$ } from './permissions'
import { teamMemberProfileById$, teamMemberProfilesOf$, teamMembersOf$ } from './team-members'
import { allTeams$, teamsOf$ } from './teams'
import { ownUser$, ServerUser, userById$, users$ } from './users'

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

const userIsTaken = ['USER_EMAIL_ALREADY_EXISTS'] as const

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
  // The team that a user gets is one of all.
  { refreshes: () => [users$, allTeams$] },
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
    refreshes: ({ userId }) => ofUser(userId),
    writes: ({ userId }, user) => [patch(userById$, { userId }, () => user)],
  },
)

/** Deletes a user for good. */
export const deleteUserById = mutation(
  endpoint('DELETE /users/{userId}', { access: 'server', fails: ['USER_NOT_FOUND'] }),
  {
    refreshes: ({ userId }) => [
      ...ofUser(userId),
      only(teamsOf$, { userId }),
      only(teamPermissionsOf$, { userId }),
      only(projectPermissionsOf$, { userId }),
    ],
  },
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
  {
    refreshes: () => [
      userById$,
      users$,
      ownUser$,
      anyUser$,
      teamMembersOf$,
      teamMemberProfilesOf$,
      teamMemberProfileById$,
      teamMembers$,
      teamMemberProfile$,
    ],
  },
)

/** Deletes the user whose tokens this kit has, whatever the project lets its users do, and ends the session. */
export const deleteOwnUser = mutation(endpoint('DELETE /users/me', { access: 'server', ownedBy: 'session' }), {
  refreshes: () => [userById$, users$, teamMembersOf$, teamMemberProfilesOf$, teamMemberProfileById$],
  settled: kit => endSession(kit, 'deleted'),
})
