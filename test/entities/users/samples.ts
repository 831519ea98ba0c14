import type { Samples } from '../../flows/samples'
import { labId } from '../../flows/stage'

export const samples: Samples = {
  client: {
    updateUser: {
      fills: ['anyUser$', 'user$'],
      write: ({ app }) => app.updateUser({ displayName: 'Countess', clientMetadata: { theme: 'dark' } }),
    },
    deleteUser: { write: ({ app }) => app.deleteUser() },
  },
  server: {
    createUser: { write: ({ app }) => app.createUser({ primaryEmail: 'born@example.com', displayName: 'Born' }) },
    updateUserById: {
      fills: ['userById$ ada'],
      write: ({ app, ids }) => app.updateUserById({ userId: ids.ada, displayName: 'Countess' }),
    },
    'updateUserById, the address': {
      fills: ['userById$ ada'],
      write: ({ app, ids }) =>
        app.updateUserById({ userId: ids.ada, primaryEmail: 'new@example.com', primaryEmailVerified: true }),
    },
    'updateUserById, the password': {
      write: ({ app, ids }) => app.updateUserById({ userId: ids.grace, password: 'battery staple' }),
    },
    'updateUserById, the selected team': {
      fills: ['userById$ ada'],
      write: ({ app, ids }) => app.updateUserById({ userId: ids.ada, selectedTeamId: labId }),
    },
    deleteUserById: { write: ({ app, ids }) => app.deleteUserById({ userId: ids.grace }) },
    'deleteUserById, oneself': { write: ({ app, ids }) => app.deleteUserById({ userId: ids.ada }) },
    updateOwnUser: { write: ({ app }) => app.updateOwnUser({ displayName: 'Countess', serverMetadata: { plan: 1 } }) },
    'updateOwnUser, the address': { write: ({ app }) => app.updateOwnUser({ primaryEmail: 'new@example.com' }) },
    'updateOwnUser, the selected team': { write: ({ app }) => app.updateOwnUser({ selectedTeamId: labId }) },
    deleteOwnUser: { write: ({ app }) => app.deleteOwnUser() },
  },
  reads: ['listUsers'],
}
