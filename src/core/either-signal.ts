import { abortWith } from './abort'
import { onAbort } from './on-abort'

/**
 * A signal that aborts as soon as one of the two does; `release` removes both listeners. Always a new signal, so that
 * listeners which code of the app adds to it are collected with it.
 */
export function eitherOf(
  first: AbortSignal,
  second: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly release: () => void } {
  // AbortSignal.any is newer than the supported browsers.
  const controller = new AbortController()
  const ends = [first, second].map(signal => {
    const abort = () => {
      abortWith(controller, signal?.reason)
    }
    if (signal?.aborted) abort()
    return onAbort(signal, abort)
  })
  return {
    signal: controller.signal,
    release() {
      for (const end of ends) end()
    },
  }
}
