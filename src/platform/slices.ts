import { systemClock, wait } from '../core/clock'

/** So many rows are looked at between two turns of the event loop: few enough that other requests do not notice. */
export const sliceLength = 250

/** Takes the steps to their end, a slice of `length` at a time. Rejects with the signal's reason between two slices. */
export async function inSlices<R>(
  steps: Iterator<unknown, R>,
  { length = sliceLength, signal }: { readonly length?: number; readonly signal?: AbortSignal } = {},
): Promise<R> {
  for (let count = 1; ; count++) {
    const step = steps.next()
    if (step.done) return step.value
    // The real time, also on a virtual clock: no time has to pass.
    if (count % length === 0) await wait(systemClock, 0, signal)
  }
}
