import * as v from 'valibot'
import { items, only, patch, serverStore, serverWrite, withFields } from '../declare'
import { both, replaceBoth } from '../rows'
import { newApiKey, revoking, withoutValue } from './shape'
import { NewUserApiKey, UserApiKey, userApiKey$, userApiKeys$ } from './client-user'

/**
 * A user's API keys, newest first, including expired and revoked ones.
 *
 * @example
 * const keys = await server.userApiKeysOf$({ userId: 'user-1' }).get()
 */
export const userApiKeysOf$ = serverStore('GET /user-api-keys', {
  query: { userId: v.string() },
  returns: items(UserApiKey),
  partOf: 'owned',
})

/**
 * One API key of any user; null if there is none with this id.
 *
 * @example
 * const key = await server.userApiKeyById$({ apiKeyId: 'key-1' }).get()
 */
export const userApiKeyById$ = serverStore('GET /user-api-keys/{apiKeyId}', {
  returns: UserApiKey,
  fails: ['API_KEY_NOT_FOUND'],
  absent: ['API_KEY_NOT_FOUND'],
})

const keys = [userApiKeysOf$, userApiKeyById$] as const

/**
 * Creates an API key of a user, as `createUserApiKey` does for the signed-in user.
 *
 * For an unknown user, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500) in place of a code: see "Where the
 * hosted platform answers 500" in docs/errors.md.
 *
 * @example
 * const result = await server.createUserApiKeyById({ userId: 'user-1', description: 'laptop' })
 */
export const createUserApiKeyById = serverWrite('POST /user-api-keys', {
  body: withFields(newApiKey, { userId: v.string() }),
  returns: NewUserApiKey,
  fails: ['USER_NOT_FOUND'],
  refreshes: ({ userId }) => [only(userApiKeysOf$, { userId }), userApiKeys$],
  writes: ({ userId }, key) => [patch(userApiKeysOf$, { userId }, all => [withoutValue(key), ...all])],
})

/** A key of a user. */
export interface UserApiKeyId {
  readonly apiKeyId: string
}

/** Only the answer names the key's owner, who may be the user whose tokens this kit has. */
const showing = ({ apiKeyId }: UserApiKeyId, key: UserApiKey | undefined) => [
  ...both(keys, key ? { userId: key.userId } : {}, { apiKeyId }),
  userApiKeys$,
  only(userApiKey$, { apiKeyId }),
]

const answered = ({ apiKeyId }: UserApiKeyId, key: UserApiKey) =>
  replaceBoth(keys, { userId: key.userId }, { apiKeyId }, key)

/**
 * Changes the description of any user's API key. Its expiry cannot be changed.
 *
 * @example
 * await server.updateUserApiKeyById({ apiKeyId: 'key-1', description: 'old laptop' })
 */
export const updateUserApiKeyById = serverWrite('PATCH /user-api-keys/{apiKeyId}', {
  body: { description: v.string() },
  returns: UserApiKey,
  fails: ['API_KEY_NOT_FOUND'],
  refreshes: showing,
  writes: answered,
})

/**
 * Revokes an API key of any user permanently; for a revoked key it returns the time of its revocation.
 *
 * @example
 * await server.revokeUserApiKeyById({ apiKeyId: 'key-1' })
 */
export const revokeUserApiKeyById = serverWrite('PATCH /user-api-keys/{apiKeyId}', {
  body: { revoked: v.literal(true) },
  returns: UserApiKey,
  fails: ['API_KEY_NOT_FOUND', 'PUBLIC_API_KEY_CANNOT_BE_REVOKED'],
  prepare: revoking<UserApiKeyId>,
  refreshes: showing,
  writes: answered,
})
