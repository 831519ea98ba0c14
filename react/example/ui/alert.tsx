import { ExclamationCircleIcon, LockClosedIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { AnyAuthError, Project } from 'rxauth'
import type { Words } from '../words/en'
import { useWords, wordsFor } from '../words/use-words'

interface Props {
  readonly kind?: 'info' | 'good' | 'warning' | 'danger'
  /** `alert` is read out at once, `status` when the reader pauses. */
  readonly role?: 'alert' | 'status'
  readonly icon?: ReactNode
  /** A button at the end. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** A message in a page. */
export function Alert({ kind = 'info', role, icon, action, children }: Props): ReactNode {
  return (
    <div className={`auth-alert ${kind}`} role={role}>
      {icon ?? (kind === 'danger' && <ExclamationCircleIcon />)}
      <div>{children}</div>
      {action}
    </div>
  )
}

/** An action that may have failed. */
export interface Failing {
  readonly status: string
  readonly error?: AnyAuthError
}

/** Whether the result of an action says that the platform has refused it. */
export function isRefused(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'ok' in result && result.ok === false
}

/** The error text for the field that it belongs to; undefined without an error. */
export function problemOf({ status, error }: Failing, words: Words): string | undefined {
  // A required second factor is not an error: its page opens.
  return status === 'failed' && error && error.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'
    ? wordsFor(error, words)
    : undefined
}

/** The error text of a form. Takes no room without an error. */
export function Problem({ of }: { readonly of: Failing }): ReactNode {
  const problem = problemOf(of, useWords())
  if (problem === undefined) return null
  return (
    <Alert kind="danger" role="alert">
      {problem}
    </Alert>
  )
}

/** A line that says what has been done, or why there is nothing to do. */
export function Told({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <p className="centred" role="status">
      {children}
    </p>
  )
}

/** Shown instead of data that the user has no permission to see. */
export function Forbidden(): ReactNode {
  const { ui } = useWords()
  return (
    <Alert role="status" icon={<LockClosedIcon />}>
      {ui.forbidden}
    </Alert>
  )
}

interface SwitchedOffProps {
  /** The project setting that switches it on. Shown for developers: leave it out of your app. */
  readonly setting: keyof Project['config']
  readonly children: ReactNode
}

/** Shown instead of a feature that is switched off in the project. */
export function SwitchedOff({ setting, children }: SwitchedOffProps): ReactNode {
  const { ui } = useWords()
  return (
    <p className="dim" role="status">
      {ui.isOff(children, <code>{setting}</code>)}
    </p>
  )
}
