import { Button, Code, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useStore } from 'rxauth/react'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'

/** The permissions of a user in the whole project and in each team. */
export function UserPermissions({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const teams = useStore(app.teamsOf$({ userId }))
  return (
    <Section
      title="Permissions"
      description="You can revoke a permission that is granted directly. A permission that another one contains ends with that one."
    >
      <ScopePermissions userId={userId} />
      {teams.status === 'ready' &&
        teams.value.map(({ id, displayName }) => (
          <ScopePermissions key={id} userId={userId} team={{ id, displayName }} />
        ))}
    </Section>
  )
}

interface ScopeProps {
  readonly userId: string
  /** Absent for the whole project. */
  readonly team?: { readonly id: string; readonly displayName: string }
}

interface Permission {
  readonly id: string
}

function ScopePermissions({ userId, team }: ScopeProps): ReactNode {
  const { app } = useProject()
  const of = (recursive: boolean) =>
    team
      ? app.teamPermissionsOf$({ userId, teamId: team.id, recursive })
      : app.projectPermissionsOf$({ userId, recursive })
  const all = useStore<readonly Permission[]>(of(true))
  return (
    <Stack gap="xs">
      <Title order={3} size="sm" className="breakable">
        {team ? `In the team ${team.displayName}` : 'In the whole project'}
      </Title>
      <WithStore<readonly Permission[]> store={of(false)} label="Permissions">
        {granted => {
          const contained =
            all.status === 'ready' ? all.value.filter(({ id }) => !granted.some(each => each.id === id)) : []
          return (
            <>
              {granted.length === 0 ? (
                <Text size="sm" c="dimmed">
                  Nothing is granted.
                </Text>
              ) : (
                <Rows label={team ? `Permissions in ${team.displayName}` : 'Permissions in the whole project'}>
                  {granted.map(({ id }) => (
                    <GrantedRow key={id} permissionId={id} userId={userId} {...(team && { team })} />
                  ))}
                </Rows>
              )}
              {contained.length > 0 && (
                <Text size="xs" c="dimmed" className="breakable">
                  Contained in these: {contained.map(({ id }) => id).join(', ')}
                </Text>
              )}
              <GrantForm userId={userId} granted={granted} {...(team && { team })} />
            </>
          )
        }}
      </WithStore>
    </Stack>
  )
}

function GrantedRow({ userId, team, permissionId }: ScopeProps & { readonly permissionId: string }): ReactNode {
  const { app } = useProject()
  const revoke = useAction(() =>
    team
      ? app.revokeTeamPermission({ userId, teamId: team.id, permissionId })
      : app.revokeProjectPermission({ userId, permissionId }),
  )
  return (
    <Row>
      <Group justify="space-between" gap="sm">
        <Code>{permissionId}</Code>
        <Button
          size="xs"
          variant="default"
          aria-label={team ? `Revoke ${permissionId} in ${team.displayName}` : `Revoke ${permissionId}`}
          loading={revoke.status === 'running'}
          onClick={() => void revoke.run().catch(() => undefined)}
        >
          Revoke
        </Button>
      </Group>
      <Problem of={revoke} />
    </Row>
  )
}

function GrantForm({ userId, team, granted }: ScopeProps & { readonly granted: readonly Permission[] }): ReactNode {
  const { app } = useProject()
  const definitions = useStore(team ? app.teamPermissionDefinitions$ : app.projectPermissionDefinitions$)
  const [chosen, setChosen] = useState('')
  const grant = useAction((permissionId: string): Promise<unknown> =>
    team
      ? app.grantTeamPermission({ userId, teamId: team.id, permissionId })
      : app.grantProjectPermission({ userId, permissionId }),
  )
  if (definitions.status !== 'ready') return null
  const others = definitions.value.filter(({ id }) => !granted.some(each => each.id === id))
  const permission = others.find(({ id }) => id === chosen) ?? others[0]
  if (!permission)
    return (
      <Text size="xs" c="dimmed">
        There is no other permission to grant.
      </Text>
    )
  return (
    <>
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label={team ? `Another permission in ${team.displayName}` : 'Another permission in the whole project'}
          size="md"
          flex="1 1 12rem"
          maw={400}
          value={permission.id}
          data={others.map(({ id }) => id)}
          onChange={event => setChosen(event.currentTarget.value)}
        />
        <Button
          size="md"
          variant="default"
          aria-label={team ? `Grant in ${team.displayName}` : 'Grant in the whole project'}
          loading={grant.status === 'running'}
          onClick={() => void grant.run(permission.id).catch(() => undefined)}
        >
          Grant
        </Button>
      </Group>
      <Problem of={grant} />
    </>
  )
}
