import { anyUser$, view } from 'rxauth'
import { field, nothing, one } from '../../flows/samples'
import type { Samples } from '../../flows/samples'
import { labId, opsId } from '../../flows/stage'

const teamId = opsId
/** The selected team, as a list of one. */
const selection$ = view(anyUser$, user =>
  user ? [{ id: user.id, teamId: user.selectedTeamId, name: user.selectedTeam?.displayName }] : [],
)

export const samples: Samples = {
  client: {
    createTeam: { fills: ['teams$'], write: ({ app }) => app.createTeam({ displayName: 'New' }) },
    updateTeam: {
      fills: ['anyUser$', 'team$ ops', 'teams$', 'user$'],
      prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
      write: ({ app }) => app.updateTeam({ teamId: opsId, displayName: 'Operations' }),
    },
    deleteTeam: {
      fills: [
        'anyUser$',
        'team$ ops',
        'teamApiKey$ teamKey ops',
        'teamApiKeys$ ops',
        'teamInvitations$ ops',
        'teams$',
        'user$',
      ],
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
  owned: [
    {
      name: 'who creates a team',
      route: 'POST /teams',
      isRepeated: false,
      prepare: nothing,
      store: app => app.teams$,
      write: app => app.createTeam({ displayName: 'New' }),
      isDone: shown => shown.some(row => field(row, 'displayName') === 'New'),
    },
    {
      name: 'who renames a team',
      route: 'PATCH /teams/{teamId}',
      isRepeated: false,
      prepare: nothing,
      store: app => app.teams$,
      write: app => app.updateTeam({ teamId, displayName: 'Operations' }),
      isDone: shown => field(one(shown, teamId), 'displayName') === 'Operations',
    },
    {
      name: 'who selects a team',
      route: 'PATCH /users/me',
      isRepeated: false,
      // A team that the kit knows is shown at once.
      prepare: async app => (await app.teams$.get())[0]!.id,
      store: app => selection$(app),
      write: (app, id) => app.selectTeam({ teamId: id }),
      isDone: (shown, id) => field(shown[0], 'teamId') === id && field(shown[0], 'name') === 'Ops',
    },
    {
      name: 'who deletes a team',
      route: 'DELETE /teams/{teamId}',
      isRepeated: true,
      prepare: nothing,
      store: app => app.teams$,
      write: app => app.deleteTeam({ teamId }),
      isDone: shown => one(shown, teamId) === undefined,
    },
  ],
}
