import type { Samples } from '../../flows/samples'
import { labId, opsId } from '../../flows/stage'

/** The stores of the user that show the end of the selected team, or of the membership. */
export const withoutOps = [
  ...[
    'anyUser$',
    'team$ ops',
    'teamApiKey$ teamKey ops',
    'teamApiKeys$ ops',
    'teamInvitations$ ops',
    'teams$',
    'user$',
  ],
]

export const samples: Samples = {
  client: {
    createTeam: { fills: ['teams$'], write: ({ app }) => app.createTeam({ displayName: 'New' }) },
    updateTeam: {
      fills: ['anyUser$', 'team$ ops', 'teams$', 'user$'],
      prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
      write: ({ app }) => app.updateTeam({ teamId: opsId, displayName: 'Operations' }),
    },
    deleteTeam: {
      fills: withoutOps,
      prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
      write: ({ app }) => app.deleteTeam({ teamId: opsId }),
    },
    selectTeam: { fills: ['anyUser$', 'user$'], write: ({ app }) => app.selectTeam({ teamId: labId }) },
    'selectTeam, none': {
      fills: ['anyUser$', 'user$'],
      prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
      write: ({ app }) => app.selectTeam({ teamId: null }),
    },
  },
  server: {
    createTeamById: {
      fills: ['allTeams$'],
      write: ({ app, ids }) => app.createTeamById({ displayName: 'New', creatorUserId: ids.ada }),
    },
    'createTeamById, without a creator': {
      fills: ['allTeams$'],
      write: ({ app }) => app.createTeamById({ displayName: 'New' }),
    },
    updateTeamById: {
      fills: ['allTeams$', 'teamById$ ops', 'teamsOf$ ada', 'teamsOf$ grace'],
      prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
      write: ({ app }) => app.updateTeamById({ teamId: opsId, displayName: 'Operations' }),
    },
    deleteTeamById: {
      fills: [
        'allTeams$',
        'teamApiKeyById$ teamKey ops',
        'teamApiKeysOf$ ops',
        'teamById$ ops',
        'teamInvitationsOf$ ops',
        'teamMembersOf$ ops',
        'teamsOf$ ada',
        'teamsOf$ grace',
      ],
      prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
      write: ({ app }) => app.deleteTeamById({ teamId: opsId }),
    },
  },
}
