import { createOwnedProject } from 'rxauth'
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { useLocation } from 'wouter'
import { Dialog } from '../../ui/dialog'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { Problem } from '../../ui/problem'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks for a name, creates the project, and opens it. */
export function CreateProjectDialog({ isOpen, onClose }: Props): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Create a project">
      <CreateProjectForm onCancel={onClose} />
    </Dialog>
  )
}

/** A separate component, so that it starts empty each time. */
function CreateProjectForm({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const app = useApp()
  const [, goTo] = useLocation()
  const form = useForm({
    initialValues: { displayName: '', description: '' },
    validate: { displayName: isNotEmpty('Give the project a name.') },
    transformValues: ({ displayName, description }) => ({
      displayName: displayName.trim(),
      description: description.trim(),
    }),
  })
  const create = useAction(async (values: { displayName: string; description: string }) => {
    const { id } = await createOwnedProject(app, values)
    goTo(`/projects/${id}`)
  })
  const isBusy = create.status === 'running'
  return (
    <form
      noValidate
      aria-label="Create a project"
      onSubmit={form.onSubmit(values => {
        if (!isBusy) void create.run(values).catch(() => undefined)
      }, focusFirstProblem(form))}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Users see it when they sign in."
          autoComplete="off"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('displayName')}
        />
        <Textarea label="Description" size="md" autosize minRows={2} {...form.getInputProps('description')} />
        <Problem of={create} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Create project
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
