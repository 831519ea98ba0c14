import { presentIn } from '../../core/values'
import * as v from 'valibot'
import * as client from '../../entities/users/client'
import * as server from '../../entities/server'
import { choosePrimaryEmail, deleteUser, requireOwnImage, createUser, searchFor } from '../directory/users'
import { requireOwnUser } from '../http/authenticate'
import { laxEmail } from '../model/limits'
import { plain, schemaError } from '../model/refusal'
import { pageFields, serve } from '../http/serve'
import { givenFields, passwordOf, requirePossible, updateAsServer, type ServerChanges } from '../directory/user-changes'
import { newerUser, newerUserChanges, toServerUser } from '../http/user-shapes'
import type { InputOf } from '../http/declared'
import { accountOf, linkAccount } from '../directory/oauth'
import { isMember } from '../directory/teams'
import { providerConfig } from '../model/projects'
import { primaryChannelOf, restrictionOf, requireUser } from '../model/restriction'
import type { Engine } from '../model/engine'
import type { UserRow } from '../model/users'

// An unknown branch has no users here; for other routes it is an error.
const anyBranch = true

/** On the newer release apps may set it too. */
const primaryEmail = v.optional(v.nullable(laxEmail))

/** The values on the wire; their local names are refused. */
const orderBy = v.optional(v.picklist(['signed_up_at']))
const newerOrderBy = v.optional(v.picklist(['signed_up_at', 'last_active_at']))

const newerUsers = {
  ...newerUser,
  /** Domains, joined by commas. */
  query: { orderBy: newerOrderBy, excludedEmailDomains: v.optional(v.string()) },
  later: ['excludedEmailDomains'],
}

export const routes = [
  serve(server.createUser, { status: 201, newer: newerUserChanges }, async ({ engine, input }) => {
    const { primaryEmail, oauthProviders = [], totpSecretBase64, isAnonymous } = input
    checkNewUser(engine, input)
    const password = (await passwordOf(engine, input)) ?? null
    for (const { id, accountId } of oauthProviders)
      if (accountOf(engine, id, accountId))
        throw plain(400, `Another user signs in with this account of the OAuth provider "${id}" already.`)
    const user = createUser(engine, {
      ...givenFields(input),
      // A secret is stored, but not required at sign-in: that begins when one is saved for an existing user.
      ...presentIn({ totpSecretBase64, isAnonymous }),
      password,
      ...(primaryEmail != null && {
        email: {
          value: primaryEmail,
          isVerified: input.primaryEmailVerified ?? false,
          usedForAuth: input.primaryEmailAuthEnabled ?? false,
        },
      }),
    })
    for (const { id, accountId, email } of oauthProviders) linkAccount(engine, user, { provider: id, accountId, email })
    // The answer leaves out the user's personal team, which appears from the next read on.
    return { ...toServerUser(engine, user), selectedTeamId: null, selectedTeam: null }
  }),

  serve(server.users$, { query: { ...pageFields, orderBy }, newer: newerUsers }, ({ engine, input }) => {
    const { query, teamId, includeAnonymous, onlyAnonymous, includeRestricted, excludedEmailDomains, ...asked } = input
    if (onlyAnonymous && !includeAnonymous) throw plain(400, 'only_anonymous=true requires include_anonymous=true')
    if (asked.orderBy === 'last_active_at' && !engine.rules.hasLaterFields)
      throw schemaError('query.order_by must be one of the following values: signed_up_at')
    const { users } = engine.tables
    const domains = String(excludedEmailDomains ?? '')
      .toLowerCase()
      .split(',')
    const excluded = new Set<string | undefined>(domains.map(domain => domain.trim()).filter(domain => domain !== ''))
    const isListed = (user: UserRow) => {
      const address = excluded.size > 0 ? primaryChannelOf(engine.tables, user.id)?.value : undefined
      if (address !== undefined && excluded.has(address.toLowerCase().replace(/^.*@/, ''))) return false
      const restriction = restrictionOf(engine, user)
      if (onlyAnonymous) return user.isAnonymous
      if (restriction === null || includeAnonymous) return true
      return includeRestricted === true && restriction.type !== 'anonymous'
    }
    const isFound = query ? searchFor(query, engine.tables) : () => true
    const isIn = ({ id }: UserRow) => teamId === undefined || isMember(engine.tables, teamId, id)
    const where = (user: UserRow) => isFound(user) && isIn(user) && isListed(user)
    const index = asked.orderBy === 'last_active_at' ? 'lastActiveAt' : 'signedUpAt'
    const { rows, nextCursor } = users.page(index, { ...asked, where })
    return { items: rows.map(user => toServerUser(engine, user)), nextCursor }
  }),

  serve(server.userById$, { newer: newerUser }, ({ engine, input: { userId } }) =>
    toServerUser(engine, requireUser(engine, userId)),
  ),

  serve(server.updateUserById, { newer: newerUserChanges }, async ({ engine, input: { userId, ...changes } }) => {
    const user = requireUser(engine, userId)
    return toServerUser(engine, await updateAsServer(engine, user, changes))
  }),

  serve(server.deleteUserById, {}, ({ engine, input: { userId } }) => {
    deleteUser(engine, requireUser(engine, userId).id)
  }),

  serve([client.anyUser$, server.ownUser$], { anyBranch, newer: newerUser }, ({ engine, caller }) =>
    toServerUser(engine, requireOwnUser(caller)),
  ),

  serve(
    [client.updateUser, server.updateOwnUser],
    { anyBranch, newer: { ...newerUserChanges, body: { ...newerUserChanges.body, primaryEmail } } },
    async ({ engine, caller, input }) => {
      const user = requireOwnUser(caller)
      requireOwnImage(caller, input.profileImageUrl)
      if (caller.access !== 'client') return toServerUser(engine, await updateAsServer(engine, user, input))
      const { primaryEmail: email, ...changes } = input
      // First, so that the event has the new address.
      if (email !== undefined) choosePrimaryEmail(engine, user, email)
      return toServerUser(engine, await updateAsServer(engine, user, changes))
    },
  ),

  serve([client.deleteUser, server.deleteOwnUser], { anyBranch }, ({ engine, caller }) => {
    const user = requireOwnUser(caller)
    if (caller.access === 'client' && !engine.settings.clientUserDeletionEnabled)
      throw plain(400, 'This project does not let users delete themselves: switch on clientUserDeletionEnabled.')
    deleteUser(engine, user.id)
  }),
]

function checkNewUser(
  engine: Engine,
  fields: ServerChanges & Pick<InputOf<typeof server.createUser>, 'oauthProviders'>,
): void {
  const { primaryEmail, primaryEmailVerified, primaryEmailAuthEnabled, oauthProviders = [] } = fields
  if (primaryEmail == null && (primaryEmailVerified || primaryEmailAuthEnabled))
    throw plain(400, 'A user without a primary e-mail address cannot use it.')
  requirePossible(engine, fields)
  for (const { id } of oauthProviders)
    if (!providerConfig(engine.settings, id))
      throw plain(400, `The OAuth provider "${id}" is not enabled in this project.`)
}
