import * as v from 'valibot'
import { items } from '../../core/wire'
import { both, replaceBoth } from '../rows'
import { newApiKey, revoking, withoutValue } from './shape'
import { NewUserApiKey, UserApiKey, userApiKey$, userApiKeys$ } from './client-user'
import type { Kit } from '../../store/kit'
import { mutation, only, patch } from '../../store/write/mutation'
import type { CallOptions } from '../../store/write/effects'
import { query } from '../../store/query'
import { endpoint, withFields } from '../../transport/endpoint'
import { userApiKeyCheck } from './server-check'

/**
 * A user's API keys, newest first, including expired and revoked ones.
 *
 * @example
 * const keys = await server.userApiKeysOf$({ userId: 'user-1' }).get()
 */
export const userApiKeysOf$ = query(
  endpoint('GET /user-api-keys', { access: 'server', query: { userId: v.string() }, returns: items(UserApiKey) }),
  { partOf: 'owned' },
)

/**
 * One API key of any user; null if there is none with this id.
 *
 * @example
 * const key = await server.userApiKeyById$({ apiKeyId: 'key-1' }).get()
 */
export const userApiKeyById$ = query(
  endpoint('GET /user-api-keys/{apiKeyId}', { access: 'server', returns: UserApiKey, fails: ['API_KEY_NOT_FOUND'] }),
  { absent: ['API_KEY_NOT_FOUND'] },
)

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
export const createUserApiKeyById = mutation(
  endpoint('POST /user-api-keys', {
    access: 'server',
    body: withFields(newApiKey, { userId: v.string() }),
    returns: NewUserApiKey,
    fails: ['USER_NOT_FOUND'],
  }),
  {
    refreshes: ({ userId }) => [only(userApiKeysOf$, { userId }), userApiKeys$],
    writes: ({ userId }, key) => [patch(userApiKeysOf$, { userId }, all => [withoutValue(key), ...all])],
  },
)

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
export const updateUserApiKeyById = mutation(
  endpoint('PATCH /user-api-keys/{apiKeyId}', {
    access: 'server',
    body: { description: v.string() },
    returns: UserApiKey,
    fails: ['API_KEY_NOT_FOUND'],
  }),
  { refreshes: showing, writes: answered },
)

/**
 * Revokes an API key of any user permanently; for a revoked key it returns the time of its revocation.
 *
 * @example
 * await server.revokeUserApiKeyById({ apiKeyId: 'key-1' })
 */
export const revokeUserApiKeyById = mutation(
  endpoint('PATCH /user-api-keys/{apiKeyId}', {
    access: 'server',
    body: { revoked: v.literal(true) },
    returns: UserApiKey,
    fails: ['API_KEY_NOT_FOUND', 'PUBLIC_API_KEY_CANNOT_BE_REVOKED'],
  }),
  {
    prepare: revoking<UserApiKeyId>,
    refreshes: showing,
    writes: answered,
  },
)

const check = mutation(userApiKeyCheck, { refreshes: () => [] })

/**
 * The user API key in a request to your own backend, with its `userId`. Null if it is not valid: unknown, revoked, expired,
 * or a team's key. Check it for every request, or cache the result for as long as a revoked key may keep working.
 *
 * @example
 * const key = await server.checkUserApiKey({ apiKey: request.headers.get('x-api-key') ?? '' })
 * if (key === null) console.log('401')
 */
export async function checkUserApiKey(
  kit: Kit<'server'>,
  input: { readonly apiKey: string },
  options?: CallOptions,
): Promise<UserApiKey | null> {
  const result = await check(kit, input, options)
  return result.ok ? result.value : null
}
