import type { ClientApp, Store } from 'rxauth'
import { field, nothing, one } from '../../flows/samples'
import type { Row, Samples } from '../../flows/samples'
import { opsId } from '../../flows/stage'

const teamId = opsId
const keysOf = (app: ClientApp): Store<readonly Row[]> => app.userApiKeys$
const teamKeysOf = (app: ClientApp): Store<readonly Row[]> => app.teamApiKeys$({ teamId })
const userKey = async (app: ClientApp) => (await app.createUserApiKey({ description: 'ci' })).id
const teamKey = async (app: ClientApp) => (await app.createTeamApiKey({ teamId, description: 'ci' })).id
const keys = '/user-api-keys'

export const samples: Samples = {
  client: {
    createUserApiKey: { fills: ['userApiKeys$'], write: ({ app }) => app.createUserApiKey({ description: 'new' }) },
    updateUserApiKey: {
      fills: ['userApiKey$ userKey', 'userApiKeys$'],
      write: ({ app, ids }) => app.updateUserApiKey({ apiKeyId: ids.userKey, description: 'cd' }),
    },
    revokeUserApiKey: {
      fills: ['userApiKey$ userKey', 'userApiKeys$'],
      write: ({ app, ids }) => app.revokeUserApiKey({ apiKeyId: ids.userKey }),
    },
    createTeamApiKey: {
      fills: ['teamApiKeys$ ops'],
      write: ({ app }) => app.createTeamApiKey({ teamId: opsId, description: 'new' }),
    },
    updateTeamApiKey: {
      fills: ['teamApiKey$ teamKey ops', 'teamApiKeys$ ops'],
      write: ({ app, ids }) => app.updateTeamApiKey({ teamId: opsId, apiKeyId: ids.teamKey, description: 'cd' }),
    },
    revokeTeamApiKey: {
      fills: ['teamApiKey$ teamKey ops', 'teamApiKeys$ ops'],
      write: ({ app, ids }) => app.revokeTeamApiKey({ teamId: opsId, apiKeyId: ids.teamKey }),
    },
  },
  server: {
    createUserApiKeyById: {
      fills: ['userApiKeysOf$ ada'],
      write: ({ app, ids }) => app.createUserApiKeyById({ userId: ids.ada, description: 'new' }),
    },
    updateUserApiKeyById: {
      fills: ['userApiKeyById$ userKey', 'userApiKeysOf$ ada'],
      write: ({ app, ids }) => app.updateUserApiKeyById({ apiKeyId: ids.userKey, description: 'cd' }),
    },
    revokeUserApiKeyById: {
      fills: ['userApiKeyById$ userKey', 'userApiKeysOf$ ada'],
      write: ({ app, ids }) => app.revokeUserApiKeyById({ apiKeyId: ids.userKey }),
    },
    createTeamApiKeyById: {
      fills: ['teamApiKeysOf$ ops'],
      write: ({ app }) => app.createTeamApiKeyById({ teamId: opsId, description: 'new' }),
    },
    updateTeamApiKeyById: {
      fills: ['teamApiKeyById$ teamKey ops', 'teamApiKeysOf$ ops'],
      write: ({ app, ids }) => app.updateTeamApiKeyById({ teamId: opsId, apiKeyId: ids.teamKey, description: 'cd' }),
    },
    revokeTeamApiKeyById: {
      fills: ['teamApiKeyById$ teamKey ops', 'teamApiKeysOf$ ops'],
      write: ({ app, ids }) => app.revokeTeamApiKeyById({ teamId: opsId, apiKeyId: ids.teamKey }),
    },
  },
  reads: ['whyApiKeyInvalid', 'checkUserApiKey', 'checkTeamApiKey'],
  owned: [
    {
      name: 'who creates an API key',
      route: `POST ${keys}`,
      isRepeated: false,
      prepare: nothing,
      store: keysOf,
      write: app => app.createUserApiKey({ description: 'new' }),
      isDone: shown => shown.some(row => field(row, 'description') === 'new'),
    },
    {
      name: 'who renames an API key',
      route: `PATCH ${keys}/{apiKeyId}`,
      isRepeated: false,
      prepare: userKey,
      store: keysOf,
      write: (app, apiKeyId) => app.updateUserApiKey({ apiKeyId, description: 'cd' }),
      isDone: (shown, id) => field(one(shown, id), 'description') === 'cd',
    },
    {
      name: 'who revokes an API key',
      route: `PATCH ${keys}/{apiKeyId}`,
      isRepeated: false,
      prepare: userKey,
      store: keysOf,
      write: (app, apiKeyId) => app.revokeUserApiKey({ apiKeyId }),
      isDone: (shown, id) => field(one(shown, id), 'manuallyRevokedAt') instanceof Date,
    },
    {
      name: "who creates a team's API key",
      route: 'POST /team-api-keys',
      isRepeated: false,
      prepare: nothing,
      store: teamKeysOf,
      write: app => app.createTeamApiKey({ teamId, description: 'new' }),
      isDone: shown => shown.some(row => field(row, 'description') === 'new'),
    },
    {
      name: "who revokes a team's API key",
      route: 'PATCH /team-api-keys/{apiKeyId}',
      isRepeated: false,
      prepare: teamKey,
      store: teamKeysOf,
      write: (app, apiKeyId) => app.revokeTeamApiKey({ teamId, apiKeyId }),
      isDone: (shown, id) => field(one(shown, id), 'manuallyRevokedAt') instanceof Date,
    },
    {
      name: "who renames a team's API key",
      route: 'PATCH /team-api-keys/{apiKeyId}',
      isRepeated: false,
      prepare: teamKey,
      store: teamKeysOf,
      write: (app, apiKeyId) => app.updateTeamApiKey({ teamId, apiKeyId, description: 'cd' }),
      isDone: (shown, id) => field(one(shown, id), 'description') === 'cd',
    },
  ],
}
