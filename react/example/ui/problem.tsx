import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { wordsFor } from '../app/words'
import { Alert } from './alert'

/** An action that may have failed, or undefined before it. */
interface Failing {
  readonly status: string
  readonly error?: AnyAuthError
}

/** The error text for the field that it belongs to; undefined without an error. */
export function problemOf(failing: Failing): string | undefined {
  const { status, error } = failing
  // A required second factor is not an error: its page opens.
  return status === 'failed' && error && error.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'
    ? wordsFor(error)
    : undefined
}

/** The error text of a form. Takes no room without an error. */
export function Problem({ of }: { readonly of: Failing }): ReactNode {
  const words = problemOf(of)
  if (words === undefined) return null
  return (
    <Alert kind="danger" role="alert">
      {words}
    </Alert>
  )
}
