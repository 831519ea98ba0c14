import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import { useStore } from 'rxauth/react'
import { Forbidden } from './forbidden'
import { LastKnown } from './last-known'
import { isAboutRights, StoreFailure } from './store-failure'

interface Props<T> {
  readonly store: Store<T>
  /** What it is, for a screen reader while it loads. */
  readonly label: string
  /** Between what is shown of it. */
  readonly gap?: 'sm' | 'lg'
  readonly children: (value: T) => ReactNode
}

/** What a store has, in each of its states: loading, failed, forbidden, there, and there but no longer up to date. */
export function WithStore<T>({ store, label, gap = 'sm', children }: Props<T>): ReactNode {
  const snapshot = useStore(store)
  switch (snapshot.status) {
    case 'pending':
      return (
        <Stack gap="sm" role="status" aria-busy="true" aria-label={`${label}: loading`}>
          <Skeleton height={44} />
          <Skeleton height={44} />
        </Stack>
      )
    case 'failed':
      return <StoreFailure error={snapshot.error} isRetrying={snapshot.refreshing} store={store} />
    case 'ready':
      // What was known before a right was taken away is no longer the user's to see.
      if (snapshot.error && isAboutRights(snapshot.error)) return <Forbidden />
      return (
        <Stack gap={gap}>
          <LastKnown store={store} isPart />
          {children(snapshot.value)}
        </Stack>
      )
  }
}
