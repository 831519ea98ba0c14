import { maxWaitMillis } from '../../src/core/clock'
import { checkedPeriod, checkedTolerance } from '../../src/transport/config'

const refused = expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field: 'every' }) })

describe('a period in milliseconds', () => {
  it.each([1, 0.5, 300_000, maxWaitMillis, Infinity])('may be %d', millis => {
    expect(checkedPeriod('every', millis)).toBe(millis)
  })

  it.each([0, -1, NaN, -Infinity, maxWaitMillis + 1, '5' as unknown as number, null as unknown as number])(
    'may not be %p: timers would run at once',
    millis => {
      expect(() => checkedPeriod('every', millis)).toThrow(refused)
    },
  )
})

describe('a tolerance in milliseconds', () => {
  it.each([0, 1, 300_000])('may be %d', millis => {
    expect(checkedTolerance('every', millis)).toBe(millis)
  })

  it.each([-1, NaN, Infinity, '5' as unknown as number])('may not be %p: all would pass, or none', millis => {
    expect(() => checkedTolerance('every', millis)).toThrow(refused)
  })
})
