import type { ClientApp, Store } from 'rxauth'
import { field, nothing, one } from '../../flows/samples'
import type { Row, Samples } from '../../flows/samples'
import { elseId, opsId } from '../../flows/stage'

const teamId = opsId
const membersOf = (app: ClientApp): Store<readonly Row[]> => app.teamMembers$({ teamId })

export const samples: Samples = {
  client: {
    leaveTeam: {
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
      write: ({ app }) => app.leaveTeam({ teamId: opsId }),
    },
    removeTeamMember: {
      fills: ['teamMemberProfile$ ops grace', 'teamMembers$ ops'],
      write: ({ app, ids }) => app.removeTeamMember({ teamId: opsId, userId: ids.grace }),
    },
    'removeTeamMember, oneself': {
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
      write: ({ app, ids }) => app.removeTeamMember({ teamId: opsId, userId: ids.ada }),
    },
    updateOwnTeamProfile: {
      fills: ['ownTeamProfile$ ops', 'teamMemberProfile$ ops ada', 'teamMembers$ ops'],
      write: ({ app }) => app.updateOwnTeamProfile({ teamId: opsId, displayName: 'Admiral' }),
    },
  },
  server: {
    addTeamMemberById: { write: ({ app, ids }) => app.addTeamMemberById({ teamId: elseId, userId: ids.ada }) },
    removeTeamMemberById: {
      fills: ['teamMemberProfileById$ ops ada', 'teamMembersOf$ ops'],
      prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
      write: ({ app, ids }) => app.removeTeamMemberById({ teamId: opsId, userId: ids.ada }),
    },
    'removeTeamMemberById, of another user': {
      fills: ['teamMemberProfileById$ ops grace', 'teamMembersOf$ ops'],
      write: ({ app, ids }) => app.removeTeamMemberById({ teamId: opsId, userId: ids.grace }),
    },
    updateTeamMemberProfileById: {
      fills: ['teamMemberProfileById$ ops ada'],
      write: ({ app, ids }) =>
        app.updateTeamMemberProfileById({ teamId: opsId, userId: ids.ada, displayName: 'Admiral' }),
    },
  },
  owned: [
    {
      name: 'who leaves a team',
      route: 'DELETE /team-memberships/{teamId}/{userId}',
      isRepeated: true,
      prepare: nothing,
      store: app => app.teams$,
      write: app => app.leaveTeam({ teamId }),
      isDone: shown => one(shown, teamId) === undefined,
    },
    {
      name: 'who removes a user from a team',
      route: 'DELETE /team-memberships/{teamId}/{userId}',
      isRepeated: true,
      prepare: async app => (await app.teamMembers$({ teamId }).get()).at(-1)!.userId,
      store: membersOf,
      write: (app, userId) => app.removeTeamMember({ teamId, userId }),
      isDone: (shown, userId) => !shown.some(row => field(row, 'userId') === userId),
    },
    {
      name: 'who has another name in a team',
      route: 'PATCH /team-member-profiles/{teamId}/{userId}',
      isRepeated: false,
      prepare: nothing,
      store: membersOf,
      write: app => app.updateOwnTeamProfile({ teamId, displayName: 'Admiral' }),
      isDone: shown => shown.some(row => field(row, 'displayName') === 'Admiral'),
    },
  ],
}
