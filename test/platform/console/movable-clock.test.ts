import { virtualClock } from 'rxauth/platform'
import { movableClock } from '../../../src/platform/test-tools/virtual-clock'

function moved() {
  const base = virtualClock()
  const clock = movableClock(base)
  const ran: string[] = []
  const timer = (name: string, millis: number) => clock.setTimeout(() => void ran.push(name), millis)
  return { base, clock, ran, timer }
}

describe('a clock that can be moved forward', () => {
  it.each([-1, NaN, Infinity])('is not moved by %d ms', millis => {
    const { clock } = moved()
    expect(() => clock.forward(millis)).toThrow(`cannot move a clock forward by ${millis} ms`)
  })

  it('runs timers that are due by then in order of time, and the others that much earlier', async () => {
    const { base, clock, ran, timer } = moved()
    timer('second', 2000)
    timer('first', 1000)
    timer('later', 5000)
    clock.forward(3000)
    await base.advance(0)
    expect(ran).toEqual(['first', 'second'])
    await base.advance(1999)
    expect(ran).toEqual(['first', 'second'])
    await base.advance(1)
    expect(ran).toEqual(['first', 'second', 'later'])
  })

  it('runs a timer once, and as late as it was set after a move', async () => {
    const { base, clock, ran, timer } = moved()
    clock.forward(3000)
    timer('once', 1000)
    await base.advance(999)
    expect(ran).toEqual([])
    await base.advance(1)
    clock.forward(5000)
    await base.advance(5000)
    expect(ran).toEqual(['once'])
  })
})
