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
