import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { createUser, deleteUser, noMetadata } from '../accounts'
import type { NewUser } from '../accounts'
import type { Engine } from '../engine'
import { accountOf, linkAccount } from '../oauth-accounts'
import { uuid } from '../limits'
import { paged, pageFields, toPage } from '../paged'
import { providerConfig } from '../project-config'
import { plain } from '../refusal'
import { serve } from '../serve'
import type { ProjectRow, UserRow } from '../tables'
import { passwordOf, requireUser, serverChanges, serverFields, updateAsServer } from '../user-changes'
import { toUserForServers, UserForServers } from './user-shapes'

const createFields = {
  ...serverFields,
  isAnonymous: v.optional(v.boolean()),
  oauthProviders: v.optional(
    v.array(v.object({ id: v.string(), accountId: v.string(), email: v.nullable(v.string()) })),
  ),
}
type CreateFields = v.InferOutput<v.ObjectSchema<typeof createFields, undefined>>

const pageQuery = {
  ...pageFields,
  teamId: v.optional(uuid()),
  orderBy: v.optional(v.picklist(['signed_up_at'])),
  query: v.optional(v.string()),
}

const create = endpoint('POST /users', { access: 'server', body: createFields, returns: UserForServers })
const list = endpoint('GET /users', { access: 'server', query: pageQuery, returns: paged(UserForServers) })
const read = endpoint('GET /users/{userId}', { access: 'server', returns: UserForServers })
const update = endpoint('PATCH /users/{userId}', { access: 'server', body: serverChanges, returns: UserForServers })
const remove = endpoint('DELETE /users/{userId}', { access: 'server' })

const path = { userId: uuid() }

export const userRoutes = [
  serve(create, { status: 201 }, async ({ engine, caller: { project }, input }) => {
    const { primaryEmail, oauthProviders = [] } = input
    checkNewUser(project, input)
    const password = (await passwordOf(engine, project, input)) ?? null
    for (const { id, accountId } of oauthProviders)
      if (accountOf(engine, id, accountId))
        throw plain(400, `Somebody else signs in with this account of the OAuth provider "${id}" already.`)
    const user = createUser(engine, project, {
      ...newFields(input),
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
    // The team that the user gets is there from the next read on.
    return { ...toUserForServers(engine, user), selectedTeamId: null, selectedTeam: null }
  }),

  serve(list, {}, ({ engine, input: { query, teamId, ...page } }) => {
    const where = (user: UserRow) => matches(engine, user, { query, teamId })
    return toPage(engine.tables.users.page('signedUpAt', { ...page, where }), user => toUserForServers(engine, user))
  }),

  serve(read, { path }, ({ engine, input: { userId } }) => toUserForServers(engine, requireUser(engine, userId))),

  serve(update, { path }, async ({ engine, caller: { project }, input: { userId, ...changes } }) => {
    const user = requireUser(engine, userId)
    return toUserForServers(engine, await updateAsServer(engine, project, user, changes))
  }),

  serve(remove, { path }, ({ engine, input: { userId } }) => {
    deleteUser(engine, requireUser(engine, userId).id)
  }),
]

function checkNewUser({ config }: ProjectRow, fields: CreateFields): void {
  const { primaryEmail, primaryEmailVerified, primaryEmailAuthEnabled, oauthProviders = [] } = fields
  if (primaryEmail == null && (primaryEmailVerified || primaryEmailAuthEnabled))
    throw plain(400, 'A user without a primary e-mail address cannot use it.')
  if (fields.passkeyAuthEnabled) throw plain(400, 'A passkey is added by registering it, not by switching it on.')
  if (fields.otpAuthEnabled && !config.magicLinkEnabled)
    throw plain(400, 'This project does not have sign-in by e-mailed code.')
  for (const { id } of oauthProviders)
    if (!providerConfig(config, id)) throw plain(400, `The OAuth provider "${id}" is not enabled in this project.`)
}

function newFields(fields: CreateFields): NewUser {
  return {
    displayName: fields.displayName || null,
    profileImageUrl: fields.profileImageUrl ?? null,
    clientMetadata: fields.clientMetadata ?? noMetadata(),
    clientReadOnlyMetadata: fields.clientReadOnlyMetadata ?? noMetadata(),
    serverMetadata: fields.serverMetadata ?? noMetadata(),
    otpAuthEnabled: fields.otpAuthEnabled ?? false,
    // Kept, but not demanded: that begins when it is saved for a user who exists.
    totpSecretBase64: fields.totpSecretBase64 ?? null,
    isAnonymous: fields.isAnonymous ?? false,
  }
}

/** By id to the letter, by part of the name or of any address. */
function matches(
  { tables }: Engine,
  user: UserRow,
  { query, teamId }: { readonly query?: string | undefined; readonly teamId?: string | undefined },
): boolean {
  if (teamId !== undefined && !tables.memberships.get(`${teamId} ${user.id}`)) return false
  if (!query) return true
  const part = query.toLowerCase()
  const isPart = (text: string) => text.toLowerCase().includes(part)
  return (
    user.id === part ||
    (user.displayName !== null && isPart(user.displayName)) ||
    tables.contactChannels.by('userId', user.id).some(({ value }) => isPart(value))
  )
}
