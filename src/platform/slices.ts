import { systemClock, wait } from '../core/clock'

/** Rows per turn of the event loop, few enough not to delay other requests. */
export const sliceLength = 250

/** Runs all steps, in slices of `length`. Rejects with the signal's reason between two slices. */
export async function inSlices<R>(
  steps: Iterator<unknown, R>,
  { length = sliceLength, signal }: { readonly length?: number; readonly signal?: AbortSignal } = {},
): Promise<R> {
  for (let count = 1; ; count++) {
    const step = steps.next()
    if (step.done) return step.value
    // Uses the real clock, also beside a virtual one: this only ends the turn.
    if (count % length === 0) await wait(systemClock, 0, signal)
  }
}
