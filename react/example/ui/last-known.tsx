import { SignalSlashIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import { Alert } from './alert'
import { Button } from './button'
import { useOnline } from './use-online'
import { localeOf, useWords } from '../words/use-words'

interface Props {
  readonly store: Store<unknown>
  /** For the page about the network itself. */
  readonly isPart?: boolean
}

/** Shows that a store's data may be out of date, and since when; nothing otherwise. */
export function LastKnown({ store, isPart = false }: Props): ReactNode {
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
