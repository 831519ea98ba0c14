import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import type { Words } from '../words/en'
import { useWords, wordsFor } from '../words/use-words'
import { Alert } from './alert'

/** An action that may have failed, or undefined before it. */
interface Failing {
  readonly status: string
  readonly error?: AnyAuthError
}

/** The error text for the field that it belongs to; undefined without an error. */
export function problemOf(failing: Failing, words: Words): string | undefined {
  const { status, error } = failing
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
