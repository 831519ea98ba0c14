import { throwIfAborted } from '../../core/signals'

/** Rows per turn of the event loop, few enough not to delay other requests. */
export const sliceLength = 250

/** The global as this file loads: fake timers of a test replace it later, and would hold every long list. */
// eslint-disable-next-line no-restricted-properties -- it ends a turn and measures no time
const { setTimeout } = globalThis

/** The turns of the event loop, in real time also beside a virtual clock. */
export const turns = {
  /** Resolves in the next turn. */
  next: () => new Promise<void>(resolve => void setTimeout(resolve, 0)),
}

/** Runs all steps, in slices of `length`. Rejects with the signal's reason between two slices. */
export async function inSlices<R>(
  steps: Iterator<unknown, R>,
  { length = sliceLength, signal }: { readonly length?: number; readonly signal?: AbortSignal } = {},
): Promise<R> {
  for (let count = 1; ; count++) {
    const step = steps.next()
    if (step.done) return step.value
    if (count % length !== 0) continue
    await turns.next()
    if (signal) throwIfAborted(signal)
  }
}
