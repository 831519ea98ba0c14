import { PageHeading } from '../../ui/page-heading'
import type { ReactNode } from 'react'
import { useProject } from '../project/project-context'
import { DefaultPermissions } from './default-permissions'
import { Definitions } from './definitions'

/** The permissions of the project, and which contain which. */
export function Permissions(): ReactNode {
  const { app } = useProject()
  return (
    <>
      <PageHeading title="Permissions" />
      <Definitions
        title="Permissions in teams"
        where="in teams"
        description="A member has them in one team. Those that begin with $ are the platform's own."
        store={app.teamPermissionDefinitions$}
        actions={{
          create: app.createTeamPermissionDefinition,
          update: app.updateTeamPermissionDefinition,
          remove: app.deleteTeamPermissionDefinition,
        }}
      />
      <Definitions
        title="Permissions in the whole project"
        where="in the whole project"
        description="A user has them in the whole project."
        store={app.projectPermissionDefinitions$}
        actions={{
          create: app.createProjectPermissionDefinition,
          update: app.updateProjectPermissionDefinition,
          remove: app.deleteProjectPermissionDefinition,
        }}
      />
      <DefaultPermissions />
    </>
  )
}
