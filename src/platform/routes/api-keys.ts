import * as v from 'valibot'
import { items, millis } from '../../core/wire'
import * as client from '../../entities/client'
import { userApiKeyCheck, teamApiKeyCheck } from '../../entities/api-keys/server'
import * as server from '../../entities/server'
import {
  apiKeysOf,
  changeApiKey,
  checkApiKey,
  commonOf,
  createApiKey,
  endOf,
  requireApiKeys,
  noSuchKey,
  hasExpired,
} from '../directory/api-keys'
import type { ApiKeyRow } from '../model/api-keys'
import { requireSelf, type Caller } from '../http/authenticate'
import { inProject, type Engine, type OpenEngine } from '../model/engine'
import { userIdOrMe } from '../model/limits'
import { known } from '../model/refusal'
import { serve, servePublic, sparse, type Call } from '../http/serve'
import { hasTeamPermission } from '../directory/permissions'
import { requireSignedIn, requireTeam, isMember } from '../directory/teams'
import { sendHtml } from '../mail/outbox'
import { escapeHtml } from '../http/html'
import { endpoint } from '../../transport/endpoint'
import { primaryChannelOf, requireUser } from '../model/restriction'

const UserKey = sparse(client.UserApiKey)
const TeamKey = sparse(client.TeamApiKey)

/** Accepted and ignored. */
const query = { userId: v.optional(userIdOrMe) }

const expiresAt = v.nullable(millis())
const changes = { description: v.optional(v.string()), revoked: v.optional(v.literal(true)) }

const revokeFound = endpoint('POST /integrations/credential-scanning/revoke', {
  access: 'client',
  body: { apiKey: v.string() },
})

export const routes = [
  serve([client.teamApiKeys$, server.teamApiKeysOf$], { answers: items(TeamKey) }, call =>
    apiKeysOf(call.engine, 'team', ownerOf(call, 'team')).map(toTeamKey),
  ),
  serve(
    [client.createTeamApiKey, server.createTeamApiKeyById],
    { body: { expiresAt }, answers: sparse(client.NewTeamApiKey) },
    call => {
      const key = newKey(call, 'team')
      return { ...toTeamKey(key), value: key.value }
    },
  ),
  serve(teamApiKeyCheck, { answers: TeamKey }, call => toTeamKey(validKey(call, 'team'))),
  serve([client.teamApiKey$, server.teamApiKeyById$], { answers: TeamKey }, call => toTeamKey(keyOf(call, 'team'))),
  serve([client.updateTeamApiKey, server.updateTeamApiKeyById], { body: changes, answers: TeamKey }, call =>
    toTeamKey(changeApiKey(call.engine, keyOf(call, 'team'), call.input)),
  ),

  serve(
    [client.userApiKeys$, server.userApiKeysOf$],
    { query: { userId: userIdOrMe }, answers: items(UserKey) },
    call => apiKeysOf(call.engine, 'user', ownerOf(call, 'user')).map(toUserKey),
  ),
  serve(
    [client.createUserApiKey, server.createUserApiKeyById],
    { body: { userId: userIdOrMe, expiresAt }, answers: sparse(client.NewUserApiKey) },
    call => {
      const key = newKey(call, 'user')
      return { ...toUserKey(key), value: key.value }
    },
  ),
  serve(userApiKeyCheck, { answers: UserKey }, call => toUserKey(validKey(call, 'user'))),
  serve([client.userApiKey$, server.userApiKeyById$], { query, answers: UserKey }, call =>
    toUserKey(keyOf(call, 'user')),
  ),
  serve([client.updateUserApiKey, server.updateUserApiKeyById], { query, body: changes, answers: UserKey }, call =>
    toUserKey(changeApiKey(call.engine, keyOf(call, 'user'), call.input)),
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

function toTeamKey(key: ApiKeyRow) {
  return { ...commonOf(key), type: 'team' as const, teamId: key.ownerId, value: endOf(key) }
}

type Kind = ApiKeyRow['kind']
type OwnerCall<I = unknown> = Call<I & { readonly userId?: string | undefined; readonly teamId?: string | undefined }>

/** The owner that the request names. Refuses a client that may not use the owner's keys. */
function ownerOf({ engine, caller, input: { userId, teamId = '' } }: OwnerCall, kind: Kind): string {
  const ownerId = userId ?? teamId
  requireApiKeys(engine, kind)
  requireOwner(engine, caller, kind, ownerId)
  return ownerId
}

function newKey(call: OwnerCall<Parameters<typeof createApiKey>[2]>, kind: Kind): ApiKeyRow {
  const owner = kind === 'user' ? requireUser : requireTeam
  return createApiKey(call.engine, { kind, ownerId: owner(call.engine, ownerOf(call, kind)).id }, call.input)
}

function validKey({ engine, input }: Call<{ readonly apiKey: string }>, kind: Kind): ApiKeyRow {
  requireApiKeys(engine, kind)
  return checkApiKey(engine, kind, input.apiKey)
}

function keyOf({ engine, caller, input }: OwnerCall<{ readonly apiKeyId: string }>, kind: Kind): ApiKeyRow {
  requireApiKeys(engine, kind)
  const key = engine.tables.apiKeys.get(input.apiKeyId)
  if (key?.kind !== kind) throw noSuchKey()
  requireOwner(engine, caller, kind, key.ownerId)
  if (kind === 'team' && key.ownerId !== input.teamId) throw noSuchKey()
  return key
}

/**
 * A client uses the keys of its own user, and with the permission those of a team. Without it, it gets the answer for an
 * unknown key, so that it learns nothing of the team's keys.
 */
function requireOwner(engine: Engine, caller: Caller, kind: Kind, ownerId: string): void {
  if (kind === 'user') requireSelf(caller, ownerId, 'API keys')
  else if (caller.access === 'client' && !mayManage(engine, ownerId, requireSignedIn(caller).id)) throw noSuchKey()
}

function mayManage(engine: Engine, teamId: string, userId: string): boolean {
  return (
    isMember(engine.tables, teamId, userId) &&
    hasTeamPermission(engine, { teamId, userId, permissionId: '$manage_api_keys' })
  )
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
  const members = () => tables.memberships.by('teamId', ownerId).map(({ userId }) => userId)
  const userIds = kind === 'user' ? [ownerId] : members().filter(userId => mayManage(engine, ownerId, userId))
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
