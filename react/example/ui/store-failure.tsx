import type { ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
import { Alert } from './alert'
import { Button } from './button'
import { Forbidden } from './forbidden'
import { useWords, wordsFor } from '../words/use-words'

interface Props {
  readonly error: AnyAuthError
  readonly isRetrying: boolean
  readonly store: Store<unknown>
}

/** Shown instead of data that failed to load: the reason, and a button to try again if that may help. */
export function StoreFailure({ error, isRetrying, store }: Props): ReactNode {
  const words = useWords()
  if (isAboutRights(error)) return <Forbidden />
  return (
    <Alert
      kind="danger"
      role="alert"
      action={
        // The snapshot and this note show the next failure themselves.
        <Button kind="plain" isSmall isBusy={isRetrying} onClick={() => void store.refresh().catch(() => undefined)}>
          {words.ui.tryAgain}
        </Button>
      }
    >
      {wordsFor(error, words)}
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
