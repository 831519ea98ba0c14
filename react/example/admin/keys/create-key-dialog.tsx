import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { Dialog } from '../../ui/dialog'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { Problem } from '../../ui/problem'
import { useProject } from '../project/project-context'
import { keyNames } from './key-names'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Creates a set of keys, and shows them, which is possible only once. */
export function CreateKeyDialog({ isOpen, onClose }: Props): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Create keys">
      <CreateKeyForm onClose={onClose} />
    </Dialog>
  )
}

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

/** A separate component, so that it starts empty each time and drops the keys when closed. */
function CreateKeyForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { app } = useProject()
  const form = useForm<Values>({
    initialValues: { description: '', days: '365', kinds: ['hasPublishableClientKey', 'hasSecretServerKey'] },
    validate: {
      description: isNotEmpty('Say what the keys are for.'),
      kinds: isNotEmpty('Choose at least one kind of key.'),
    },
  })
  const create = useAction(({ description, days, kinds }: Values) =>
    app.createInternalApiKey({
      description: description.trim(),
      expiresAt: new Date(Date.now() + Number(days) * dayMillis),
      ...Object.fromEntries(kinds.map(kind => [kind, true])),
    }),
  )
  const isBusy = create.status === 'running'
  if (create.status === 'done')
    return (
      <Stack gap="md">
        <Alert color="yellow">Copy the keys now and keep them in a safe place. They will not be shown again.</Alert>
        {keyNames.map(({ key, label }) => {
          const value = create.value[key]
          return (
            value !== null && (
              <div key={key}>
                <Text size="sm" fw={500}>
                  {label}
                </Text>
                <CopyField label={label} value={value} />
              </div>
            )
          )
        })}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    )
  return (
    <form
      noValidate
      aria-label="Create keys"
      onSubmit={form.onSubmit(values => {
        if (!isBusy) void create.run(values).catch(() => undefined)
      }, focusFirstProblem(form))}
    >
      <Stack gap="md">
        <TextInput
          label="What they are for"
          placeholder="Web shop"
          autoComplete="off"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('description')}
        />
        <Checkbox.Group label="Keys" {...form.getInputProps('kinds')}>
          <Stack gap="xs" mt={4}>
            {keyNames.map(({ has, label, who }) => (
              <Checkbox key={has} value={has} label={label} description={who} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect label="Expire after" size="md" data={lifetimes} {...form.getInputProps('days')} />
        <Problem of={create} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Create keys
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
