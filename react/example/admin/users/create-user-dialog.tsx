import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useLocation } from 'wouter'
import { Dialog } from '../../ui/dialog'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { PasswordField } from '../../ui/password-field'
import { Problem } from '../../ui/problem'
import { useProject } from '../project/project-context'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Adds a user, and opens the user's page. */
export function CreateUserDialog({ isOpen, onClose }: Props): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Create a user">
      <CreateUserForm onCancel={onClose} />
    </Dialog>
  )
}

interface Values {
  readonly primaryEmail: string
  readonly primaryEmailVerified: boolean
  readonly displayName: string
  readonly password: string
}

/** A separate component, so that it starts empty each time. */
function CreateUserForm({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const { app, base } = useProject()
  const [, goTo] = useLocation()
  const form = useForm<Values>({
    initialValues: { primaryEmail: '', primaryEmailVerified: false, displayName: '', password: '' },
    validate: { primaryEmail: isEmail('Enter an e-mail address, like ada@example.com.') },
  })
  const create = useAction(async ({ primaryEmail, primaryEmailVerified, displayName, password }: Values) => {
    const result = await app.createUser({
      primaryEmail,
      primaryEmailVerified,
      primaryEmailAuthEnabled: true,
      displayName: displayName.trim() || null,
      ...(password !== '' && { password }),
    })
    if (result.ok) goTo(`${base}/users/${result.value.id}`)
    return result
  })
  const isBusy = create.status === 'running'
  return (
    <form
      noValidate
      aria-label="Create a user"
      onSubmit={form.onSubmit(values => {
        if (!isBusy) void create.run(values).catch(() => undefined)
      }, focusFirstProblem(form))}
    >
      <Stack gap="md">
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('primaryEmail')}
        />
        <Checkbox
          label="The address is verified"
          {...form.getInputProps('primaryEmailVerified', { type: 'checkbox' })}
        />
        <TextInput label="Name" autoComplete="off" maxLength={100} {...form.getInputProps('displayName')} />
        <PasswordField
          label="Password"
          description="Left empty, the user has none and signs in by e-mail."
          autoComplete="new-password"
          size="md"
          {...form.getInputProps('password')}
        />
        <Problem of={create} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Create user
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
