import * as v from 'valibot'
import { items, millis } from '../../core/wire'
import {
  createUserApiKey,
  NewUserApiKey,
  updateUserApiKey,
  UserApiKey,
  userApiKey$,
  userApiKeys$,
} from '../../entities/api-keys/client-user'
import { userApiKeyCheck, teamApiKeyCheck } from '../../entities/api-keys/server'
import {
  createUserApiKeyById,
  updateUserApiKeyById,
  userApiKeyById$,
  userApiKeysOf$,
} from '../../entities/api-keys/server-user'
import {
  apiKeysOf,
  changeApiKey,
  checkApiKey,
  commonOf,
  createApiKey,
  endOf,
  requireApiKey,
  requireApiKeys,
  noSuchKey,
  hasExpired,
} from '../directory/api-keys'
import type { ApiKeyRow } from '../model/api-keys'
import { requireSelf, userIdOf, type Caller } from '../http/authenticate'
import { inProject, type Engine, type OpenEngine } from '../model/engine'
import { userIdOrMe } from '../model/limits'
import { known } from '../model/refusal'
import { serve, servePublic, sparse } from '../http/serve'
import {
  createTeamApiKey,
  NewTeamApiKey,
  TeamApiKey,
  teamApiKey$,
  teamApiKeys$,
  updateTeamApiKey,
} from '../../entities/api-keys/client-team'
import {
  createTeamApiKeyById,
  teamApiKeyById$,
  teamApiKeysOf$,
  updateTeamApiKeyById,
} from '../../entities/api-keys/server-team'
import { hasTeamPermission } from '../directory/permissions'
import { requireSignedIn, requireTeam, isMember } from '../directory/teams'
import { sendHtml } from '../mail/outbox'
import { escapeHtml } from '../http/html'
import { platformOnly } from '../http/declared'
import { primaryChannelOf, requireUser } from '../model/restriction'

const userKind = 'user'
const UserKey = sparse(UserApiKey)

/** Accepted and ignored. */
const query = { userId: v.optional(userIdOrMe) }

const changes = { description: v.optional(v.string()), revoked: v.optional(v.literal(true)) }

const teamKind = 'team'
const TeamKey = sparse(TeamApiKey)

const revokeFound = platformOnly('POST /integrations/credential-scanning/revoke', {
  access: 'client',
  body: { apiKey: v.string() },
})

export const routes = [
  serve([teamApiKeys$, teamApiKeysOf$], { answers: items(TeamKey) }, ({ engine, caller, input: { teamId } }) => {
    requireApiKeys(caller.project, teamKind)
    requireManager(engine, caller, teamId)
    return apiKeysOf(engine, teamKind, teamId).map(toTeamKey)
  }),

  serve(
    [createTeamApiKey, createTeamApiKeyById],
    { body: { expiresAt: v.nullable(millis()) }, answers: sparse(NewTeamApiKey) },
    ({ engine, caller, input }) => {
      requireApiKeys(caller.project, teamKind)
      requireManager(engine, caller, input.teamId)
      const key = createApiKey(engine, { kind: teamKind, ownerId: requireTeam(engine, input.teamId).id }, input)
      return { ...toTeamKey(key), value: key.value }
    },
  ),

  serve(teamApiKeyCheck, { answers: TeamKey }, ({ engine, caller, input }) => {
    requireApiKeys(caller.project, teamKind)
    return toTeamKey(checkApiKey(engine, teamKind, input.apiKey))
  }),

  serve([teamApiKey$, teamApiKeyById$], { answers: TeamKey }, ({ engine, caller, input }) =>
    toTeamKey(keyOf(engine, caller, teamKind, input)),
  ),

  serve([updateTeamApiKey, updateTeamApiKeyById], { body: changes, answers: TeamKey }, ({ engine, caller, input }) =>
    toTeamKey(changeApiKey(engine, keyOf(engine, caller, teamKind, input), input)),
  ),

  serve(
    [userApiKeys$, userApiKeysOf$],
    { query: { userId: userIdOrMe }, answers: items(UserKey) },
    ({ engine, caller, input }) => {
      const userId = userIdOf(caller, input.userId)
      requireApiKeys(caller.project, userKind)
      requireSelf(caller, userId, 'API keys')
      return apiKeysOf(engine, userKind, userId).map(toUserKey)
    },
  ),

  serve(
    [createUserApiKey, createUserApiKeyById],
    { body: { userId: userIdOrMe, expiresAt: v.nullable(millis()) }, answers: sparse(NewUserApiKey) },
    ({ engine, caller, input }) => {
      const userId = userIdOf(caller, input.userId)
      requireApiKeys(caller.project, userKind)
      requireSelf(caller, userId, 'API keys')
      const key = createApiKey(engine, { kind: userKind, ownerId: requireUser(engine, userId).id }, input)
      return { ...toUserKey(key), value: key.value }
    },
  ),

  serve(userApiKeyCheck, { answers: UserKey }, ({ engine, caller, input }) => {
    requireApiKeys(caller.project, userKind)
    return toUserKey(checkApiKey(engine, userKind, input.apiKey))
  }),

  serve([userApiKey$, userApiKeyById$], { query, answers: UserKey }, ({ engine, caller, input }) =>
    toUserKey(keyOf(engine, caller, userKind, input)),
  ),

  serve(
    [updateUserApiKey, updateUserApiKeyById],
    { query, body: changes, answers: UserKey },
    ({ engine, caller, input }) => toUserKey(changeApiKey(engine, keyOf(engine, caller, userKind, input), input)),
  ),

  // A scanner that finds a key in a public place revokes it. The request needs nothing but the key.
  servePublic(revokeFound, {}, ({ engine: open, input }) => {
    const { engine, key } = findKey(open, input.apiKey)
    const now = engine.clock.now()
    if (key.isPublic)
      throw known(
        'PUBLIC_API_KEY_CANNOT_BE_REVOKED',
        'A public API key may be found in public places, so it is not revoked.',
      )
    if (hasExpired(key, now)) throw known('API_KEY_EXPIRED', 'This API key has expired.')
    if (key.revokedAt !== null) return
    engine.tables.apiKeys.patch(key.id, { revokedAt: now })
    for (const to of addressesFor(engine, key)) sendHtml(engine, { to, ...letterOn(engine, key) })
  }),
]

