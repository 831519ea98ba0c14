import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { wordsFor } from '../words'

/** Something that may have failed: an action, or nothing yet. */
interface Failing {
  readonly status: string
  readonly error?: AnyAuthError
}

/** Where a screen reader hears of a failure; empty otherwise. A second factor that is asked for is none. */
export function Problem({ of, id }: { readonly of: Failing; readonly id?: string }): ReactNode {
  const { error } = of
  const isFailure = of.status === 'failed' && error?.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'
  return (
    <p role="alert" id={id} className="problem">
      {isFailure && error && wordsFor(error)}
    </p>
  )
}
