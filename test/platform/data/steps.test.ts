import { sortSteps, stepLength } from '../../../src/platform/data/slices'

/** Takes all steps; `most` is the highest number of comparisons in one of them. */
function sorted<T>(items: readonly T[], compare: (left: T, right: T) => number) {
  let [most, count] = [0, 0]
  const steps = sortSteps(items, (left, right) => {
    most = Math.max(most, ++count)
    return compare(left, right)
  })
  for (;;) {
    const step = steps.next()
    if (step.done) return { items: step.value, most }
    count = 0
  }
}

/** Numbers without an order, always the same ones. */
function numbers(length: number): { readonly rank: number; readonly place: number }[] {
  let seed = 1
  return Array.from({ length }, (_, place) => {
    seed = (seed * 48_271) % 0x7fffffff
    return { rank: seed % 1000, place }
  })
}

type Item = ReturnType<typeof numbers>[number]
const byRank = (left: Item, right: Item) => left.rank - right.rank

it.each([0, 1, stepLength, stepLength + 1, 3 * stepLength, 8 * stepLength + 3])(
  'sorts %i items as a sort at once does, those with the same rank in their order',
  length => {
    const items = numbers(length)
    expect(sorted(items, byRank).items).toEqual([...items].sort(byRank))
    const ordered = items.map((item, rank) => ({ ...item, rank }))
    expect(sorted(ordered, byRank).items).toEqual(ordered)
    expect(sorted([...ordered].reverse(), byRank).items).toEqual(ordered)
  },
)

it.each([20_000, 160_000])('compares no more of %i items in a step than it takes to sort 4,000 of them', length => {
  expect(stepLength).toBe(4_000)
  expect(sorted(numbers(length), byRank).most).toBeLessThanOrEqual(stepLength * Math.log2(stepLength))
})
