import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { Button } from './button'
import { TextField } from './field'
import { problemOf } from './problem'
import { emailProblem, useForm } from './use-form'
import { useWords } from '../words/use-words'

interface Props {
  readonly label: string
  readonly autoComplete: string
  readonly initial?: string
  readonly hint?: string | undefined
  /** The label of the button. */
  readonly submit: string
  /** The field and the button in one line, in a page with other things. Its name says what the address is for. */
  readonly inline?: string
  readonly action: {
    readonly status: string
    readonly error?: AnyAuthError
    readonly run: (email: string) => Promise<unknown>
    readonly reset: () => void
  }
}

/** One e-mail address, and one button. In a page with other things it is emptied when the action has succeeded. */
export function EmailForm({ label, autoComplete, initial = '', hint, submit, inline, action }: Props): ReactNode {
  const words = useWords()
  const form = useForm({
    initial: { email: initial },
    validate: { email: emailProblem(words) },
    clean: ({ email }) => ({ email: email.trim() }),
  })
  const isBusy = action.status === 'running'
  const send = async (email: string) => {
    const result = await action.run(email)
    const isRefused = typeof result === 'object' && result !== null && 'ok' in result && result.ok === false
    if (inline !== undefined && !isRefused) form.settle()
  }
  const button = (
    <Button type="submit" isBusy={isBusy}>
      {submit}
    </Button>
  )
  return (
    <form
      className="auth-stack"
      // The page's own text for an invalid address, not the browser's.
      noValidate
      aria-label={inline}
      onChange={() => action.status === 'failed' && action.reset()}
      onSubmit={form.submit(({ email }) => {
        if (!isBusy) void send(email).catch(() => undefined)
      })}
    >
      <TextField
        {...(inline === undefined ? { autoFocus: true } : { placeholder: words.ui.emailExample, beside: button })}
        label={label}
        hint={hint}
        type="email"
        autoComplete={autoComplete}
        {...form.field('email')}
        error={form.errors.email ?? problemOf(action, words)}
      />
      {inline === undefined && button}
    </form>
  )
}
