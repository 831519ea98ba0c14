import { SignalSlashIcon } from '@heroicons/react/24/outline'
import { useSyncExternalStore, type ReactNode } from 'react'
import { isAuthError, type AnyAuthError, type Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import { localeOf, useWords, wordsFor } from '../words/use-words'
import { Alert, Forbidden } from './alert'
import { Button } from './button'

export interface WithStoreProps<T> {
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
export function WithStore<T>({ store, label, gap = 'sm', refusal, shape, children }: WithStoreProps<T>): ReactNode {
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

interface LastKnownProps {
  readonly store: Store<unknown>
  /** For the page about the network itself. */
  readonly isPart?: boolean
}

/** Shows that a store's data may be out of date, and since when; nothing otherwise. */
export function LastKnown({ store, isPart = false }: LastKnownProps): ReactNode {
  const words = useWords()
  const online = useOnline()
  const snapshot = useStore(store)
  if (snapshot.status !== 'ready' || (online ? !snapshot.error : isPart)) return null
  return (
    <Alert
      kind="warning"
      role="status"
      icon={<SignalSlashIcon />}
      action={online && <Refresh store={store} isBusy={snapshot.refreshing} />}
    >
      {words.ui.lastKnown(
        !online,
        <time dateTime={snapshot.fetchedAt.toISOString()}>
          {snapshot.fetchedAt.toLocaleTimeString(localeOf(words), { hour: '2-digit', minute: '2-digit' })}
        </time>,
      )}
    </Alert>
  )
}

interface StoreFailureProps {
  readonly error: AnyAuthError
  readonly isRetrying: boolean
  readonly store: Store<unknown>
}

/** Shown instead of data that failed to load: the reason, and a button to try again if that may help. */
export function StoreFailure({ error, isRetrying, store }: StoreFailureProps): ReactNode {
  const words = useWords()
  if (isAboutRights(error)) return <Forbidden />
  return (
    <Alert kind="danger" role="alert" action={<Refresh store={store} isBusy={isRetrying} />}>
      {wordsFor(error, words)}
    </Alert>
  )
}

/** Asks for the data of a store again. The snapshot shows the next failure itself. */
function Refresh({ store, isBusy }: { readonly store: Store<unknown>; readonly isBusy: boolean }): ReactNode {
  const { ui } = useWords()
  const refresh = () => void store.refresh().catch(() => undefined)
  return <Button label={ui.tryAgain} kind="plain" isSmall isBusy={isBusy} onClick={refresh} />
}

/** Whether the platform refuses because of a missing permission. */
function isAboutRights(error: AnyAuthError): boolean {
  return isAuthError(error, 'TEAM_PERMISSION_REQUIRED', 'INSUFFICIENT_ACCESS_TYPE', 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN')
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Whether the browser has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
}
