import type { CallOptions } from '../../store/write/effects'
import type { Kit } from '../../store/kit'
import { checkTeamApiKey } from './server-team'
import { teamById$ } from '../teams/server'
import type { ServerTeam } from '../teams/server'
import { checkUserApiKey } from './server-user'
import { userById$ } from '../users/server'
import type { ServerUser } from '../users/server'

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
