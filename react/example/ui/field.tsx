import { ChevronUpDownIcon, EyeIcon, EyeSlashIcon } from '@heroicons/react/24/outline'
import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useWords } from '../words/use-words'
import { Problem } from './alert'
import { IconButton } from './button'
import { passwordLimits } from './password-limits'

interface Labels {
  readonly label?: string | undefined
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly className?: string | undefined
}

/** The attributes that connect a field with its label, hint and error. */
interface Connections {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: boolean
}

interface FieldProps extends Labels {
  readonly children: (connections: Connections) => ReactNode
}

/** The label and the hint above a field, the error below it. An error appears at once, and takes no room before. */
function Field({ label, hint, error, className = '', children }: FieldProps): ReactNode {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={`auth-field ${className}`}>
      {label && <label htmlFor={id}>{label}</label>}
      {hint && (
        <p id={`${id}-hint`} className="fine dim">
          {hint}
        </p>
      )}
      {children({ id, ...(described && { 'aria-describedby': described }), ...(error && { 'aria-invalid': true }) })}
      <FieldError id={id}>{error}</FieldError>
    </div>
  )
}

/** The error of a field, which is described by its id: that of the field with `-error`. Takes no room without an error. */
export function FieldError({ id, children }: { readonly id: string; readonly children: ReactNode }): ReactNode {
  if (!children) return null
  return (
    <p id={`${id}-error`} className="field-error" role="alert">
      {children}
    </p>
  )
}

interface TextProps extends Omit<ComponentProps<'input'>, keyof Labels>, Labels {
  /** Inside of the field, at its end. */
  readonly after?: ReactNode
  /** The button of a form with one field. */
  readonly beside?: ReactNode
}

export function TextField({ label, hint, error, className, after, beside, ...input }: TextProps): ReactNode {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {connections => (
        <div className="auth-row">
          <div className={beside ? 'field-box grow narrow' : 'field-box grow'}>
            <input {...connections} {...input} className="auth-input" />
            {after}
          </div>
          {beside}
        </div>
      )}
    </Field>
  )
}

/** A password that can be shown; a new one has a hint about its length. */
export function PasswordField(props: Omit<TextProps, 'type' | 'after' | 'beside'>): ReactNode {
  const { ui } = useWords()
  const [isVisible, setVisible] = useState(false)
  const Eye = isVisible ? EyeSlashIcon : EyeIcon
  return (
    <TextField
      {...(props.autoComplete === 'new-password' && { hint: ui.passwordLength(passwordLimits.min) })}
      {...props}
      type={isVisible ? 'text' : 'password'}
      after={
        <IconButton
          label={isVisible ? ui.hidePassword : ui.showPassword}
          icon={<Eye width={18} />}
          onClick={() => setVisible(!isVisible)}
        />
      }
    />
  )
}

type TextAreaProps = Omit<ComponentProps<'textarea'>, keyof Labels> & Labels

/** Grows with its text. */
export function TextArea({ label, hint, error, className, ...area }: TextAreaProps): ReactNode {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {connections => <textarea {...connections} {...area} className="auth-input" />}
    </Field>
  )
}

/** A choice of a `Select`. */
export interface Option {
  readonly value: string
  readonly label: string
}

interface SelectProps extends Omit<ComponentProps<'select'>, keyof Labels>, Labels {
  readonly options: readonly Option[]
}

export function Select({ label, hint, error, className, options, ...select }: SelectProps): ReactNode {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {connections => (
        <div className="field-box">
          <select {...connections} {...select} className="auth-input">
            {options.map(option => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronUpDownIcon aria-hidden="true" />
        </div>
      )}
    </Field>
  )
}

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

interface SwitchProps extends Pick<ChoiceProps, 'label' | 'hint' | 'disabled' | 'className'> {
  /** The accessible name, if the label is too short. */
  readonly name?: string
  readonly isOn: boolean
  readonly turn: (isOn: boolean) => Promise<unknown>
  /** Disabled until the answer, since it changes only then. */
  readonly waits?: boolean
}

/** A switch of one setting. It changes at once, and changes back if the platform refuses it. */
export function ActionSwitch({ name, isOn, turn, waits = false, disabled = false, ...choice }: SwitchProps): ReactNode {
  const change = useAction(turn)
  return (
    <>
      <Choice
        {...choice}
        kind="switch"
        aria-label={name}
        checked={isOn}
        disabled={disabled || (waits && change.status === 'running')}
        onChange={event => void change.run(event.currentTarget.checked)}
      />
      <Problem of={change} />
    </>
  )
}

interface ChoicesProps {
  readonly legend: string
  readonly hint?: ReactNode
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
      <FieldError id={id}>{error}</FieldError>
    </fieldset>
  )
}
