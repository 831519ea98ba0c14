import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { CopyField } from '../ui/copy-field'
import { Dialog } from '../ui/dialog'
import { Select, TextField } from '../ui/field'
import { Form } from '../ui/form'
import { problemOf } from '../ui/problem'
import { required, useForm } from '../ui/use-form'
import type { KeyActions } from './key-actions'
import { useWords } from '../words/use-words'

interface Props extends Pick<KeyActions, 'create'> {
  readonly isOpen: boolean
  readonly onClose: () => void
}

const dayMillis = 86_400_000

/** In days; empty: no expiry. */
const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'Never' },
]

/** Creates a key, and shows it, which is possible only once. */
export function CreateApiKeyDialog({ isOpen, onClose, create }: Props): ReactNode {
  const words = useWords()
  const form = useForm({
    initial: { description: '', days: '90' },
    validate: { description: required('Say what the key is for.') },
    clean: ({ description, days }) => ({ description: description.trim(), days }),
  })
  const make = useAction(async ({ description, days }: { description: string; days: string }) => {
    const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * dayMillis)
    return create({ description, expiresAt })
  })
  const close = () => {
    onClose()
    form.reset()
    // Drops the key's value.
    make.reset()
  }
  if (make.status === 'done')
    return (
      <Dialog isOpen={isOpen} onClose={close} title="Your new key" isStubborn>
        <Alert kind="warning" role="alert">
          Copy the key now and keep it in a safe place. It will not be shown again.
        </Alert>
        <CopyField label="New key" value={make.value.value} autoFocus />
        <div className="row end">
          <Button onClick={close}>Done</Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Create a key" isStubborn={make.status === 'running'}>
      <Form label="Create a key" form={form} action={make} submit="Create key" onCancel={close} isProblemShown>
        <TextField
          label="What it is for"
          placeholder="Nightly import"
          autoComplete="off"
          maxLength={100}
          data-autofocus
          {...form.field('description')}
          error={form.errors.description ?? problemOf(make, words)}
        />
        <Select label="Expires after" options={lifetimes} {...form.field('days')} />
        <p className="dim">The key gives full access on behalf of its owner until it expires or is revoked.</p>
      </Form>
    </Dialog>
  )
}
