import type { Samples } from '../../flows/samples'

export const samples: Samples = {
  admin: {
    createTeamPermissionDefinition: {
      fills: ['teamPermissionDefinitions$'],
      write: ({ app }) => app.createTeamPermissionDefinition({ id: 'edit', containedPermissionIds: ['$update_team'] }),
    },
    'updateTeamPermissionDefinition, what it contains': {
      fills: ['teamPermissionDefinitions$'],
      write: ({ app }) =>
        app.updateTeamPermissionDefinition({ permissionId: 'team_member', containedPermissionIds: ['$update_team'] }),
    },
    'updateTeamPermissionDefinition, its id': {
      fills: ['teamPermissionDefinitions$'],
      write: ({ app }) => app.updateTeamPermissionDefinition({ permissionId: 'team_member', id: 'mate' }),
    },
    deleteTeamPermissionDefinition: {
      fills: ['teamPermissionDefinitions$'],
      write: ({ app }) => app.deleteTeamPermissionDefinition({ permissionId: 'team_member' }),
    },
    createProjectPermissionDefinition: {
      fills: ['projectPermissionDefinitions$'],
      write: ({ app }) => app.createProjectPermissionDefinition({ id: 'draft' }),
    },
    'updateProjectPermissionDefinition, what it contains': {
      fills: ['projectPermissionDefinitions$'],
      async prepare({ app, ids }) {
        await app.createProjectPermissionDefinition({ id: 'draft' })
        await app.grantProjectPermission({ userId: ids.ada, permissionId: 'publish' })
      },
      write: ({ app }) =>
        app.updateProjectPermissionDefinition({ permissionId: 'publish', containedPermissionIds: ['draft'] }),
    },
    'updateProjectPermissionDefinition, its id': {
      fills: ['projectPermissionDefinitions$'],
      prepare: ({ app, ids }) => app.grantProjectPermission({ userId: ids.ada, permissionId: 'publish' }),
      write: ({ app }) => app.updateProjectPermissionDefinition({ permissionId: 'publish', id: 'post' }),
    },
    deleteProjectPermissionDefinition: {
      fills: ['projectPermissionDefinitions$'],
      prepare: ({ app, ids }) => app.grantProjectPermission({ userId: ids.ada, permissionId: 'publish' }),
      write: ({ app }) => app.deleteProjectPermissionDefinition({ permissionId: 'publish' }),
    },
  },
}