function toUserKey(key: ApiKeyRow) {
  return { ...commonOf(key), type: 'user' as const, userId: key.ownerId, value: endOf(key) }
}

function keyOf(
  engine: Engine,
  caller: Caller,
  kind: ApiKeyRow['kind'],
  { teamId, apiKeyId }: { readonly teamId?: string; readonly apiKeyId: string },
): ApiKeyRow {
  requireApiKeys(caller.project, kind)
  const key = requireApiKey(engine, kind, apiKeyId)
  if (kind === userKind) requireSelf(caller, key.ownerId, 'API keys')
  else requireManager(engine, caller, key.ownerId)
  if (kind === teamKind && key.ownerId !== teamId) throw noSuchKey()
  return key
}

/** A client without the permission gets the answer for an unknown key, so that it learns nothing of the team's keys. */
function requireManager(engine: Engine, caller: Caller, teamId: string): void {
  if (caller.access !== 'client') return
  const { id: userId } = requireSignedIn(caller)
  const mayManage =
    isMember(engine.tables, teamId, userId) &&
    hasTeamPermission(engine, { teamId, userId, permissionId: '$manage_api_keys' })
  if (!mayManage) throw noSuchKey()
}

function toTeamKey(key: ApiKeyRow) {
  return { ...commonOf(key), type: 'team' as const, teamId: key.ownerId, value: endOf(key) }
}

function findKey(open: OpenEngine, value: string) {
  for (const project of open.database.projects.rows()) {
    const engine = inProject(open, project.id)
    const key = engine.tables.apiKeys.first('value', value)
    if (key) return { engine, key }
  }
  throw noSuchKey()
}

/** The owner's address, or those of the team members that may manage its keys. */
function addressesFor(engine: Engine, { kind, ownerId }: ApiKeyRow): string[] {
  const { tables } = engine
  const managers = () =>
    tables.memberships
      .by('teamId', ownerId)
      .map(({ userId }) => userId)
      .filter(userId => hasTeamPermission(engine, { teamId: ownerId, userId, permissionId: '$manage_api_keys' }))
  const userIds = kind === 'user' ? [ownerId] : managers()
  return userIds.flatMap(userId => primaryChannelOf(tables, userId)?.value ?? [])
}

/** The mail does not contain the key, to keep it out of one more place. */
function letterOn({ tables }: Engine, { kind, ownerId, description }: ApiKeyRow) {
  const owner = kind === 'team' ? ` of the team “${tables.teams.get(ownerId)?.displayName ?? ''}”` : ''
  return {
    subject: 'An API key was found in public and revoked',
    html: `<p>${escapeHtml(`The API key “${description}”${owner} was found in a public place. It has been revoked: replace it where it is used.`)}</p>`,
  }
}
