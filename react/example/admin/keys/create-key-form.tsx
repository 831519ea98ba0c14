import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Alert } from '../../ui/alert'
import { Button } from '../../ui/button'
import { Choices } from '../../ui/choice'
import { CopyField } from '../../ui/copy-field'
import { Select, TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { required, useForm } from '../../ui/use-form'
import { useProject } from '../project/project-context'

/** The three kinds of keys, weakest first. */
export const keyNames = [
  {
    key: 'publishableClientKey',
    has: 'hasPublishableClientKey',
    label: 'Publishable client key',
    who: 'For web pages and apps.',
  },
  {
    key: 'secretServerKey',
    has: 'hasSecretServerKey',
    label: 'Secret server key',
    who: 'For your backend. Keep it secret.',
  },
  {
    key: 'superSecretAdminKey',
    has: 'hasSuperSecretAdminKey',
    label: 'Super secret admin key',
    who: 'For scripts that change the settings of the project. Keep it secret.',
  },
] as const

const dayMillis = 86_400_000

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '365', label: 'One year' },
  { value: '36500', label: 'A hundred years' },
]

interface Values {
  readonly description: string
  readonly days: string
  readonly kinds: string[]
}

/** Creates a set of keys, and shows them, which is possible only once. */
export function CreateKeyForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { app } = useProject()
  const form = useForm<Values>({
    initial: { description: '', days: '365', kinds: ['hasPublishableClientKey', 'hasSecretServerKey'] },
    validate: {
      description: required('Say what the keys are for.'),
      kinds: required('Choose at least one kind of key.'),
    },
  })
  const create = useAction(({ description, days, kinds }: Values) =>
    app.createInternalApiKey({
      description: description.trim(),
      expiresAt: new Date(Date.now() + Number(days) * dayMillis),
      ...Object.fromEntries(kinds.map(kind => [kind, true])),
    }),
  )
  if (create.status === 'done') return <NewKeys keys={create.value} onClose={onClose} />
  return (
    <Form label="Create keys" form={form} action={create} submit="Create keys" onCancel={onClose}>
      <TextField
        label="What they are for"
        placeholder="Web shop"
        autoComplete="off"
        maxLength={100}
        data-autofocus
        {...form.field('description')}
      />
      <Choices
        legend="Keys"
        kind="checkbox"
        error={form.errors.kinds}
        options={keyNames.map(({ has, label, who }) => ({ value: has, label, hint: who }))}
        chosen={form.values.kinds}
        onChange={kinds => form.set({ kinds })}
      />
      <Select label="Expire after" options={lifetimes} {...form.field('days')} />
    </Form>
  )
}

interface NewProps {
  readonly keys: Readonly<Record<(typeof keyNames)[number]['key'], string | null>>
  readonly onClose: () => void
}

function NewKeys({ keys, onClose }: NewProps): ReactNode {
  const made = keyNames.filter(({ key }) => keys[key] !== null)
  return (
    <>
      <Alert kind="warning" role="alert">
        Copy the keys now and keep them in a safe place. They will not be shown again.
      </Alert>
      {made.map(({ key, label }, index) => (
        <div key={key}>
          <p className="strong">{label}</p>
          <CopyField label={label} value={keys[key] ?? ''} autoFocus={index === 0} />
        </div>
      ))}
      <div className="auth-row end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </>
  )
}
