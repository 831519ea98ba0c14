import type { ReactNode } from 'react'
import { useStore } from 'rxauth/react'
import { ActionRow, ListOf } from '../../ui/rows'
import { PageHeading, Section } from '../../ui/section'
import { AddOne } from '../add-one'
import { useProject } from '../project/project-context'
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
      <Section
        title="Default permissions"
        description="New users and members get these permissions. Changes do not affect existing ones."
      >
        {occasions.map(occasion => (
          <Occasion key={occasion.setting} {...occasion} />
        ))}
      </Section>
    </>
  )
}

/** The occasions on which permissions are granted, as the buttons and lists below name them. */
const occasions = [
  { setting: 'teamCreatorDefaultPermissions', title: 'When creating a team', who: 'team creators', scope: 'team' },
  { setting: 'teamMemberDefaultPermissions', title: 'When joining a team', who: 'new members', scope: 'team' },
  { setting: 'userDefaultPermissions', title: 'When signing up', who: 'new users', scope: 'project' },
] as const

/** The permissions that new users or members are granted. */
function Occasion({ setting, title, who, scope }: (typeof occasions)[number]): ReactNode {
  const { app, project } = useProject()
  const definitions = useStore(scope === 'team' ? app.teamPermissionDefinitions$ : app.projectPermissionDefinitions$)
  const granted = project.config[setting].map(({ id }) => id)
  const save = (ids: readonly string[]) => app.updateProject({ config: { [setting]: ids.map(id => ({ id })) } })
  const all = definitions.status === 'ready' ? definitions.value : []
  return (
    <div className="auth-stack snug">
      <h3>{title}</h3>
      <ListOf label={`Granted to ${who}`} items={granted} empty="No permissions.">
        {id => (
          <ActionRow
            key={id}
            title={<code>{id}</code>}
            button="Remove"
            name={`Remove ${id} for ${who}`}
            run={() => save(granted.filter(each => each !== id))}
          />
        )}
      </ListOf>
      <AddOne
        label={`Another permission for ${who}`}
        options={all.filter(({ id }) => !granted.includes(id)).map(({ id }) => ({ value: id, label: id }))}
        button="Add"
        name={`Add for ${who}`}
        add={id => save([...granted, id])}
      />
    </div>
  )
}
