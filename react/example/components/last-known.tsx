import type { ReactNode } from 'react'
import { useApp, useStore } from 'rxauth/react'
import { useOnline } from '../use-online'

/** Tells that what the page shows may be out of date, and since when; empty otherwise. */
export function LastKnown(): ReactNode {
  const { anyUser$ } = useApp()
  const isOnline = useOnline()
  const snapshot = useStore(anyUser$)
  const isCurrent = snapshot.status !== 'ready' || (isOnline && !snapshot.error)
  // Failing again changes nothing: the snapshot says so, and so does this note.
  const tryAgain = () => void anyUser$.refresh().catch(() => undefined)
  return (
    <div role="status" className="note" hidden={isCurrent}>
      {!isCurrent && (
        <span>
          {isOnline ? 'The platform cannot be reached.' : 'Offline.'} Showing what was known at{' '}
          <time dateTime={snapshot.fetchedAt.toISOString()}>{timeOfDay.format(snapshot.fetchedAt)}</time>.
        </span>
      )}
      {!isCurrent && isOnline && (
        <button onClick={tryAgain} aria-busy={snapshot.refreshing}>
          Try again
        </button>
      )}
    </div>
  )
}

const timeOfDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
