import { ExclamationCircleIcon } from '@heroicons/react/24/outline'
import { Alert, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Observable } from 'rxjs'
import type { Live } from './live'
import { useLive } from './use-live'

const pending = { status: 'pending' } as const

interface Props<T> {
  readonly source$: Observable<Live<T>>
  /** The name of the data, for screen readers while it loads. */
  readonly label: string
  readonly children: (value: T) => ReactNode
}

/** Shows live data in each of its states. */
export function WithLive<T>({ source$, label, children }: Props<T>): ReactNode {
  const live = useLive<Live<T>>(source$, pending)
  switch (live.status) {
    case 'pending':
      return (
        <Stack gap="sm" role="status" aria-busy="true" aria-label={`${label}: loading`}>
          <Skeleton height={44} />
          <Skeleton height={44} />
        </Stack>
      )
    case 'failed':
      return <Failure error={live.error} />
    case 'ready':
      return children(live.value)
  }
}

/** The platform's message about a failure. */
export function Failure({ error }: { readonly error: Error }): ReactNode {
  return (
    <Alert color="red" role="alert" icon={<ExclamationCircleIcon />}>
      {error.message}
    </Alert>
  )
}
