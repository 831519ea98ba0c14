import { useRef, useState, type ChangeEvent, type ReactNode, type SubmitEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Words } from '../words/en'
import { useWords } from '../words/use-words'
import { Problem, type Failing } from './alert'
import { Button } from './button'

/** The action of a form, as `useAction` has it. */
export interface FormAction<V> extends Failing {
  readonly run: (values: V) => Promise<unknown>
  readonly reset: () => void
}

interface Props<V extends object> {
  /** The name of the form. */
  readonly label: string
  readonly form: FormState<V>
  readonly action: FormAction<V>
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
export function Form<V extends object>(props: Props<V>): ReactNode {
  const { ui } = useWords()
  const { label, form, action, submit, onCancel, isSaved, savedText = ui.saved, isProblemShown, children } = props
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
        {onCancel && <Button label={ui.cancel} kind="plain" disabled={isBusy} onClick={onCancel} />}
        <Button label={submit} type="submit" isBusy={isBusy} />
        {isSaved !== undefined && (
          <p role="status" className="dim">
            {isBusy ? ui.saving : isSaved ? savedText : ''}
          </p>
        )}
      </div>
    </form>
  )
}

interface FormOptions<V> {
  /** The values of fields until they are changed. An untouched field follows it, also while the form is open. */
  readonly initial: V
  /** The problem of a value as text; null if there is none. */
  readonly validate?: { readonly [K in keyof V]?: (value: V[K], values: V) => string | null }
  /** The values to send: without spaces at the ends of texts, say. */
  readonly clean?: (values: V) => V
  /** Called after each change of a field. */
  readonly onChange?: () => void
}

/** The result of `useForm`. */
export type FormState<V extends object> = ReturnType<typeof useForm<V>>

/** The values and problems of a form. */
export function useForm<V extends object>({ initial, validate = {}, clean, onChange }: FormOptions<V>) {
  const [changed, setChanged] = useState<Partial<V>>({})
  const [errors, setErrors] = useState<Partial<Record<keyof V, string>>>({})
  const values: V = { ...initial, ...changed }
  const latest = useRef<Partial<V>>(changed)
  const submitted = useRef<Partial<V>>({})

  const set = (changes: Partial<V>) => {
    latest.current = { ...latest.current, ...changes }
    setChanged(latest.current)
    setErrors(before => {
      const kept = Object.entries(before).filter(([name]) => !(name in changes))
      return Object.fromEntries(kept) as typeof before
    })
    onChange?.()
  }
  /** The texts in fields that differ from the values: a password manager may fill a field without an event. */
  const filled = (form: HTMLFormElement | null) => {
    const shown = Object.entries(values).flatMap(([name, known]) => {
      const field = form?.elements.namedItem(name)
      if (typeof known !== 'string' || !field || !('value' in field) || field.value === known) return []
      return [[name, field.value]]
    })
    return Object.fromEntries(shown) as Partial<V>
  }
  /** Whether a field, or this one, differs from what it showed at first. */
  const isChanged = (name?: keyof V) =>
    (name === undefined ? (Object.keys(changed) as (keyof V)[]) : [name]).some(each => values[each] !== initial[each])
  return {
    values,
    /** The problems that the last attempt to submit has found. */
    errors,
    set,
    isChanged,
    /** The props of a text field, a text area or a select. */
    field: <K extends keyof V & string>(name: K) => ({
      name,
      value: values[name],
      // With other fields: React would put their values back when it renders.
      onChange: ({ currentTarget: { form, value } }: ChangeEvent<FieldElement>) =>
        set({ ...filled(form), [name]: value }),
      error: errors[name],
    }),
    /** The handler of the form's `onSubmit`. It calls `act` if there is no problem, and otherwise focuses the first one. */
    submit: (act: (values: V) => void) => (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      const shown = filled(event.currentTarget)
      if (Object.keys(shown).length > 0) set(shown)
      const given = { ...values, ...shown }
      const found: Partial<Record<keyof V, string>> = {}
      for (const name of Object.keys(validate) as (keyof V)[]) {
        const problem = validate[name]?.(given[name], given)
        if (problem) found[name] = problem
      }
      // A problem that is found again appears anew: a screen reader reads it again.
      flushSync(() => setErrors({}))
      setErrors(found)
      const [first] = Object.keys(found)
      submitted.current = latest.current
      if (first === undefined) act(clean?.(given) ?? given)
      else focusOn(event.currentTarget.elements.namedItem(first))
    },
    /** After the answer to what was submitted: fields follow `initial` again, unless they were changed meanwhile. */
    settle() {
      const later = Object.entries(latest.current).filter(
        ([name, value]) => submitted.current[name as keyof V] !== value,
      )
      latest.current = Object.fromEntries(later) as Partial<V>
      setChanged(latest.current)
      setErrors({})
    },
  }
}

type FieldElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function focusOn(field: Element | RadioNodeList | null): void {
  const first = field instanceof RadioNodeList ? field[0] : field
  if (first instanceof HTMLElement) first.focus()
}

/** Refuses what can be no e-mail address. rxauth checks the rest. */
export function emailProblem({ ui }: Words): (email: string) => string | null {
  return email => (/\S[@＠]\S/.test(email) ? null : ui.notAnEmail)
}

/** Refuses an empty value with this text. */
export function required(problem: string): (value: string | readonly string[]) => string | null {
  return value => ((typeof value === 'string' ? value.trim() : value).length > 0 ? null : problem)
}
