import type { Samples } from '../../flows/samples'
import { opsId } from '../../flows/stage'

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
}
