import { onAbort } from '../core/signals'
import { isAuthError, developerError } from './auth-error'
import type { AnyAuthError } from './auth-error'

/** The error of an aborted signal: the kit's own reason, or ABORTED by the caller. */
export function abortError(signal: AbortSignal): AnyAuthError {
  const reason: unknown = signal.reason
  return isAuthError(reason) ? reason : developerError('ABORTED', 'the caller aborted the call', { cause: reason })
}

/** Settles as the promise does, or rejects when this caller aborts; the shared work continues for other callers. */
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
