import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { CopyField } from '../ui/copy-field'
import { Dialog } from '../ui/dialog'
import { focusFirstProblem } from '../ui/focus-first-problem'
import { problemOf } from '../ui/problem'
import type { KeyActions } from './key-actions'

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
  { value: '', label: 'It does not expire' },
]

/** Creates a key, and shows it, which is possible only once. */
export function CreateApiKeyDialog({ isOpen, onClose, create }: Props): ReactNode {
  const form = useForm({
    initialValues: { description: '', days: '90' },
    validate: { description: isNotEmpty('Say what the key is for.') },
    transformValues: ({ description, days }) => ({ description: description.trim(), days }),
    onValuesChange: () => make.status === 'failed' && make.reset(),
  })
  const make = useAction(async ({ description, days }: { description: string; days: string }) => {
    const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * dayMillis)
    return create({ description, expiresAt })
  })
  const isBusy = make.status === 'running'
  const close = () => {
    onClose()
    form.reset()
    // Drops the key's value.
    make.reset()
  }
  if (make.status === 'done')
    return (
      <Dialog isOpen={isOpen} onClose={close} title="Your new key" isStubborn>
        <Alert color="yellow">Copy the key now and keep it in a safe place. It will not be shown again.</Alert>
        <CopyField label="New key" value={make.value.value} />
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Dialog>
    )
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Create a key">
      <form
        noValidate
        aria-label="Create a key"
        onSubmit={form.onSubmit(values => {
          if (!isBusy) void make.run(values).catch(() => undefined)
        }, focusFirstProblem(form))}
      >
        <Stack gap="md">
          <TextInput
            label="What it is for"
            placeholder="Nightly import"
            autoComplete="off"
            maxLength={100}
            data-autofocus
            {...form.getInputProps('description')}
            error={form.errors['description'] ?? problemOf(make)}
          />
          <NativeSelect label="Expires after" size="md" data={lifetimes} {...form.getInputProps('days')} />
          <Text size="sm" c="dimmed">
            A program with the key can act for its owner until the key expires or is revoked.
          </Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy}>
              Create key
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
