import { SignalSlashIcon } from '@heroicons/react/24/outline'
import { useSyncExternalStore, type ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import { localeOf, useWords, wordsFor } from '../words/use-words'
import { Alert, Forbidden } from './alert'
import { Button } from './button'

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
  // The snapshot and this note show the next failure themselves.
  const tryAgain = () => void store.refresh().catch(() => undefined)
  return (
    <Alert
      kind="warning"
      role="status"
      icon={<SignalSlashIcon />}
      action={
        online && (
          <Button kind="plain" isSmall isBusy={snapshot.refreshing} onClick={tryAgain}>
            {words.ui.tryAgain}
          </Button>
        )
      }
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
    <Alert
      kind="danger"
      role="alert"
      action={
        // The snapshot and this note show the next failure themselves.
        <Button kind="plain" isSmall isBusy={isRetrying} onClick={() => void store.refresh().catch(() => undefined)}>
          {words.ui.tryAgain}
        </Button>
      }
    >
      {wordsFor(error, words)}
    </Alert>
  )
}

/** Whether the platform refuses because of a missing permission. */
function isAboutRights({ code }: AnyAuthError): boolean {
  switch (code) {
    case 'TEAM_PERMISSION_REQUIRED':
    case 'INSUFFICIENT_ACCESS_TYPE':
    case 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN':
      return true
    default:
      return false
  }
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
