import { onAbort } from '../core/on-abort'
import { AuthError, isAuthError } from './auth-error'
import type { AnyAuthError } from './auth-error'

/** What an aborted signal means: the kit's own reason, or ABORTED by the caller. */
export function abortError(signal: AbortSignal): AnyAuthError {
  const reason: unknown = signal.reason
  return isAuthError(reason) ? reason : new AuthError('ABORTED', 'the caller aborted the call', { cause: reason })
}

/** The promise's outcome, or this caller's abort; the work itself goes on for the others. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(abortError(signal))
    }
    if (signal.aborted) abort()
    const forget = onAbort(signal, abort)
    promise.then(resolve, reject).finally(forget)
  })
}
