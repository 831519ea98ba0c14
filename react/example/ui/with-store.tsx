import type { ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import { Forbidden } from './forbidden'
import { LastKnown } from './last-known'
import { isAboutRights, StoreFailure } from './store-failure'
import { useWords } from '../words/use-words'

interface Props<T> {
  readonly store: Store<T>
  /** The name of the data, for screen readers while it loads. */
  readonly label: string
  /** The gap between the parts. */
  readonly gap?: 'sm' | 'lg'
  /** This store's own error code for a user without the permission. */
  readonly refusal?: AnyAuthError['code'] | undefined
  /** Shown while it loads, in place of two lines. */
  readonly shape?: ReactNode
  readonly children: (value: T) => ReactNode
}

/** A store's data in each of its states: loading, failed, forbidden, ready, and out of date. */
export function WithStore<T>({ store, label, gap = 'sm', refusal, shape, children }: Props<T>): ReactNode {
  const { ui } = useWords()
  const snapshot = useStore(store)
  const isForbidden = (error: AnyAuthError) => isAboutRights(error) || error.code === refusal
  switch (snapshot.status) {
    case 'pending':
      if (shape) return shape
      return (
        <div className="auth-stack snug" role="status" aria-busy="true" aria-label={ui.loadingOf(label)}>
          <div className="auth-skeleton" />
          <div className="auth-skeleton" />
        </div>
      )
    case 'failed':
      if (isForbidden(snapshot.error)) return <Forbidden />
      return <StoreFailure error={snapshot.error} isRetrying={snapshot.refreshing} store={store} />
    case 'ready':
      // Data from before a permission was removed must not be shown any more.
      if (snapshot.error && isForbidden(snapshot.error)) return <Forbidden />
      return (
        <div className={gap === 'lg' ? 'auth-stack loose' : 'auth-stack'}>
          <LastKnown store={store} isPart />
          {children(snapshot.value)}
        </div>
      )
  }
}
