import { useId } from 'react'
import type { ComponentProps, ReactNode } from 'react'

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** A switch acts at once; a check box waits for the button of its form; of the radio buttons of a name, one is on. */
  readonly kind?: 'switch' | 'checkbox' | 'radio'
}

/** A field that is on or off. */
export function Choice({ label, hint, kind = 'checkbox', className = '', ...input }: ChoiceProps): ReactNode {
  const id = useId()
  return (
    <label className={`choice ${className}`}>
      <input
        {...input}
        type={kind === 'switch' ? 'checkbox' : kind}
        {...(kind === 'switch' && { role: 'switch' })}
        aria-labelledby={input['aria-label'] === undefined ? `${id}-label` : undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <span>
        <span id={`${id}-label`}>{label}</span>
        {hint && (
          <span id={`${id}-hint`} className="fine dim">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}

interface ChoicesProps {
  readonly legend: string
  readonly hint?: string
  readonly error?: string | undefined
  /** Several of them, or one of them. */
  readonly kind: 'checkbox' | 'radio'
  readonly options: readonly { readonly value: string; readonly label: string; readonly hint?: string }[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
}

/** Choices of one question. */
export function Choices({ legend, hint, error, kind, options, chosen, onChange }: ChoicesProps): ReactNode {
  const id = useId()
  return (
    <fieldset className="auth-field" aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{legend}</legend>
      {hint && <p className="fine dim">{hint}</p>}
      <div className="auth-stack snug">
        {options.map(({ value, ...words }) => (
          <Choice
            key={value}
            {...words}
            kind={kind}
            name={id}
            checked={chosen.includes(value)}
            onChange={event =>
              onChange(
                kind === 'radio'
                  ? [value]
                  : event.currentTarget.checked
                    ? [...chosen, value]
                    : chosen.filter(each => each !== value),
              )
            }
          />
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
