import * as v from 'valibot'
import { items, millis } from '../../core/wire'
import { createUserApiKey, updateUserApiKey, userApiKey$, userApiKeys$ } from '../../entities/api-keys/client-user'
import { userApiKeyCheck } from '../../entities/api-keys/server-check'
import {
  createUserApiKeyById,
  updateUserApiKeyById,
  userApiKeyById$,
  userApiKeysOf$,
} from '../../entities/api-keys/server-user'
import {
  apiKeyAnswer,
  apiKeysOf,
  changeApiKey,
  checkApiKey,
  commonOf,
  createApiKey,
  endOf,
  newApiKeyAnswer,
  requireApiKey,
  requireApiKeys,
} from '../directory/api-keys'
import type { ApiKeyRow } from '../model/owned-tables'
import { userIdOf } from '../http/authenticate'
import type { Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { userIdOrMe } from '../model/limits'
import { known, plain } from '../model/refusal'
import { serve } from '../http/serve'
import { requireUser } from '../directory/user-changes'

const kind = 'user'
const owner = { type: v.literal('user'), userId: v.string() }
const UserKey = apiKeyAnswer(owner)
const NewUserKey = newApiKeyAnswer(owner)

/** Accepted and ignored. */
const query = { userId: v.optional(userIdOrMe()) }

export const userApiKeyRoutes = [
  serve(
    [userApiKeys$, userApiKeysOf$],
    { query: { userId: userIdOrMe() }, answers: items(UserKey) },
    ({ engine, caller, input }) => {
      const userId = userIdOf(caller, input.userId)
      requireApiKeys(caller.project, kind)
      requireOwner(caller, userId)
      return apiKeysOf(engine, kind, userId).map(toKey)
    },
  ),

  serve(
    [createUserApiKey, createUserApiKeyById],
    { body: { userId: userIdOrMe(), expiresAt: v.nullable(millis()) }, answers: NewUserKey },
    ({ engine, caller, input }) => {
      const userId = userIdOf(caller, input.userId)
      requireApiKeys(caller.project, kind)
      requireOwner(caller, userId)
      const key = createApiKey(engine, { kind, ownerId: requireUser(engine, userId).id }, input)
      return { ...commonOf(key), ...ownerOf(key), value: key.value }
    },
  ),

  serve(userApiKeyCheck, { answers: UserKey }, ({ engine, caller, input }) => {
    requireApiKeys(caller.project, kind)
    return toKey(checkApiKey(engine, kind, input.apiKey))
  }),

  serve([userApiKey$, userApiKeyById$], { query, answers: UserKey }, ({ engine, caller, input }) =>
    toKey(ownKey(engine, caller, input)),
  ),

  serve(
    [updateUserApiKey, updateUserApiKeyById],
    {
      query,
      body: { description: v.optional(v.string()), revoked: v.optional(v.literal(true)) },
      answers: UserKey,
    },
    ({ engine, caller, input }) => toKey(changeApiKey(engine, ownKey(engine, caller, input), input)),
  ),
]

function ownKey(engine: Engine, caller: Caller, { apiKeyId }: { readonly apiKeyId: string }): ApiKeyRow {
  requireApiKeys(caller.project, kind)
  const key = requireApiKey(engine, kind, apiKeyId)
  requireOwner(caller, key.ownerId)
  return key
}

function requireOwner({ access, user }: Caller, userId: string): void {
  if (access !== 'client') return
  if (!user) throw known('USER_AUTHENTICATION_REQUIRED', 'API keys need the access token of a user.')
  if (user.id !== userId) throw plain(403, 'A client can use API keys of its own user only.')
}

function toKey(key: ApiKeyRow) {
  return { ...commonOf(key), ...ownerOf(key), value: endOf(key) }
}

function ownerOf({ ownerId }: ApiKeyRow) {
  return { type: 'user' as const, userId: ownerId }
}
