import { throwIfAborted } from '../../core/signals'

/** The most rows that are read, sorted or merged in one step, so that other requests wait only for a few milliseconds. */
export const stepLength = 4_000

/** A stable merge sort in steps; the length of a step does not depend on the number of items. */
export function* sortSteps<T>(
  items: readonly T[],
  compare: (left: T, right: T) => number,
): Generator<void, T[], undefined> {
  if (items.length <= stepLength) {
    yield
    return [...items].sort(compare)
  }
  const middle = items.length >> 1
  const left = yield* sortSteps(items.slice(0, middle), compare)
  const right = yield* sortSteps(items.slice(middle), compare)
  const merged: T[] = []
  let [taken, at] = [0, 0]
  for (const item of left) {
    for (let next = right[at]; next !== undefined && compare(next, item) < 0; next = right[++at]) {
      merged.push(next)
      if (++taken % stepLength === 0) yield
    }
    merged.push(item)
    if (++taken % stepLength === 0) yield
  }
  for (; at < right.length; at++) merged.push(right[at] as T)
  return merged
}

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
