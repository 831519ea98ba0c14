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

/** Creates a key, and shows it, which is possible only once. */
export function CreateApiKeyDialog({ isOpen, onClose, create }: Props): ReactNode {
  const all = useWords()
  const words = all.apiKeys
  // In days; empty: no expiry.
  const lifetimes = [
    { value: '30', label: words.days(30) },
    { value: '90', label: words.days(90) },
    { value: '365', label: words.oneYear },
    { value: '', label: words.never },
  ]
  const form = useForm({
    initial: { description: '', days: '90' },
    validate: { description: required(words.noPurpose) },
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
      <Dialog isOpen={isOpen} onClose={close} title={words.created} isStubborn>
        <Alert kind="warning" role="alert">
          {words.copyNow}
        </Alert>
        <CopyField label={words.newKey} value={make.value.value} autoFocus />
        <div className="auth-row end">
          <Button onClick={close}>{words.done}</Button>
        </div>
      </Dialog>
    )
  return (
    <Dialog isOpen={isOpen} onClose={close} title={words.create} isStubborn={make.status === 'running'}>
      <Form label={words.create} form={form} action={make} submit={words.submit} onCancel={close} isProblemShown>
        <TextField
          label={words.purpose}
          placeholder={words.purposeExample}
          autoComplete="off"
          maxLength={100}
          data-autofocus
          {...form.field('description')}
          error={form.errors.description ?? problemOf(make, all)}
        />
        <Select label={words.expiresAfter} options={lifetimes} {...form.field('days')} />
        <p className="dim">{words.warning}</p>
      </Form>
    </Dialog>
  )
}
