import { virtualClock } from 'rxauth/platform'
import { Trace, type TraceEvent } from '../../src/transport/transport'

const event = { type: 'refresh', outcome: 'refreshed' } as const

describe('a trace', () => {
  it('dates its events by the clock, and emits them to all subscribers', async () => {
    const clock = virtualClock(new Date(1000))
    const trace = new Trace(clock)
    const seen: TraceEvent[] = []
    trace.events$.subscribe(one => seen.push(one))
    trace.events$.subscribe(one => seen.push(one))
    await clock.advance(5)
    trace.emit(() => event)
    expect(seen).toEqual([
      { at: new Date(1005), ...event },
      { at: new Date(1005), ...event },
    ])
  })

  // Promise: trace-costs-nothing
  it('makes no event without subscribers', () => {
    const trace = new Trace(virtualClock())
    const make = jest.fn(() => event)
    trace.emit(make)
    trace.events$.subscribe().unsubscribe()
    trace.emit(make)
    expect(make).not.toHaveBeenCalled()
  })

  it('completes at its end', () => {
    const trace = new Trace(virtualClock())
    const complete = jest.fn()
    trace.events$.subscribe({ complete })
    trace.end()
    expect(complete).toHaveBeenCalledTimes(1)
  })

  it('cannot be written to from outside', () => {
    expect(new Trace(virtualClock()).events$).not.toHaveProperty('next')
  })
})
