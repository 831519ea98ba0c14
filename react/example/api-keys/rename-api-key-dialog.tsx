import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Dialog } from '../ui/dialog'
import { TextField } from '../ui/field'
import { Form } from '../ui/form'
import { tellFailure } from '../ui/toasts'
import { required, useForm } from '../ui/use-form'
import { useWords } from '../words/use-words'

interface Props {
  readonly onClose: () => void
  readonly description: string
  readonly rename: (description: string) => Promise<unknown>
}

/** The new name shows in the list at once; if the platform refuses it, the old one returns with a note. */
export function RenameApiKeyDialog({ isOpen, ...rest }: Props & { readonly isOpen: boolean }): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={rest.onClose} title={useWords().apiKeys.renameTitle}>
      <RenameForm {...rest} />
    </Dialog>
  )
}

function RenameForm({ onClose, description, rename }: Props): ReactNode {
  const words = useWords().apiKeys
  const form = useForm({ initial: { description }, validate: { description: required(words.noPurpose) } })
  const save = useAction(async (values: { description: string }) => {
    const next = values.description.trim()
    onClose()
    if (next !== description) await rename(next).catch(tellFailure)
  })
  return (
    <Form label={words.renameTitle} form={form} action={save} submit={words.renameSubmit} onCancel={onClose}>
      <TextField
        label={words.purpose}
        autoComplete="off"
        maxLength={100}
        data-autofocus
        {...form.field('description')}
      />
    </Form>
  )
}
