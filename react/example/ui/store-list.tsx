import { ExclamationCircleIcon, LockClosedIcon } from '@heroicons/react/24/outline'
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import { wordsFor } from '../app/words'
import { LastKnown } from './last-known'

interface Props<T> {
  readonly store: Store<readonly T[]> | null
  /** What the list is of, for a screen reader while it loads. */
  readonly label: string
  /** What to say, or show, when there is nothing in it. */
  readonly empty: ReactNode
  readonly children: (items: readonly T[]) => ReactNode
}

/** A list in each of its states: loading, failed, forbidden, empty, there, and there but no longer up to date. */
export function StoreList<T>({ store, label, empty, children }: Props<T>): ReactNode {
  const snapshot = useStore(store)
  switch (snapshot.status) {
    case 'pending':
      return <LoadingRows label={label} />
    case 'failed':
      return <Failed error={snapshot.error} isRetrying={snapshot.refreshing} onRetry={() => void retry(store)} />
    case 'ready':
      return (
        <Stack gap="sm">
          {store && <LastKnown store={store} />}
          {snapshot.value.length === 0 ? <Empty>{empty}</Empty> : children(snapshot.value)}
        </Stack>
      )
  }
}

function LoadingRows({ label }: { readonly label: string }): ReactNode {
  return (
    <Stack gap="sm" role="status" aria-busy="true" aria-label={`${label}: loading`}>
      <Skeleton height={44} />
      <Skeleton height={44} />
    </Stack>
  )
}

function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return typeof children === 'string' ? (
    <Text c="dimmed" size="sm">
      {children}
    </Text>
  ) : (
    children
  )
}

interface FailedProps {
  readonly error: AnyAuthError
  readonly isRetrying: boolean
  readonly onRetry: () => void
}

function Failed({ error, isRetrying, onRetry }: FailedProps): ReactNode {
  const isForbidden = error.code === 'TEAM_PERMISSION_REQUIRED' || error.code === 'INSUFFICIENT_ACCESS_TYPE'
  if (isForbidden)
    return (
      <Alert color="gray" role="status" icon={<LockClosedIcon />}>
        You do not have the right to see this.
      </Alert>
    )
  return (
    <Alert color="red" role="alert" icon={<ExclamationCircleIcon />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{wordsFor(error)}</Text>
        <Button size="compact-sm" variant="default" loading={isRetrying} onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </Alert>
  )
}

/** Failing again changes nothing: the snapshot says so, and so does the list. */
async function retry(store: Store<unknown> | null): Promise<void> {
  await store?.refresh().catch(() => undefined)
}
