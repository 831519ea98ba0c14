import { SignalSlashIcon } from '@heroicons/react/24/outline'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import { useStore } from 'rxauth/react'

const timeOfDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

interface Props {
  readonly store: Store<unknown>
  /** Of a page that tells of the network itself. */
  readonly isPart?: boolean
}

/** Tells that what is shown of a store may be out of date, and since when; nothing while it is not. */
export function LastKnown({ store, isPart = false }: Props): ReactNode {
  const { online } = useNetwork()
  const snapshot = useStore(store)
  if (snapshot.status !== 'ready' || (online ? !snapshot.error : isPart)) return null
  // Failing again changes nothing: the snapshot says so, and so does this note.
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
