import type { Clock } from 'rxauth'

/**
 * Calls `end` after waits of these lengths in milliseconds, one after the other; returns cancel.
 *
 * Several waits rather than one: if the page's own work blocks it for seconds, only the first wait is used up, and the
 * page's next task still comes before the last.
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
