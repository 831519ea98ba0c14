import { SignalSlashIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import { Alert } from './alert'
import { Button } from './button'
import { useOnline } from './use-online'

const timeOfDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

interface Props {
  readonly store: Store<unknown>
  /** For the page about the network itself. */
  readonly isPart?: boolean
}

/** Shows that a store's data may be out of date, and since when; nothing otherwise. */
export function LastKnown({ store, isPart = false }: Props): ReactNode {
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
            Try again
          </Button>
        )
      }
    >
      {online ? 'The server cannot be reached.' : 'You are offline.'} This is what was known at{' '}
      <time dateTime={snapshot.fetchedAt.toISOString()}>{timeOfDay.format(snapshot.fetchedAt)}</time>.
    </Alert>
  )
}
