import type { ReactNode } from 'react'
import { isAuthError } from 'rxauth'
import type { Observable } from 'rxjs'
import { Alert } from '../../example/ui/alert'
import type { LiveData } from './live'
import { pending, useLive } from './use-live'

interface Props<T> {
  readonly source$: Observable<LiveData<T>>
  /** The name of the data, for screen readers while it loads. */
  readonly label: string
  readonly children: (value: T) => ReactNode
}

/** Shows live data in each of its states. */
export function WithLive<T>({ source$, label, children }: Props<T>): ReactNode {
  const live = useLive<LiveData<T>>(source$, pending)
  switch (live.status) {
    case 'pending':
      return (
        <div className="auth-stack snug" role="status" aria-busy="true" aria-label={`${label}: loading`}>
          <div className="auth-skeleton" />
          <div className="auth-skeleton" />
        </div>
      )
    case 'failed':
      return <Failure of={live} />
    case 'ready':
      return children(live.value)
  }
}

interface FailureProps {
  /** The data, or the action, that may have failed. */
  readonly of: { readonly status: string; readonly error?: Error }
}

/** The platform's own words for a failure. */
export function Failure({ of: { status, error } }: FailureProps): ReactNode {
  if (status !== 'failed' || !error) return null
  return (
    <Alert kind="danger" role="alert">
      {/* The kit wraps an error that is not its own. */}
      {error.cause instanceof Error && isAuthError(error) ? error.cause.message : error.message}
    </Alert>
  )
}
