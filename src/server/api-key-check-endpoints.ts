import * as v from 'valibot'
import { TeamApiKey } from '../resources/team-api-keys'
import { UserApiKey } from '../resources/user-api-keys'
import { endpoint } from '../transport/endpoint'

/** Why a key does not hold; one of another kind of owner is among them. */
const notValid = ['API_KEY_NOT_FOUND', 'WRONG_API_KEY_TYPE', 'API_KEY_REVOKED', 'API_KEY_EXPIRED'] as const

/** Whose key this is, if it works. */
export const userApiKeyCheck = endpoint('POST /user-api-keys/check', {
  access: 'server',
  body: { apiKey: v.string() },
  returns: UserApiKey,
  fails: notValid,
})

/** Which team's key this is, if it works. */
export const teamApiKeyCheck = endpoint('POST /team-api-keys/check', {
  access: 'server',
  body: { apiKey: v.string() },
  returns: TeamApiKey,
  fails: notValid,
})
