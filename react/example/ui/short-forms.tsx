import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useWords } from '../words/use-words'
import { isRefused, problemOf } from './alert'
import { Button } from './button'
import { TextField } from './field'
import { emailProblem, required, useForm, type FormAction } from './form'

interface NameFormProps {
  readonly label: string
  readonly value: string
  readonly autoComplete?: string
  /** The error for an empty name. */
  readonly emptyProblem?: string
  readonly save: (name: string) => Promise<unknown>
}

/** A name with a button that saves it. Every place with the name changes with the store. */
export function NameForm({ label, value, autoComplete = 'off', emptyProblem, save }: NameFormProps): ReactNode {
  const words = useWords()
  const form = useForm({
    initial: { name: value },
    validate: { name: emptyProblem === undefined ? () => null : required(emptyProblem) },
  })
  const rename = useAction(async (name: string) => {
    await save(name)
    // The typed text stays if this fails.
    form.settle()
  })
  const isSaved = rename.status === 'done' && !form.isChanged()
  return (
    <form aria-label={label} onSubmit={form.submit(({ name }) => void rename.run(name.trim()))}>
      <TextField
        label={label}
        autoComplete={autoComplete}
        maxLength={100}
        {...form.field('name')}
        error={form.errors.name ?? problemOf(rename, words)}
        beside={
          <>
            <Button label={words.ui.save} type="submit" isBusy={rename.status === 'running'} />
            {(rename.status === 'running' || isSaved) && (
              <p className="dim" role="status">
                {isSaved ? words.ui.saved : words.ui.saving}
              </p>
            )}
          </>
        }
      />
    </form>
  )
}

interface EmailFormProps {
  readonly label: string
  readonly autoComplete: string
  readonly initial?: string
  readonly hint?: string | undefined
  /** The label of the button. */
  readonly submit: string
  /** The field and the button in one line, in a page with other things. Its name says what the address is for. */
  readonly inline?: string
  readonly action: FormAction<string>
}

/** One e-mail address, and one button. In a page with other things it is emptied when the action has succeeded. */
export function EmailForm(props: EmailFormProps): ReactNode {
  const { label, autoComplete, initial = '', hint, submit, inline, action } = props
  const words = useWords()
  const form = useForm({
    initial: { email: initial },
    validate: { email: emailProblem(words) },
    clean: ({ email }) => ({ email: email.trim() }),
  })
  const isBusy = action.status === 'running'
  const send = async (email: string) => {
    const result = await action.run(email)
    if (inline !== undefined && !isRefused(result)) form.settle()
  }
  const button = <Button label={submit} type="submit" isBusy={isBusy} />
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
