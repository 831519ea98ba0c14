import type { Samples } from '../../flows/samples'
import { labId, opsId } from '../../flows/stage'

const grants = { teamId: labId, permissionId: 'team_admin' }

export const samples: Samples = {
  server: {
    grantTeamPermission: { write: ({ app, ids }) => app.grantTeamPermission({ ...grants, userId: ids.ada }) },
    revokeTeamPermission: {
      write: ({ app, ids }) => app.revokeTeamPermission({ ...grants, teamId: opsId, userId: ids.ada }),
    },
    grantProjectPermission: {
      write: ({ app, ids }) => app.grantProjectPermission({ userId: ids.ada, permissionId: 'publish' }),
    },
    revokeProjectPermission: {
      prepare: ({ app, ids }) => app.grantProjectPermission({ userId: ids.ada, permissionId: 'publish' }),
      write: ({ app, ids }) => app.revokeProjectPermission({ userId: ids.ada, permissionId: 'publish' }),
    },
  },
  reads: ['can', 'isPermitted'],
}
