import { notifications } from '@mantine/notifications'
import { isAuthError } from 'rxauth'
import { wordsFor } from '../app/words'

/** Tells in a corner of the window what was done, where its own place on the page has gone with it. */
export function tell(message: string): void {
  notifications.show({ message, color: 'teal' })
}

/** Tells there what has failed. What is shown optimistically may have taken the place of the error away. */
export function tellFailure(error: unknown): void {
  notifications.show({ color: 'red', message: isAuthError(error) ? wordsFor(error) : 'Something went wrong.' })
}
