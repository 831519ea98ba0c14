import { createOwnedProject, transferOwnedProject } from 'rxauth'
import type { Samples } from '../../flows/samples'
import { labId, opsId } from '../../flows/stage'

export const samples: Samples = {
  client: {
    transferOwnedProject: {
      wire: '2026',
      prepare: async ({ app }) => (await createOwnedProject(app, { displayName: 'Engine', ownerTeamId: opsId })).id,
      write: ({ app }, projectId: string) => transferOwnedProject(app, { projectId, newTeamId: labId }),
    },
    createOwnedProject: {
      fills: ['ownedProjects$'],
      write: ({ app }) => createOwnedProject(app, { displayName: 'New' }),
    },
  },
  admin: {
    updateProject: {
      fills: ['adminProject$'],
      write: ({ app }) => app.updateProject({ displayName: 'Shop', config: { passkeyEnabled: false } }),
    },
  },
  reads: ['deleteProject', 'checkFeatureSupport'],
}
