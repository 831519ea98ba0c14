import { Button, Code, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction, useStore } from 'rxauth/react'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'

type Setting = Extract<keyof OwnedProject['config'], `${string}DefaultPermissions`>

/** Who gets the permissions, as the buttons and lists below name it. */
const kinds = [
  { setting: 'teamCreatorDefaultPermissions', title: 'Who creates a team', who: 'team creators', scope: 'team' },
  { setting: 'teamMemberDefaultPermissions', title: 'Who joins a team', who: 'new members', scope: 'team' },
  { setting: 'userDefaultPermissions', title: 'Who signs up', who: 'new users', scope: 'project' },
] as const

/** The permissions that new users and members are granted. */
export function DefaultPermissions(): ReactNode {
  const { app } = useProject()
  return (
    <Section
      title="Granted by default"
      description="Changes apply to new users and members. Permissions that were granted before stay."
    >
      <WithStore store={app.adminProject$} label="Default permissions" gap="lg">
        {({ config }) =>
          kinds.map(kind => <OneKind key={kind.setting} {...kind} granted={config[kind.setting].map(({ id }) => id)} />)
        }
      </WithStore>
    </Section>
  )
}

interface Props {
  readonly setting: Setting
  readonly title: string
  readonly who: string
  readonly scope: 'team' | 'project'
  readonly granted: readonly string[]
}

function OneKind({ setting, title, who, scope, granted }: Props): ReactNode {
  const { app } = useProject()
  const definitions = useStore(scope === 'team' ? app.teamPermissionDefinitions$ : app.projectPermissionDefinitions$)
  const [chosen, setChosen] = useState('')
  const change = useAction((ids: readonly string[]) =>
    app.updateProject({ config: { [setting]: ids.map(id => ({ id })) } }),
  )
  const set = (ids: readonly string[]) => void change.run(ids).catch(() => undefined)
  const others = definitions.status === 'ready' ? definitions.value.filter(({ id }) => !granted.includes(id)) : []
  const permission = others.find(({ id }) => id === chosen) ?? others[0]
  return (
    <Stack gap="xs">
      <Title order={3} size="sm">
        {title}
      </Title>
      {granted.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing is granted.
        </Text>
      ) : (
        <Rows label={`Granted to ${who}`}>
          {granted.map(id => (
            <Row key={id}>
              <Group justify="space-between" gap="sm">
                <Code>{id}</Code>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Remove ${id} for ${who}`}
                  onClick={() => set(granted.filter(each => each !== id))}
                >
                  Remove
                </Button>
              </Group>
            </Row>
          ))}
        </Rows>
      )}
      {permission && (
        <Group gap="sm" align="flex-end">
          <NativeSelect
            label={`Another permission for ${who}`}
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
            aria-label={`Add for ${who}`}
            onClick={() => set([...granted, permission.id])}
          >
            Add
          </Button>
        </Group>
      )}
      <Problem of={change} />
    </Stack>
  )
}
