import type { Clock } from 'rxauth'

/**
 * Calls `end` after waits of these lengths in milliseconds, one after the other; returns cancel.
 *
 * Several rather than one, because a page whose own work keeps it busy for seconds is late for the first of them only. What
 * it does next still comes before the last.
 */
export function countDown(clock: Clock, waits: readonly number[], end: () => void): () => void {
  const [first, ...rest] = waits
  if (first === undefined) {
    end()
    return () => undefined
  }
  let cancel = clock.setTimeout(
    () => {
      cancel = countDown(clock, rest, end)
    },
    first,
    { keepAlive: false },
  )
  return () => {
    cancel()
  }
}
