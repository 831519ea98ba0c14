import { ExclamationCircleIcon } from '@heroicons/react/24/outline'
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import { wordsFor } from '../app/words'
import { Forbidden } from './forbidden'
import { LastKnown } from './last-known'

interface Props<T> {
  readonly store: Store<readonly T[]>
  /** What the list is of, for a screen reader while it loads. */
  readonly label: string
  /** Known without asking for it; what the platform refuses is forbidden anyway. */
  readonly isForbidden?: boolean
  /** What to say, or show, when there is nothing in it. */
  readonly empty: ReactNode
  readonly children: (items: readonly T[]) => ReactNode
}

/** A list in each of its states: loading, failed, forbidden, empty, there, and there but no longer up to date. */
export function StoreList<T>({ store, label, isForbidden = false, empty, children }: Props<T>): ReactNode {
  const snapshot = useStore(isForbidden ? null : store)
  if (isForbidden) return <Forbidden />
  switch (snapshot.status) {
    case 'pending':
      return <LoadingRows label={label} />
    case 'failed':
      if (isAboutRights(snapshot.error)) return <Forbidden />
      return <Failed error={snapshot.error} isRetrying={snapshot.refreshing} onRetry={() => void retry(store)} />
    case 'ready':
      // What was known before a right was taken away is no longer the user's to see.
      if (snapshot.error && isAboutRights(snapshot.error)) return <Forbidden />
      return (
        <Stack gap="sm">
          <LastKnown store={store} isPart />
          {snapshot.value.length === 0 ? <Empty>{empty}</Empty> : children(snapshot.value)}
        </Stack>
      )
  }
}

function isAboutRights({ code }: AnyAuthError): boolean {
  return code === 'TEAM_PERMISSION_REQUIRED' || code === 'INSUFFICIENT_ACCESS_TYPE'
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
async function retry(store: Store<unknown>): Promise<void> {
  await store.refresh().catch(() => undefined)
}
