import { virtualClock } from 'rxauth/platform'
import { countedClock } from '../../src/core/clock'

it('a counted clock knows how many of its timers are running', async () => {
  const clock = virtualClock()
  const counted = countedClock(clock)
  const run = jest.fn()
  const cancel = counted.setTimeout(run, 100)
  counted.setTimeout(run, 200, { keepAlive: false })
  expect(counted.running).toBe(2)
  cancel()
  cancel()
  expect(counted.running).toBe(1)
  await clock.advance(200)
  expect(counted.running).toBe(0)
  expect(run).toHaveBeenCalledTimes(1)
  expect(counted.now()).toBe(clock.now())
  expect(counted.random()).toBeLessThan(1)
})
