import * as v from 'valibot'
import { TeamApiKey } from './client-team'
import { UserApiKey } from './client-user'
import { endpoint } from '../../transport/endpoint'

/** Why a key is not valid, including keys of the other kind of owner. */
const notValid = ['API_KEY_NOT_FOUND', 'WRONG_API_KEY_TYPE', 'API_KEY_REVOKED', 'API_KEY_EXPIRED'] as const

/** The user key of this value, if it is valid. */
export const userApiKeyCheck = endpoint('POST /user-api-keys/check', {
  access: 'server',
  body: { apiKey: v.string() },
  returns: UserApiKey,
  fails: notValid,
})

/** The team key of this value, if it is valid. */
export const teamApiKeyCheck = endpoint('POST /team-api-keys/check', {
  access: 'server',
  body: { apiKey: v.string() },
  returns: TeamApiKey,
  fails: notValid,
})
