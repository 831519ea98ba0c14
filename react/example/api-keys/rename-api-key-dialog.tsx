import { Button, Group, Stack, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog'
import { focusFirstProblem } from '../ui/focus-first-problem'
import { tellFailure } from '../ui/tell'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly description: string
  readonly rename: (description: string) => Promise<unknown>
}

/** The new name shows in the list at once; if the platform refuses it, the old one returns with a note. */
export function RenameApiKeyDialog({ isOpen, onClose, description, rename }: Props): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Rename this key">
      <RenameForm
        description={description}
        onCancel={onClose}
        onSubmit={next => {
          onClose()
          if (next !== description) rename(next).catch(tellFailure)
        }}
      />
    </Dialog>
  )
}

interface FormProps {
  readonly description: string
  readonly onCancel: () => void
  readonly onSubmit: (description: string) => void
}

/** A separate component, so that it starts empty each time. */
function RenameForm({ description, onCancel, onSubmit }: FormProps): ReactNode {
  const form = useForm({
    initialValues: { description },
    validate: { description: isNotEmpty('Say what the key is for.') },
    transformValues: values => ({ description: values.description.trim() }),
  })
  return (
    <form
      noValidate
      aria-label="Rename this key"
      onSubmit={form.onSubmit(values => onSubmit(values.description), focusFirstProblem(form))}
    >
      <Stack gap="md">
        <TextInput
          label="What it is for"
          autoComplete="off"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('description')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit">Rename key</Button>
        </Group>
      </Stack>
    </form>
  )
}
