import { ExclamationCircleIcon } from '@heroicons/react/24/outline'
import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { wordsFor } from '../app/words'

/** Something that may have failed: an action, or nothing yet. */
interface Failing {
  readonly status: string
  readonly error?: AnyAuthError
}

/** What went wrong, in words, beside the field that it is about; undefined while nothing did. */
export function problemOf(failing: Failing): string | undefined {
  const { status, error } = failing
  // A second factor that is asked for is no failure: the page of it comes up.
  return status === 'failed' && error && error.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'
    ? wordsFor(error)
    : undefined
}

/** What went wrong, where no field is to blame. Takes no room while nothing did. */
export function Problem({ of }: { readonly of: Failing }): ReactNode {
  const words = problemOf(of)
  if (words === undefined) return null
  return (
    <Alert color="red" role="alert" icon={<ExclamationCircleIcon />}>
      {words}
    </Alert>
  )
}
