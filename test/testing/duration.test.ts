import { forwardMillis, millisOf, type Duration } from '../../src/testing/duration'

const hour = 3_600_000

describe('a duration', () => {
  it.each<[Duration, number]>([
    [1500, 1500],
    ['8h', 8 * hour],
    ['5m', 300_000],
    ['30s', 30_000],
    ['250ms', 250],
    ['1.5h', 1.5 * hour],
    ['+1d', 24 * hour],
    ['-10m', -600_000],
  ])('%p is %d ms', (duration, millis) => {
    expect(millisOf('sleep', duration)).toBe(millis)
  })

  it.each(['8 hours', '8', '', 'h', '1h30m', '8H', NaN, Infinity, null, undefined, {}])('%p is refused', given => {
    expect(() => millisOf('sleep', given as Duration)).toThrow(
      `clock.sleep takes milliseconds or a text such as 8h, 5m or 30s, not ${typeof given === 'number' ? given : JSON.stringify(given)}`,
    )
  })

  it.each(['sleep', 'advance'] as const)('of %s is not negative', call => {
    expect(() => forwardMillis(call, '-8h')).toThrow(`clock.${call} moves the time forward, not by -8h`)
  })

  it.each<Duration>(['36501d', '-36501d', 1e20])('of %p is refused: the dates would be none', given => {
    expect(() => millisOf('skewPages', given)).toThrow(
      `clock.skewPages takes a hundred years (36500d) at most, not ${given}`,
    )
  })

  it('of advance is a week at most, and that of sleep a hundred years', () => {
    expect(() => forwardMillis('advance', '3650d')).toThrow(
      'clock.advance runs every timer of the time, of 7d at most, not of 3650d; clock.sleep runs each timer once',
    )
    expect(forwardMillis('advance', '7d')).toBe(7 * 24 * hour)
    expect(forwardMillis('sleep', '3650d')).toBe(3650 * 24 * hour)
  })
})
