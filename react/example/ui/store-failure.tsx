import { ExclamationCircleIcon } from '@heroicons/react/24/outline'
import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
import { wordsFor } from '../app/words'
import { Forbidden } from './forbidden'

interface Props {
  readonly error: AnyAuthError
  readonly isRetrying: boolean
  readonly store: Store<unknown>
}

/** Shown instead of data that failed to load: the reason, and a button to try again if that may help. */
export function StoreFailure({ error, isRetrying, store }: Props): ReactNode {
  if (isAboutRights(error)) return <Forbidden />
  return (
    <Alert color="red" role="alert" icon={<ExclamationCircleIcon />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{wordsFor(error)}</Text>
        <Button
          size="compact-sm"
          variant="default"
          loading={isRetrying}
          // The snapshot and this note show the next failure themselves.
          onClick={() => void store.refresh().catch(() => undefined)}
        >
          Try again
        </Button>
      </Group>
    </Alert>
  )
}

/** Whether the platform refuses because of a missing permission. */
export function isAboutRights({ code }: AnyAuthError): boolean {
  switch (code) {
    case 'TEAM_PERMISSION_REQUIRED':
    case 'INSUFFICIENT_ACCESS_TYPE':
    case 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN':
      return true
    default:
      return false
  }
}
