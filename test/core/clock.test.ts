import { virtualClock } from 'rxauth/platform'
import { maxWaitMillis, millisSince, momentOf, systemClock, wait } from '../../src/core/clock'

describe('the clock of the machine', () => {
  it('gives the time and random numbers', () => {
    const before = Date.now()
    expect(systemClock.now()).toBeGreaterThanOrEqual(before)
    expect(systemClock.random()).toBeGreaterThanOrEqual(0)
    expect(systemClock.random()).toBeLessThan(1)
  })

  it('has a monotonic time apart from wall time', () => {
    const before = systemClock.monotonic()
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before)
    expect(before).toBeLessThan(systemClock.now())
  })

  it('runs timers, and cancels them', async () => {
    const cancelled = jest.fn()
    systemClock.setTimeout(cancelled, 0)()
    await new Promise<void>(resolve => systemClock.setTimeout(resolve, 5))
    expect(cancelled).not.toHaveBeenCalled()
  })

  it('has timers that keep the process running, and timers that do not', () => {
    const made: NodeJS.Timeout[] = []
    const spy = jest.spyOn(globalThis, 'setTimeout')
    const ends = [
      systemClock.setTimeout(() => undefined, 1000),
      systemClock.setTimeout(() => undefined, 1000, { keepAlive: true }),
      systemClock.setTimeout(() => undefined, 1000, { keepAlive: false }),
    ]
    made.push(...spy.mock.results.map(({ value }) => value as NodeJS.Timeout))
    spy.mockRestore()
    expect(made.map(timer => timer.hasRef())).toEqual([true, true, false])
    for (const end of ends) end()
  })

  it('works with timers that are numbers, as in a browser', () => {
    const spy = jest.spyOn(globalThis, 'setTimeout').mockReturnValue(7 as never)
    const clear = jest.spyOn(globalThis, 'clearTimeout')
    systemClock.setTimeout(() => undefined, 1000, { keepAlive: false })()
    expect(clear).toHaveBeenCalledWith(7)
    spy.mockRestore()
    clear.mockRestore()
  })
})

describe('the time since a moment', () => {
  const hour = 3_600_000

  // Promise: monotonic-time
  it.each([
    ['both clocks advanced', 0, 250],
    ['the clock was set back', -hour, 250],
    ['the machine slept', 8 * hour, 8 * hour + 250],
  ])('is the larger of wall and monotonic time: %s', async (_, shifted, expected) => {
    const clock = virtualClock()
    const moment = momentOf(clock)
    clock.shiftWall(shifted)
    await clock.advance(250)
    expect(millisSince(moment, clock)).toBe(expected)
  })
})

describe('a wait', () => {
  it('ends after its time, not before', async () => {
    const clock = virtualClock()
    const done = jest.fn()
    void wait(clock, 100).then(done)
    await clock.advance(99)
    expect(done).not.toHaveBeenCalled()
    await clock.advance(1)
    expect(done).toHaveBeenCalledTimes(1)
  })

  it.each([true, false])('rejects with the reason of its signal at once, aborted before: %s', async isBefore => {
    const clock = virtualClock()
    const controller = new AbortController()
    const reason = new Error('enough')
    if (isBefore) controller.abort(reason)
    const waiting = wait(clock, 100, controller.signal)
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })

  it('rejects with an error even if the reason is not one', async () => {
    await expect(wait(virtualClock(), 100, AbortSignal.abort('tired'))).rejects.toMatchObject({ cause: 'tired' })
  })

  it('leaves neither timer nor listener behind', async () => {
    const clock = virtualClock()
    const { signal } = new AbortController()
    const add = jest.spyOn(signal, 'addEventListener')
    const remove = jest.spyOn(signal, 'removeEventListener')
    void wait(clock, 100, signal)
    await clock.advance(100)
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(add.mock.calls.map(([, listener]) => listener))
  })

  it('can be as long as timers allow: 2147483647 ms', () => {
    expect(maxWaitMillis).toBe(2 ** 31 - 1)
  })
})
