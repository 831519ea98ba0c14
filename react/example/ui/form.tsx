import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { Button } from './button'
import { Problem } from './problem'
import type { Form as FormOf } from './use-form'
import { useWords } from '../words/use-words'

interface Props<V> {
  /** The name of the form. */
  readonly label: string
  readonly form: FormOf<V>
  readonly action: {
    readonly status: string
    readonly error?: AnyAuthError
    readonly run: (values: V) => Promise<unknown>
    readonly reset: () => void
  }
  /** The label of the button. */
  readonly submit: string
  /** For a form in a dialog. */
  readonly onCancel?: () => void
  /** Says so beside the button, in a form that stays. */
  readonly isSaved?: boolean
  readonly savedText?: string
  /** A field shows the error of the action. */
  readonly isProblemShown?: boolean
  readonly children: ReactNode
}

/** Fields, the error of the last attempt, and the buttons. A problem of a field gets the focus instead of a request. */
export function Form<V>(props: Props<V>): ReactNode {
  const { ui } = useWords()
  const {
    label,
    form,
    action,
    submit,
    onCancel,
    isSaved,
    savedText = ui.saved,
    isProblemShown = false,
    children,
  } = props
  const isBusy = action.status === 'running'
  return (
    <form
      className="auth-stack"
      // The page's own texts, not the browser's.
      noValidate
      aria-label={label}
      onChange={() => action.status === 'failed' && action.reset()}
      onSubmit={form.submit(values => {
        if (!isBusy) void action.run(values).catch(() => undefined)
      })}
    >
      {children}
      {!isProblemShown && <Problem of={action} />}
      <div className={onCancel ? 'auth-row end' : 'auth-row'}>
        {onCancel && (
          <Button kind="plain" disabled={isBusy} onClick={onCancel}>
            {ui.cancel}
          </Button>
        )}
        <Button type="submit" isBusy={isBusy}>
          {submit}
        </Button>
        {isSaved !== undefined && (
          <p role="status" className="dim">
            {isBusy ? ui.saving : isSaved ? savedText : ''}
          </p>
        )}
      </div>
    </form>
  )
}
