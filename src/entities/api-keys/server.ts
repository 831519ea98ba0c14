import * as v from 'valibot'
import { endpoint, mutation, type CallOptions, type Kit } from '../declare'
import { TeamApiKey } from './client-team'
import { UserApiKey } from './client-user'
import { teamById$, type ServerTeam } from '../teams/server'
import { userById$, type ServerUser } from '../users/server'

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

const checkUser = mutation(userApiKeyCheck, { refreshes: () => [] })

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
  const result = await checkUser(kit, input, options)
  return result.ok ? result.value : null
}

const checkTeam = mutation(teamApiKeyCheck, { refreshes: () => [] })

/**
 * The team API key in a request to your own backend, with its `teamId`. Null if it is not valid: unknown, revoked, expired,
 * or a user's key.
 *
 * @example
 * const key = await server.checkTeamApiKey({ apiKey: request.headers.get('x-api-key') ?? '' })
 * if (key === null) console.log('401')
 */
export async function checkTeamApiKey(
  kit: Kit<'server'>,
  input: { readonly apiKey: string },
  options?: CallOptions,
): Promise<TeamApiKey | null> {
  const result = await checkTeam(kit, input, options)
  return result.ok ? result.value : null
}

/**
 * The user whose API key came with a request to your own backend: checks the key, as `checkUserApiKey` does, then reads the
 * user. Null if the key is not valid.
 *
 * @example
 * const user = await userByApiKey(server, { apiKey: request.headers.get('x-api-key') ?? '' })
 * if (user === null) console.log('401')
 */
export async function userByApiKey(
  kit: Kit<'server'>,
  input: { readonly apiKey: string },
  options?: CallOptions,
): Promise<ServerUser | null> {
  const key = await checkUserApiKey(kit, input, options)
  return key && userById$(kit, { userId: key.userId }).get(options)
}

/**
 * The team whose API key came with a request to your own backend, as `userByApiKey` for a user's key.
 *
 * @example
 * const team = await teamByApiKey(server, { apiKey: request.headers.get('x-api-key') ?? '' })
 * if (team === null) console.log('401')
 */
export async function teamByApiKey(
  kit: Kit<'server'>,
  input: { readonly apiKey: string },
  options?: CallOptions,
): Promise<ServerTeam | null> {
  const key = await checkTeamApiKey(kit, input, options)
  return key && teamById$(kit, { teamId: key.teamId }).get(options)
}
