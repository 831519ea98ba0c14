import * as v from 'valibot'
import { json } from '../../core/wire'
import type { ClientReadOnlyMetadata, ServerMetadata } from '../../core/register'
import { anyUser$, deleteUser, updateUser } from '../../resources/current-user'
import { endpoint } from '../../transport/endpoint'
import { deleteUser as deleteAccount, isMember, primaryChannelOf, setPrimaryEmail } from '../accounts'
import type { Caller } from '../authenticate'
import { endpointOf } from '../endpoint-of'
import type { Engine } from '../engine'
import { base64, imageUrl, isBase64Image, laxEmail, password, uuid } from '../limits'
import { hashPassword } from '../passwords'
import { known, plain } from '../refusal'
import { serve } from '../serve'
import { endSessionsOf } from '../sessions'
import type { ProjectRow, UserRow } from '../tables'
import { toCurrentUser, toUserForServers, UserForServers } from './user-shapes'

const checked = {
  profileImageUrl: v.optional(v.nullable(imageUrl())),
  selectedTeamId: v.optional(v.nullable(uuid())),
  totpSecretBase64: v.optional(v.nullable(base64())),
}

const readForServers = endpoint('GET /users/me', { access: 'server', returns: UserForServers })

const updateForServers = endpoint('PATCH /users/me', {
  access: 'server',
  body: {
    ...checked,
    displayName: v.optional(v.nullable(v.string())),
    clientMetadata: v.optional(json<UserRow['clientMetadata']>()),
    clientReadOnlyMetadata: v.optional(json<ClientReadOnlyMetadata>()),
    serverMetadata: v.optional(json<ServerMetadata>()),
    otpAuthEnabled: v.optional(v.boolean()),
    passkeyAuthEnabled: v.optional(v.boolean()),
    primaryEmail: v.optional(v.nullable(laxEmail())),
    primaryEmailVerified: v.optional(v.boolean()),
    primaryEmailAuthEnabled: v.optional(v.boolean()),
    password: v.optional(v.nullable(password())),
    isAnonymous: v.optional(v.literal(false)),
  },
  returns: UserForServers,
})

const deleteForServers = endpoint('DELETE /users/me', { access: 'server' })

// An unknown branch has no users here; everywhere else it is an error of its own.
const anyBranch = true

export const currentUserRoutes = [
  serve(endpointOf(anyUser$), { anyBranch }, ({ engine, caller }) => toCurrentUser(engine, ownUser(caller))),
  serve(readForServers, { anyBranch }, ({ engine, caller }) => toUserForServers(engine, ownUser(caller))),

  serve(endpointOf(updateUser), { anyBranch, body: checked }, ({ engine, caller, input }) => {
    const user = ownUser(caller)
    if (input.profileImageUrl && !isBase64Image(input.profileImageUrl))
      throw plain(400, 'A client may only set an image as a base64 data URL.')
    const changed = engine.tables.users.patch(user.id, changedFields(engine, caller.project, user, input))
    return toCurrentUser(engine, changed)
  }),

  serve(updateForServers, { anyBranch }, async ({ engine, caller, input }) => {
    const user = ownUser(caller)
    return toUserForServers(engine, await updateAsServer(engine, caller.project, user, input))
  }),

  serve(endpointOf(deleteUser), { anyBranch }, ({ engine, caller }) => {
    const user = ownUser(caller)
    if (!caller.project.config.clientUserDeletionEnabled)
      throw plain(400, 'This project does not let users delete themselves.')
    deleteAccount(engine, user.id)
  }),
  serve(deleteForServers, { anyBranch }, ({ engine, caller }) => deleteAccount(engine, ownUser(caller).id)),
]

/** The user who "me" is. */
export function ownUser({ user }: Pick<Caller, 'user'>): UserRow {
  if (user) return user
  throw known('CANNOT_GET_OWN_USER_WITHOUT_USER', '"me" needs the access token of a user who exists.')
}

/** In an optional field undefined is as good as absent. */
type Given<T> = T | undefined

