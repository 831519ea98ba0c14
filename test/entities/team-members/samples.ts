import type { Samples } from '../../flows/samples'
import { elseId, opsId } from '../../flows/stage'
import { withoutOps } from '../teams/samples'

export const samples: Samples = {
  client: {
    leaveTeam: {
      fills: withoutOps,
      prepare: ({ app }) => app.selectTeam({ teamId: opsId }),
      write: ({ app }) => app.leaveTeam({ teamId: opsId }),
    },
    removeTeamMember: {
      fills: ['teamMemberProfile$ ops grace', 'teamMembers$ ops'],
      write: ({ app, ids }) => app.removeTeamMember({ teamId: opsId, userId: ids.grace }),
    },
    'removeTeamMember, oneself': {
      fills: withoutOps,
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
}
