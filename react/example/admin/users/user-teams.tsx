import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import { TextLink } from '../../ui/button'
import { ConfirmButton } from '../../ui/dialog'
import { ActionRow, ListOf, Row, StoreList } from '../../ui/rows'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { AddOne } from '../add-one'
import { useProject } from '../project/project-context'
import type { OfUser } from './user-row'

/** The user's teams, with a form to add the user to others. */
export function UserTeams({ userId, name }: OfUser): ReactNode {
  const { app, base } = useProject()
  return (
    <Section title="Teams">
      <StoreList store={app.teamsOf$({ userId })} label="Teams" empty="The user is in no team.">
        {({ id: teamId, displayName }) => (
          <Row
            key={teamId}
            title={<TextLink to={`${base}/teams/${teamId}`}>{displayName}</TextLink>}
            action={
              <ConfirmButton
                label="Remove"
                aria-label={`Remove from ${displayName}`}
                question="Remove from this team?"
                consequence={`${name} will no longer be a member of ${displayName}, and loses the permissions there.`}
                answer="Remove from team"
                run={() => app.removeTeamMemberById({ teamId, userId })}
              />
            }
          />
        )}
      </StoreList>
      <AddToTeam userId={userId} />
    </Section>
  )
}

function AddToTeam({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const all = useStore(app.allTeams$)
  const own = useStore(app.teamsOf$({ userId }))
  if (all.status !== 'ready' || own.status !== 'ready') return null
  const others = all.value.filter(({ id }) => !own.value.some(team => team.id === id))
  return (
    <AddOne
      label="Another team"
      options={others.map(({ id, displayName }) => ({ value: id, label: displayName }))}
      button="Add to team"
      none="There is no other team to add the user to."
      add={teamId => app.addTeamMemberById({ teamId, userId })}
    />
  )
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
        where="in the whole project"
        definitions={app.projectPermissionDefinitions$}
        granted={app.projectPermissionsOf$({ userId, recursive: false })}
        all={app.projectPermissionsOf$({ userId, recursive: true })}
        grant={permissionId => app.grantProjectPermission({ userId, permissionId })}
        revoke={permissionId => app.revokeProjectPermission({ userId, permissionId })}
      />
      {inTeams.map(({ id: teamId, displayName }) => (
        <ScopePermissions
          key={teamId}
          where={`in ${displayName}`}
          definitions={app.teamPermissionDefinitions$}
          granted={app.teamPermissionsOf$({ userId, teamId, recursive: false })}
          all={app.teamPermissionsOf$({ userId, teamId, recursive: true })}
          grant={permissionId => app.grantTeamPermission({ userId, teamId, permissionId })}
          revoke={permissionId => app.revokeTeamPermission({ userId, teamId, permissionId })}
        />
      ))}
    </Section>
  )
}

type Permissions = Store<readonly { readonly id: string }[]>

interface ScopeProps {
  /** As headings and labels name it: "in Support". */
  readonly where: string
  readonly definitions: Permissions
  /** The permissions that the user is granted here. */
  readonly granted: Permissions
  /** With the permissions that those contain. */
  readonly all: Permissions
  readonly grant: (permissionId: string) => Promise<unknown>
  readonly revoke: (permissionId: string) => Promise<unknown>
}

/** The permissions of a user in the project or in one team. */
function ScopePermissions({ where, granted, grant, revoke, ...stores }: ScopeProps): ReactNode {
  const all = useStore(stores.all)
  const definitions = useStore(stores.definitions)
  return (
    <div className="auth-stack snug">
      <h3>{`Permissions ${where}`}</h3>
      <WithStore store={granted} label="Permissions">
        {granted => {
          const isGranted = (permission: { readonly id: string }) => granted.some(({ id }) => id === permission.id)
          const contained = all.status === 'ready' ? all.value.filter(each => !isGranted(each)) : []
          return (
            <>
              <ListOf label={`Permissions ${where}`} items={granted} empty="No permissions.">
                {({ id }) => (
                  <ActionRow
                    key={id}
                    title={<code>{id}</code>}
                    button="Revoke"
                    name={`Revoke ${id} ${where}`}
                    run={() => revoke(id)}
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
                  add={grant}
                />
              )}
            </>
          )
        }}
      </WithStore>
    </div>
  )
}
