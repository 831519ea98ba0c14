import type { AdminApp } from 'rxauth/admin'
import { Button, Checkbox, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { PermissionDefinition } from 'rxauth/admin'
import { useAction } from 'rxauth/react'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { Problem } from '../../ui/problem'

/** The actions on definitions of one kind. */
export interface DefinitionActions {
  readonly create: AdminApp['createTeamPermissionDefinition']
  readonly update: AdminApp['updateTeamPermissionDefinition']
  readonly remove: AdminApp['deleteTeamPermissionDefinition']
}

interface Props {
  /** Absent for a new one. */
  readonly definition?: PermissionDefinition
  readonly all: readonly PermissionDefinition[]
  readonly actions: DefinitionActions
  readonly onClose: () => void
}

interface Values {
  readonly id: string
  readonly description: string
  readonly containedPermissionIds: string[]
}

/** Edits a permission's id, description and contained permissions. */
export function DefinitionForm({ definition, all, actions, onClose }: Props): ReactNode {
  const form = useForm<Values>({
    initialValues: {
      id: definition?.id ?? '',
      description: definition?.description ?? '',
      containedPermissionIds: definition?.containedPermissionIds ?? [],
    },
    transformValues: values => ({ ...values, id: values.id.trim(), description: values.description.trim() }),
    validate: {
      id: value => (/^[a-z0-9_:]+$/.test(value.trim()) ? null : 'Use lower-case letters, digits, _ and :.'),
    },
  })
  const save = useAction(async (values: Values) => {
    const result = definition
      ? await actions.update({ permissionId: definition.id, ...values })
      : await actions.create(values)
    if (result.ok) onClose()
    return result
  })
  const isBusy = save.status === 'running'
  const others = all.filter(({ id }) => id !== definition?.id)
  return (
    <form
      noValidate
      aria-label={definition ? 'Edit the permission' : 'Create a permission'}
      onSubmit={form.onSubmit(values => {
        if (!isBusy) void save.run(values).catch(() => undefined)
      }, focusFirstProblem(form))}
    >
      <Stack gap="md">
        <TextInput
          label="Id"
          description={
            definition ? 'Renamed, users keep it; your code has to ask for the new id.' : 'What your code asks for.'
          }
          placeholder="manage_billing"
          autoComplete="off"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('id')}
        />
        <TextInput label="Description" autoComplete="off" {...form.getInputProps('description')} />
        {others.length > 0 && (
          <Checkbox.Group
            label="Contains"
            description="A user with this permission has these, too."
            {...form.getInputProps('containedPermissionIds')}
          >
            <ScrollArea.Autosize mah={220} mt={4} type="auto">
              <Stack gap="xs">
                {others.map(({ id }) => (
                  <Checkbox key={id} value={id} label={id} />
                ))}
              </Stack>
            </ScrollArea.Autosize>
          </Checkbox.Group>
        )}
        {others.length === 0 && (
          <Text size="sm" c="dimmed">
            There is no other permission that it could contain.
          </Text>
        )}
        <Problem of={save} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {definition ? 'Save permission' : 'Create permission'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
