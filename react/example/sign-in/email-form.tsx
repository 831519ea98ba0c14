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
  /** What the button says. */
  readonly submit: string
  /** What sends it, if anything does: whether it is under way, and what has gone wrong. */
  readonly action: { readonly status: string; readonly error?: AnyAuthError }
  readonly onSubmit: (email: string) => void
}

/** One e-mail address, and one way on. */
export function EmailForm({ label, autoComplete, initial = '', submit, action, onSubmit }: Props): ReactNode {
  const form = useForm({
    initialValues: { email: initial },
    validate: { email: isEmail('Enter an e-mail address, like ada@example.com.') },
    transformValues: ({ email }) => ({ email: email.trim() }),
  })
  const isBusy = action.status === 'running'
  return (
    // The words of the page for a wrong address, not those of the browser.
    <form
      noValidate
      onSubmit={form.onSubmit(({ email }) => {
        if (!isBusy) onSubmit(email)
      }, focusFirstProblem(form))}
    >
      <Stack gap="md">
        <TextInput
          label={label}
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
