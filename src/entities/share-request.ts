import { SingleFlight } from '../core/single-flight'
import { abortError, unlessAborted } from '../errors/abort'
import { slot } from '../store/core'
import type { Kit } from '../store/kit'
import type { CallOptions } from '../store/write/effects'

const flightsKey = {}

/**
 * Concurrent calls with the same input share one request: a double click sends one mail, and a code works once.
 *
 * An abort rejects only its caller and does not cancel the request, which may have consumed the code. `what` and the texts
 * identify the input.
 */
export async function shareRequest<T>(
  kit: Kit,
  options: CallOptions | undefined,
  run: () => Promise<T>,
  what: string,
  ...texts: readonly string[]
): Promise<T> {
  const signal = options?.signal
  if (signal?.aborted) throw abortError(signal)
  const flights = slot(kit, flightsKey, () => new SingleFlight<unknown>())
  // Values of other types are refused by the request itself.
  const key = JSON.stringify([what, ...texts.map(String)])
  return unlessAborted(flights.run(key, run) as Promise<T>, signal)
}
