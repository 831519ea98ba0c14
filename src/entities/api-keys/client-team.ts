import * as v from 'valibot'
import { clientStore, clientWrite, items, only, patch, withFields, type Shape } from '../declare'
import { both, changeBoth, replaceBoth } from '../rows'
import { apiKeyFields, lastFour, newApiKey, revoking, withoutValue } from './shape'

const fields = withFields(apiKeyFields, { type: v.literal('team'), teamId: v.string() })
const teamApiKey = v.object(withFields(fields, { value: lastFour }))
const newTeamApiKey = v.object(withFields(fields, { value: v.string() }))

/** An API key of a team. Its value is in the answer of its creation only. */
export interface TeamApiKey extends v.InferOutput<typeof teamApiKey> {}
export const TeamApiKey: Shape<TeamApiKey> = teamApiKey

/** A key that has just been created: `value` is the key itself, which no other answer and no store contains. */
export interface NewTeamApiKey extends v.InferOutput<typeof newTeamApiKey> {}
export const NewTeamApiKey: Shape<NewTeamApiKey> = newTeamApiKey

/**
 * The API keys of a team, newest first, including expired and revoked ones. Without the permission `$manage_api_keys` it
 * fails with API_KEY_NOT_FOUND, and so do all writes to them.
 *
 * @example
 * app.teamApiKeys$({ teamId: 'team-1' }).subscribe(keys => console.log(keys.length))
 */
export const teamApiKeys$ = clientStore('GET /team-api-keys', {
  query: { teamId: v.string() },
  returns: items(TeamApiKey),
  partOf: ['team', 'permission'],
  signedOut: [],
})

/**
 * One API key of a team; null if there is none with this id, or without the permission `$manage_api_keys`.
 *
 * @example
 * const key = await app.teamApiKey$({ teamId: 'team-1', apiKeyId: 'key-1' }).get()
 */
export const teamApiKey$ = clientStore('GET /team-api-keys/{apiKeyId}', {
  query: { teamId: v.string() },
  returns: TeamApiKey,
  fails: ['API_KEY_NOT_FOUND'],
  partOf: ['team', 'permission'],
  signedOut: null,
  absent: ['API_KEY_NOT_FOUND'],
})

const keys = [teamApiKeys$, teamApiKey$] as const

/**
 * Creates an API key of a team. `value` in the answer is the key: show it now, since it cannot be read again. `expiresAt`
 * null or left out: never.
 *
 * Throws REQUEST_FAILED with status 400 if the project does not allow keys of teams (`config.allowTeamApiKeys`).
 *
 * @example
 * const { value } = await app.createTeamApiKey({ teamId: 'team-1', description: 'CI', expiresAt: new Date('2030-01-01') })
 */
export const createTeamApiKey = clientWrite('POST /team-api-keys', {
  body: withFields(newApiKey, { teamId: v.string() }),
  returns: NewTeamApiKey,
  refreshes: ({ teamId }) => [only(teamApiKeys$, { teamId })],
  writes: ({ teamId }, key) => [patch(teamApiKeys$, { teamId }, all => [withoutValue(key), ...all])],
})

/** A key of a team. */
export interface TeamApiKeyId {
  readonly teamId: string
  readonly apiKeyId: string
}

const showing = ({ teamId, apiKeyId }: TeamApiKeyId) => both(keys, { teamId }, { apiKeyId })
const answered = ({ teamId, apiKeyId }: TeamApiKeyId, key: TeamApiKey) =>
  replaceBoth(keys, { teamId }, { teamId, apiKeyId }, key)

/**
 * Changes the description of a team's API key. Its expiry cannot be changed.
 *
 * @example
 * await app.updateTeamApiKey({ teamId: 'team-1', apiKeyId: 'key-1', description: 'CI of the shop' })
 */
export const updateTeamApiKey = clientWrite('PATCH /team-api-keys/{apiKeyId}', {
  query: { teamId: v.string() },
  body: { description: v.string() },
  returns: TeamApiKey,
  refreshes: showing,
  optimistic: ({ teamId, apiKeyId, description }) =>
    changeBoth(keys, { teamId }, { teamId, apiKeyId }, apiKeyId, key => ({ ...key, description })),
  writes: answered,
})

/**
 * Revokes an API key of a team permanently, as `revokeUserApiKey` does for one of the signed-in user.
 *
 * @example
 * const result = await app.revokeTeamApiKey({ teamId: 'team-1', apiKeyId: 'key-1' })
 */
export const revokeTeamApiKey = clientWrite('PATCH /team-api-keys/{apiKeyId}', {
  query: { teamId: v.string() },
  body: { revoked: v.literal(true) },
  returns: TeamApiKey,
  fails: ['PUBLIC_API_KEY_CANNOT_BE_REVOKED'],
  prepare: revoking<TeamApiKeyId>,
  refreshes: showing,
  writes: answered,
})
