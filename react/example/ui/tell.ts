import { notifications } from '@mantine/notifications'
import { isAuthError } from 'rxauth'
import { wordsFor } from '../app/words'

/** Shows a notification of what has happened, if its own place on the page has disappeared. */
export function tell(message: string, color: 'teal' | 'yellow' = 'teal'): void {
  notifications.show({ message, color })
}

/** Shows a notification of a failure, whose own place an optimistic change may have removed. */
export function tellFailure(error: unknown): void {
  notifications.show({ color: 'red', message: isAuthError(error) ? wordsFor(error) : 'Something went wrong.' })
}
