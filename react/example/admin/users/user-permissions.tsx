import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { AddOne } from '../add-one'
import { ListOf } from '../../ui/rows'
import { PermissionRow } from '../permissions/permission-row'
import { useProject } from '../project/project-context'

interface Permission {
  readonly id: string
}

interface PermissionChange {
  readonly permissionId: string
}

/** The project or one team, in which a user has permissions. */
interface UserPermissionScope {
  /** As headings and labels name it: "in Support". */
  readonly where: string
  readonly definitions: Store<readonly Permission[]>
  /** The permissions that the user is granted here. */
  readonly granted: Store<readonly Permission[]>
  /** With the permissions that those contain. */
  readonly all: Store<readonly Permission[]>
  readonly grant: (change: PermissionChange) => Promise<unknown>
  readonly revoke: (change: PermissionChange) => Promise<unknown>
}

/** The permissions of a user in the whole project and in each team. */
export function UserPermissions({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const teams = useStore(app.teamsOf$({ userId }))
  const inTeams = teams.status === 'ready' ? teams.value : []
  return (
    <Section
      title="Permissions"
      description="A permission that another one contains is revoked together with that one."
    >
      <ScopePermissions
        scope={{
          where: 'in the whole project',
          definitions: app.projectPermissionDefinitions$,
          granted: app.projectPermissionsOf$({ userId, recursive: false }),
          all: app.projectPermissionsOf$({ userId, recursive: true }),
          grant: change => app.grantProjectPermission({ userId, ...change }),
          revoke: change => app.revokeProjectPermission({ userId, ...change }),
        }}
      />
      {inTeams.map(({ id: teamId, displayName }) => (
        <ScopePermissions
          key={teamId}
          scope={{
            where: `in ${displayName}`,
            definitions: app.teamPermissionDefinitions$,
            granted: app.teamPermissionsOf$({ userId, teamId, recursive: false }),
            all: app.teamPermissionsOf$({ userId, teamId, recursive: true }),
            grant: change => app.grantTeamPermission({ userId, teamId, ...change }),
            revoke: change => app.revokeTeamPermission({ userId, teamId, ...change }),
          }}
        />
      ))}
    </Section>
  )
}

function ScopePermissions({ scope }: { readonly scope: UserPermissionScope }): ReactNode {
  const { where, grant, revoke } = scope
  const all = useStore(scope.all)
  const definitions = useStore(scope.definitions)
  return (
    <div className="auth-stack snug">
      <h3>{`Permissions ${where}`}</h3>
      <WithStore store={scope.granted} label="Permissions">
        {granted => {
          const isGranted = ({ id }: Permission) => granted.some(each => each.id === id)
          const contained = all.status === 'ready' ? all.value.filter(each => !isGranted(each)) : []
          return (
            <>
              <ListOf label={`Permissions ${where}`} items={granted} empty="No permissions.">
                {({ id }) => (
                  <PermissionRow
                    key={id}
                    id={id}
                    button="Revoke"
                    name={`Revoke ${id} ${where}`}
                    remove={() => revoke({ permissionId: id })}
                  />
                )}
              </ListOf>
              {contained.length > 0 && (
                <p className="fine dim">Contained in these: {contained.map(({ id }) => id).join(', ')}</p>
              )}
              {definitions.status === 'ready' && (
                <AddOne
                  label={`Another permission ${where}`}
                  options={definitions.value
                    .filter(each => !isGranted(each))
                    .map(({ id }) => ({ value: id, label: id }))}
                  button="Grant"
                  name={`Grant ${where}`}
                  none="There is no other permission to grant."
                  add={permissionId => grant({ permissionId })}
                />
              )}
            </>
          )
        }}
      </WithStore>
    </div>
  )
}
