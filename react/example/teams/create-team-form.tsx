import { Button, Group, Stack, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { go } from '../app/navigation'
import { focusFirstProblem } from '../ui/focus-first-problem'
import { problemOf } from '../ui/problem'

interface Props {
  readonly onCreated: () => void
  readonly onCancel: () => void
}

/** Creates a team, and selects it. */
export function CreateTeamForm({ onCreated, onCancel }: Props): ReactNode {
  const app = useApp()
  const form = useForm({
    initialValues: { displayName: '' },
    validate: { displayName: isNotEmpty('Give the team a name.') },
    transformValues: ({ displayName }) => ({ displayName: displayName.trim() }),
    onValuesChange: () => create.status === 'failed' && create.reset(),
  })
  const create = useAction(async (team: { displayName: string }) => {
    const { id: teamId } = await app.createTeam(team)
    await app.selectTeam({ teamId })
    go('/team')
    onCreated()
  })
  const isBusy = create.status === 'running'
  return (
    <form
      noValidate
      aria-label="Create a team"
      onSubmit={form.onSubmit(values => {
        if (!isBusy) void create.run(values).catch(() => undefined)
      }, focusFirstProblem(form))}
    >
      <Stack gap="md">
        <TextInput
          label="Team name"
          placeholder="Analytical Engines"
          autoComplete="off"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('displayName')}
          error={form.errors['displayName'] ?? problemOf(create)}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Create team
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
