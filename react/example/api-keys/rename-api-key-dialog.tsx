import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Dialog } from '../ui/dialog'
import { TextField } from '../ui/field'
import { Form } from '../ui/form'
import { tellFailure } from '../ui/toasts'
import { required, useForm } from '../ui/use-form'

interface Props {
  readonly onClose: () => void
  readonly description: string
  readonly rename: (description: string) => Promise<unknown>
}

/** The new name shows in the list at once; if the platform refuses it, the old one returns with a note. */
export function RenameApiKeyDialog({ isOpen, ...rest }: Props & { readonly isOpen: boolean }): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={rest.onClose} title="Rename this key">
      <RenameForm {...rest} />
    </Dialog>
  )
}

function RenameForm({ onClose, description, rename }: Props): ReactNode {
  const form = useForm({ initial: { description }, validate: { description: required('Say what the key is for.') } })
  const save = useAction(async (values: { description: string }) => {
    const next = values.description.trim()
    onClose()
    if (next !== description) await rename(next).catch(tellFailure)
  })
  return (
    <Form label="Rename this key" form={form} action={save} submit="Rename key" onCancel={onClose}>
      <TextField
        label="What it is for"
        autoComplete="off"
        maxLength={100}
        data-autofocus
        {...form.field('description')}
      />
    </Form>
  )
}
