import * as v from 'valibot'
import { items, only, patch, serverStore, serverWrite, withFields } from '../declare'
import { both, replaceBoth } from '../rows'
import { newApiKey, revoking, withoutValue } from './shape'
import { NewTeamApiKey, TeamApiKey, teamApiKey$, teamApiKeys$, type TeamApiKeyId } from './client-team'

/**
 * The API keys of any team, newest first, including expired and revoked ones.
 *
 * @example
 * const keys = await server.teamApiKeysOf$({ teamId: 'team-1' }).get()
 */
export const teamApiKeysOf$ = serverStore('GET /team-api-keys', {
  query: { teamId: v.string() },
  returns: items(TeamApiKey),
  partOf: 'team',
})

/**
 * One API key of any team; null if the team has none with this id.
 *
 * @example
 * const key = await server.teamApiKeyById$({ teamId: 'team-1', apiKeyId: 'key-1' }).get()
 */
export const teamApiKeyById$ = serverStore('GET /team-api-keys/{apiKeyId}', {
  query: { teamId: v.string() },
  returns: TeamApiKey,
  fails: ['API_KEY_NOT_FOUND'],
  partOf: 'team',
  absent: ['API_KEY_NOT_FOUND'],
})

const keys = [teamApiKeysOf$, teamApiKeyById$] as const

/**
 * Creates an API key of any team, as `createTeamApiKey` does for a member with the permission.
 *
 * For an unknown team, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500) in place of a code: see "Where the
 * hosted platform answers 500" in docs/errors.md.
 *
 * @example
 * const result = await server.createTeamApiKeyById({ teamId: 'team-1', description: 'CI' })
 */
export const createTeamApiKeyById = serverWrite('POST /team-api-keys', {
  body: withFields(newApiKey, { teamId: v.string() }),
  returns: NewTeamApiKey,
  fails: ['TEAM_NOT_FOUND'],
  refreshes: ({ teamId }) => [only(teamApiKeysOf$, { teamId }), only(teamApiKeys$, { teamId })],
  writes: ({ teamId }, key) => [patch(teamApiKeysOf$, { teamId }, all => [withoutValue(key), ...all])],
})

const showing = ({ teamId, apiKeyId }: TeamApiKeyId) => [
  ...both(keys, { teamId }, { apiKeyId }),
  only(teamApiKeys$, { teamId }),
  only(teamApiKey$, { apiKeyId }),
]

const answered = ({ teamId, apiKeyId }: TeamApiKeyId, key: TeamApiKey) =>
  replaceBoth(keys, { teamId }, { teamId, apiKeyId }, key)

/**
 * Changes the description of any team's API key. Its expiry cannot be changed.
 *
 * @example
 * await server.updateTeamApiKeyById({ teamId: 'team-1', apiKeyId: 'key-1', description: 'CI of the shop' })
 */
export const updateTeamApiKeyById = serverWrite('PATCH /team-api-keys/{apiKeyId}', {
  query: { teamId: v.string() },
  body: { description: v.string() },
  returns: TeamApiKey,
  fails: ['API_KEY_NOT_FOUND'],
  refreshes: showing,
  writes: answered,
})

/**
 * Revokes an API key of any team permanently; for a revoked key it returns the time of its revocation.
 *
 * @example
 * await server.revokeTeamApiKeyById({ teamId: 'team-1', apiKeyId: 'key-1' })
 */
export const revokeTeamApiKeyById = serverWrite('PATCH /team-api-keys/{apiKeyId}', {
  query: { teamId: v.string() },
  body: { revoked: v.literal(true) },
  returns: TeamApiKey,
  fails: ['API_KEY_NOT_FOUND', 'PUBLIC_API_KEY_CANNOT_BE_REVOKED'],
  prepare: revoking<TeamApiKeyId>,
  refreshes: showing,
  writes: answered,
})
