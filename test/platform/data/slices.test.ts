import { inSlices, sliceLength, turns as eventLoop } from '../../../src/platform/data/page'

/** This many steps; `turns` lists how many were taken in each turn of the event loop. */
function counted(length: number) {
  const turns: number[] = []
  const real = eventLoop.next
  const spy = jest.spyOn(eventLoop, 'next').mockImplementation(() => {
    turns.push(made)
    return real()
  })
  let made = 0
  function* steps() {
    while (made < length) yield made++
    return 'the end'
  }
  return { turns, steps: steps(), made: () => made, restore: () => spy.mockRestore() }
}

it.each([
  [0, []],
  [sliceLength - 1, []],
  [sliceLength, [sliceLength]],
  [3 * sliceLength + 1, [sliceLength, 2 * sliceLength, 3 * sliceLength]],
])('%i steps give up their turn after each slice: at %j', async (length, expected) => {
  const { turns, steps, restore } = counted(length)
  expect(await inSlices(steps)).toBe('the end')
  restore()
  expect(turns).toEqual(expected)
})

it('goes on under fake timers', async () => {
  jest.useFakeTimers()
  const { steps, restore } = counted(3 * sliceLength)
  const done = inSlices(steps)
  jest.useRealTimers()
  expect(await done).toBe('the end')
  restore()
})

it('stops between two slices when the signal is aborted', async () => {
  const controller = new AbortController()
  const { steps, made, restore } = counted(10 * sliceLength)
  const reading = inSlices(steps, { signal: controller.signal })
  controller.abort(new Error('gone'))
  await expect(reading).rejects.toThrow('gone')
  restore()
  expect(made()).toBe(sliceLength)
})