interface FieldChanges {
  readonly displayName?: string | null | undefined
  readonly profileImageUrl?: string | null | undefined
  readonly clientMetadata?: Given<UserRow['clientMetadata']>
  readonly selectedTeamId?: string | null | undefined
  readonly totpSecretBase64?: string | null | undefined
  readonly otpAuthEnabled?: boolean | undefined
  readonly passkeyAuthEnabled?: boolean | undefined
}

/** What the user and servers may change alike, checked. */
function changedFields(
  { tables }: Engine,
  { config }: ProjectRow,
  user: UserRow,
  changes: FieldChanges,
): Partial<Omit<UserRow, 'id'>> {
  const { displayName, selectedTeamId, totpSecretBase64, otpAuthEnabled, passkeyAuthEnabled } = changes
  if (passkeyAuthEnabled) throw plain(400, 'A passkey is added by registering it, not by switching it on.')
  if (otpAuthEnabled && !config.magicLinkEnabled)
    throw plain(400, 'This project does not have sign-in by e-mailed code.')
  if (typeof selectedTeamId === 'string' && !isMember(tables, selectedTeamId, user.id))
    throw known('TEAM_MEMBERSHIP_NOT_FOUND', 'The user is not a member of the selected team.', {
      teamId: selectedTeamId,
      userId: user.id,
    })
  return {
    displayName: displayName === undefined ? user.displayName : displayName || null,
    profileImageUrl: changes.profileImageUrl === undefined ? user.profileImageUrl : changes.profileImageUrl,
    clientMetadata: changes.clientMetadata === undefined ? user.clientMetadata : changes.clientMetadata,
    selectedTeamId: selectedTeamId === undefined ? user.selectedTeamId : selectedTeamId,
    otpAuthEnabled: otpAuthEnabled ?? user.otpAuthEnabled,
    // The second factor is demanded from here on, without a code that confirms the secret.
    ...(totpSecretBase64 !== undefined && { totpSecretBase64, requiresTotpMfa: totpSecretBase64 !== null }),
  }
}

interface ServerChanges extends FieldChanges {
  readonly clientReadOnlyMetadata?: Given<ClientReadOnlyMetadata>
  readonly serverMetadata?: Given<ServerMetadata>
  readonly primaryEmail?: string | null | undefined
  readonly primaryEmailVerified?: boolean | undefined
  readonly primaryEmailAuthEnabled?: boolean | undefined
  readonly password?: string | null | undefined
  readonly isAnonymous?: false | undefined
}

/** Everything is checked before anything is changed. */
async function updateAsServer(
  engine: Engine,
  project: ProjectRow,
  asked: UserRow,
  changes: ServerChanges,
): Promise<UserRow> {
  const { tables, passwordCost } = engine
  const { primaryEmail, primaryEmailVerified, primaryEmailAuthEnabled } = changes
  if (typeof changes.password === 'string') {
    if (!project.config.credentialEnabled) throw plain(400, 'This project does not have password sign-in.')
    const hasEmail =
      primaryEmail === undefined ? primaryChannelOf(tables, asked.id) !== undefined : primaryEmail !== null
    if (!hasEmail) throw plain(400, 'A password needs a primary e-mail address.')
  }
  const hash =
    typeof changes.password === 'string' ? await hashPassword(changes.password, passwordCost) : changes.password
  // Hashing took time, in which the user may have changed or gone.
  const user = ownUser({ user: tables.users.get(asked.id) ?? null })
  const fields = changedFields(engine, project, user, changes)
  setPrimaryEmail(engine, user, {
    ...(primaryEmail !== undefined && { email: primaryEmail }),
    ...(primaryEmailVerified !== undefined && { isVerified: primaryEmailVerified }),
    ...(primaryEmailAuthEnabled !== undefined && { usedForAuth: primaryEmailAuthEnabled }),
  })
  if (hash !== undefined) endSessionsOf(engine, user.id)
  return tables.users.patch(user.id, {
    ...fields,
    ...(hash !== undefined && { password: hash }),
    ...(changes.clientReadOnlyMetadata !== undefined && { clientReadOnlyMetadata: changes.clientReadOnlyMetadata }),
    ...(changes.serverMetadata !== undefined && { serverMetadata: changes.serverMetadata }),
    ...(changes.isAnonymous === false && { isAnonymous: false }),
  })
}
