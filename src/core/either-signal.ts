import { onAbort } from './on-abort'

/**
 * A signal that aborts with the first of the two that does; `release` forgets both. It is always a new one: where it goes to
 * code of the app, what that leaves listening goes with it.
 */
export function eitherOf(
  first: AbortSignal,
  second: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly release: () => void } {
  // AbortSignal.any is younger than the browsers that this has to run in.
  const controller = new AbortController()
  const ends = [first, second].map(signal => {
    const abort = () => {
      controller.abort(signal?.reason)
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
