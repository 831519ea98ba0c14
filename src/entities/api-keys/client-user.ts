import * as v from 'valibot'
import { clientStore, clientWrite, items, patch, withFields, type Shape } from '../declare'
import { both, changeBoth, replaceBoth } from '../rows'
import { apiKeyFields, lastFour, newApiKey, revoking, withoutValue } from './shape'

const fields = withFields(apiKeyFields, { type: v.literal('user'), userId: v.string() })
const userApiKey = v.object(withFields(fields, { value: lastFour }))
const newUserApiKey = v.object(withFields(fields, { value: v.string() }))

/** An API key of a user. Its value is in the answer of its creation only. */
export interface UserApiKey extends v.InferOutput<typeof userApiKey> {}
export const UserApiKey: Shape<UserApiKey> = userApiKey

/** A key that has just been created: `value` is the key itself, which no other answer and no store contains. */
export interface NewUserApiKey extends v.InferOutput<typeof newUserApiKey> {}
export const NewUserApiKey: Shape<NewUserApiKey> = newUserApiKey

/**
 * The signed-in user's API keys, newest first, including expired and revoked ones.
 *
 * @example
 * app.userApiKeys$.subscribe(keys => console.log(keys.map(({ description }) => description)))
 */
export const userApiKeys$ = clientStore('GET /user-api-keys', {
  fixed: { user_id: 'me' },
  returns: items(UserApiKey),
  signedOut: [],
})

/**
 * One API key of the signed-in user; null if there is none with this id.
 *
 * @example
 * const key = await app.userApiKey$({ apiKeyId: 'key-1' }).get()
 */
export const userApiKey$ = clientStore('GET /user-api-keys/{apiKeyId}', {
  returns: UserApiKey,
  fails: ['API_KEY_NOT_FOUND'],
  signedOut: null,
  absent: ['API_KEY_NOT_FOUND'],
})

const keys = [userApiKeys$, userApiKey$] as const

/**
 * Creates an API key of the signed-in user. `value` in the answer is the key: show it now, since it cannot be read again.
 * `expiresAt` null or left out: never. `isPublic` marks a key that may be published.
 *
 * Throws REQUEST_FAILED with status 400 if the project does not allow keys of users (`config.allowUserApiKeys`).
 *
 * @example
 * const { value } = await app.createUserApiKey({ description: 'laptop', expiresAt: new Date('2030-01-01') })
 */
export const createUserApiKey = clientWrite('POST /user-api-keys', {
  fixed: { user_id: 'me' },
  body: newApiKey,
  returns: NewUserApiKey,
  refreshes: () => [userApiKeys$],
  writes: (_, key) => [patch(userApiKeys$, {}, all => [withoutValue(key), ...all])],
})

/**
 * Changes the description of the signed-in user's API key. Its expiry cannot be changed.
 *
 * @example
 * await app.updateUserApiKey({ apiKeyId: 'key-1', description: 'old laptop' })
 */
export const updateUserApiKey = clientWrite('PATCH /user-api-keys/{apiKeyId}', {
  body: { description: v.string() },
  returns: UserApiKey,
  refreshes: ({ apiKeyId }) => both(keys, {}, { apiKeyId }),
  optimistic: ({ apiKeyId, description }) =>
    changeBoth(keys, {}, { apiKeyId }, apiKeyId, key => ({ ...key, description })),
  writes: ({ apiKeyId }, key) => replaceBoth(keys, {}, { apiKeyId }, key),
})

/**
 * Revokes an API key of the signed-in user permanently; for a revoked key it returns the time of its revocation. Stores
 * change only after the platform's answer: a key shown as revoked is revoked.
 *
 * @example
 * const result = await app.revokeUserApiKey({ apiKeyId: 'key-1' })
 */
export const revokeUserApiKey = clientWrite('PATCH /user-api-keys/{apiKeyId}', {
  body: { revoked: v.literal(true) },
  returns: UserApiKey,
  fails: ['PUBLIC_API_KEY_CANNOT_BE_REVOKED'],
  prepare: revoking<{ readonly apiKeyId: string }>,
  refreshes: ({ apiKeyId }) => both(keys, {}, { apiKeyId }),
  writes: ({ apiKeyId }, key) => replaceBoth(keys, {}, { apiKeyId }, key),
})
