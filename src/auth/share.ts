import { SingleFlight } from '../core/single-flight'
import { abortError, unlessAborted } from '../errors/abort'
import { slot } from '../store/kit'
import type { Kit } from '../store/kit'
import type { CallOptions } from '../store/mutation'

const flightsKey = {}

/**
 * Calls that ask for the same at the same time share one request: a double click mails once, and a code works once.
 *
 * A caller's abort rejects that caller alone and stops nothing, because a request that was cut off may have used the code up
 * all the same. `what` and the texts say what is the same.
 */
export async function share<T>(
  kit: Kit,
  options: CallOptions | undefined,
  run: () => Promise<T>,
  what: string,
  ...texts: readonly string[]
): Promise<T> {
  const signal = options?.signal
  if (signal?.aborted) throw abortError(signal)
  const flights = slot(kit, flightsKey, () => new SingleFlight<unknown>())
  // Whatever else was given instead of texts, the request refuses.
  const key = JSON.stringify([what, ...texts.map(String)])
  return unlessAborted(flights.run(key, run) as Promise<T>, signal)
}
