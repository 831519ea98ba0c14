import { SignalSlashIcon } from '@heroicons/react/24/outline'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import { useStore } from 'rxauth/react'

const timeOfDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

interface Props {
  readonly store: Store<unknown>
  /** For the page about the network itself. */
  readonly isPart?: boolean
}

/** Shows that a store's data may be out of date, and since when; nothing otherwise. */
export function LastKnown({ store, isPart = false }: Props): ReactNode {
  const { online } = useNetwork()
  const snapshot = useStore(store)
  if (snapshot.status !== 'ready' || (online ? !snapshot.error : isPart)) return null
  // The snapshot and this note show the next failure themselves.
  const tryAgain = () => void store.refresh().catch(() => undefined)
  return (
    <Alert color="yellow" role="status" icon={<SignalSlashIcon />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {online ? 'The server cannot be reached.' : 'You are offline.'} This is what was known at{' '}
          <time dateTime={snapshot.fetchedAt.toISOString()}>{timeOfDay.format(snapshot.fetchedAt)}</time>.
        </Text>
        {online && (
          <Button size="compact-sm" variant="default" loading={snapshot.refreshing} onClick={tryAgain}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  )
}
