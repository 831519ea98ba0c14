import type { ReactNode } from 'react'
import { PageHeading } from '../../ui/page-heading'
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
        title="Team permissions"
        where="in teams"
        description="Granted to a member in one team. Permissions that begin with $ are built in."
        store={app.teamPermissionDefinitions$}
        actions={{
          create: app.createTeamPermissionDefinition,
          update: app.updateTeamPermissionDefinition,
          remove: app.deleteTeamPermissionDefinition,
        }}
      />
      <Definitions
        title="Project permissions"
        where="in the whole project"
        description="Granted to a user in the whole project."
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
