import { Button, Stack, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { focusFirstProblem } from '../ui/focus-first-problem'
import { problemOf } from '../ui/problem'

interface Props {
  readonly label: string
  readonly autoComplete: string
  readonly initial?: string
  readonly hint?: string | undefined
  /** The label of the button. */
  readonly submit: string
  /** The action, with its state and error. */
  readonly action: { readonly status: string; readonly error?: AnyAuthError }
  readonly onSubmit: (email: string) => void
}

/** One e-mail address, and one button. */
export function EmailForm({ label, autoComplete, initial = '', hint, submit, action, onSubmit }: Props): ReactNode {
  const form = useForm({
    initialValues: { email: initial },
    validate: { email: isEmail('Enter an e-mail address, like ada@example.com.') },
    transformValues: ({ email }) => ({ email: email.trim() }),
  })
  const isBusy = action.status === 'running'
  return (
    // The page's own text for an invalid address, not the browser's.
    <form
      noValidate
      onSubmit={form.onSubmit(({ email }) => {
        if (!isBusy) onSubmit(email)
      }, focusFirstProblem(form))}
    >
      <Stack gap="md">
        <TextInput
          label={label}
          description={hint}
          type="email"
          autoComplete={autoComplete}
          autoFocus
          {...form.getInputProps('email')}
          error={form.errors['email'] ?? problemOf(action)}
        />
        <Button type="submit" size="md" loading={isBusy}>
          {submit}
        </Button>
      </Stack>
    </form>
  )
}
