import * as v from 'valibot'
import { items, millis } from '../../core/wire'
import { createTeamApiKey, teamApiKey$, teamApiKeys$, updateTeamApiKey } from '../../entities/api-keys/client-team'
import { teamApiKeyCheck } from '../../entities/api-keys/server-check'
import {
  createTeamApiKeyById,
  teamApiKeyById$,
  teamApiKeysOf$,
  updateTeamApiKeyById,
} from '../../entities/api-keys/server-team'
import {
  apiKeyAnswer,
  apiKeysOf,
  changeApiKey,
  checkApiKey,
  commonOf,
  createApiKey,
  endOf,
  newApiKeyAnswer,
  noSuchKey,
  requireApiKey,
  requireApiKeys,
} from '../directory/api-keys'
import type { ApiKeyRow } from '../model/owned-tables'
import type { Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { hasTeamPermission } from '../directory/permissions'
import { serve } from '../http/serve'
import { requireSignedIn, requireTeam } from '../directory/team-checks'
import { isMember } from '../directory/teams'

const kind = 'team'
const owner = { type: v.literal('team'), teamId: v.string() }
const TeamKey = apiKeyAnswer(owner)
const NewTeamKey = newApiKeyAnswer(owner)

export const teamApiKeyRoutes = [
  serve([teamApiKeys$, teamApiKeysOf$], { answers: items(TeamKey) }, ({ engine, caller, input: { teamId } }) => {
    requireApiKeys(caller.project, kind)
    requireManager(engine, caller, teamId)
    return apiKeysOf(engine, kind, teamId).map(toKey)
  }),

  serve(
    [createTeamApiKey, createTeamApiKeyById],
    { body: { expiresAt: v.nullable(millis()) }, answers: NewTeamKey },
    ({ engine, caller, input }) => {
      requireApiKeys(caller.project, kind)
      requireManager(engine, caller, input.teamId)
      const key = createApiKey(engine, { kind, ownerId: requireTeam(engine, input.teamId).id }, input)
      return { ...commonOf(key), ...ownerOf(key), value: key.value }
    },
  ),

  serve(teamApiKeyCheck, { answers: TeamKey }, ({ engine, caller, input }) => {
    requireApiKeys(caller.project, kind)
    return toKey(checkApiKey(engine, kind, input.apiKey))
  }),

  serve([teamApiKey$, teamApiKeyById$], { answers: TeamKey }, ({ engine, caller, input }) =>
    toKey(keyOf(engine, caller, input)),
  ),

  serve(
    [updateTeamApiKey, updateTeamApiKeyById],
    { body: { description: v.optional(v.string()), revoked: v.optional(v.literal(true)) }, answers: TeamKey },
    ({ engine, caller, input }) => toKey(changeApiKey(engine, keyOf(engine, caller, input), input)),
  ),
]

function keyOf(
  engine: Engine,
  caller: Caller,
  { teamId, apiKeyId }: { readonly teamId: string; readonly apiKeyId: string },
): ApiKeyRow {
  requireApiKeys(caller.project, kind)
  const key = requireApiKey(engine, kind, apiKeyId)
  requireManager(engine, caller, key.ownerId)
  if (key.ownerId !== teamId) throw noSuchKey()
  return key
}

/** A client without the permission gets the answer for an unknown key, so that it learns nothing of the team's keys. */
function requireManager({ tables }: Engine, caller: Caller, teamId: string): void {
  if (caller.access !== 'client') return
  const { id: userId } = requireSignedIn(caller)
  const mayManage =
    isMember(tables, teamId, userId) && hasTeamPermission(tables, { teamId, userId, permissionId: '$manage_api_keys' })
  if (!mayManage) throw noSuchKey()
}

function toKey(key: ApiKeyRow) {
  return { ...commonOf(key), ...ownerOf(key), value: endOf(key) }
}

function ownerOf({ ownerId }: ApiKeyRow) {
  return { type: 'team' as const, teamId: ownerId }
}
