import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
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
  /** The code with which this store alone refuses a reader without the right to it. */
  readonly refusal?: AnyAuthError['code'] | undefined
  readonly children: (value: T) => ReactNode
}

/** What a store has, in each of its states: loading, failed, forbidden, there, and there but no longer up to date. */
export function WithStore<T>({ store, label, gap = 'sm', refusal, children }: Props<T>): ReactNode {
  const snapshot = useStore(store)
  const isForbidden = (error: AnyAuthError) => isAboutRights(error) || error.code === refusal
  switch (snapshot.status) {
    case 'pending':
      return (
        <Stack gap="sm" role="status" aria-busy="true" aria-label={`${label}: loading`}>
          <Skeleton height={44} />
          <Skeleton height={44} />
        </Stack>
      )
    case 'failed':
      if (isForbidden(snapshot.error)) return <Forbidden />
      return <StoreFailure error={snapshot.error} isRetrying={snapshot.refreshing} store={store} />
    case 'ready':
      // What was known before a right was taken away is no longer the user's to see.
      if (snapshot.error && isForbidden(snapshot.error)) return <Forbidden />
      return (
        <Stack gap={gap}>
          <LastKnown store={store} isPart />
          {children(snapshot.value)}
        </Stack>
      )
  }
}
