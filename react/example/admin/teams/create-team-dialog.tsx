import { Button, Group, Stack, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useLocation } from 'wouter'
import { Dialog } from '../../ui/dialog'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { Problem } from '../../ui/problem'
import { useProject } from '../project/project-context'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Creates a team without members, and opens it. */
export function CreateTeamDialog({ isOpen, onClose }: Props): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Create a team">
      <CreateTeamForm onCancel={onClose} />
    </Dialog>
  )
}

/** A separate component, so that it starts empty each time. */
function CreateTeamForm({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const { app, base } = useProject()
  const [, goTo] = useLocation()
  const form = useForm({
    initialValues: { displayName: '' },
    validate: { displayName: isNotEmpty('Give the team a name.') },
    transformValues: ({ displayName }) => ({ displayName: displayName.trim() }),
  })
  const create = useAction(async (displayName: string) => {
    const result = await app.createTeamById({ displayName })
    if (result.ok) goTo(`${base}/teams/${result.value.id}`)
    return result
  })
  const isBusy = create.status === 'running'
  return (
    <form
      noValidate
      aria-label="Create a team"
      onSubmit={form.onSubmit(({ displayName }) => {
        if (!isBusy) void create.run(displayName).catch(() => undefined)
      }, focusFirstProblem(form))}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          autoComplete="off"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('displayName')}
        />
        <Problem of={create} />
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
