import { Refcount } from '../../src/core/refcount'

function counted() {
  const events: string[] = []
  const count = new Refcount(() => {
    events.push('start')
    return () => events.push('stop')
  })
  return { events, count }
}

describe('something that is held', () => {
  it('starts for the first and stops after the last', () => {
    const { events, count } = counted()
    expect(count.isHeld).toBe(false)
    const [first, second] = [count.retainOnce(), count.retainOnce()]
    expect(events).toEqual(['start'])
    first()
    expect(count.isHeld).toBe(true)
    second()
    expect(count.isHeld).toBe(false)
    expect(events).toEqual(['start', 'stop'])
    count.retainOnce()()
    expect(events).toEqual(['start', 'stop', 'start', 'stop'])
  })

  it('is released once by each holder, however often it calls release', () => {
    const { events, count } = counted()
    const [first, second] = [count.retainOnce(), count.retainOnce()]
    first()
    first()
    expect(events).toEqual(['start'])
    second()
    expect(events).toEqual(['start', 'stop'])
  })

  it('stops at the end, once, whatever its count', () => {
    const { events, count } = counted()
    const release = count.retainOnce()
    count.end()
    expect([events, count.count]).toEqual([['start', 'stop'], 0])
    count.end()
    release()
    expect([events, count.count]).toEqual([['start', 'stop'], 0])
  })

  it('counts as held while it starts', () => {
    const seen: boolean[] = []
    const count: Refcount = new Refcount(() => {
      seen.push(count.isHeld)
      return () => undefined
    })
    count.retainOnce()
    expect(seen).toEqual([true])
  })

  it('that is ended while it starts stops what it has started', () => {
    const stop = jest.fn()
    const count: Refcount = new Refcount(() => {
      count.end()
      return stop
    })
    count.retainOnce()()
    expect([stop.mock.calls.length, count.isHeld]).toEqual([1, false])
  })

  it('does not count a hold whose start threw', () => {
    const outcomes = [new Error('no'), undefined]
    const start = jest.fn(() => {
      const error = outcomes.shift()
      if (error) throw error
      return () => undefined
    })
    const count = new Refcount(start)
    expect(() => count.retainOnce()).toThrow('no')
    expect(count.isHeld).toBe(false)
    count.retainOnce()
    expect(start).toHaveBeenCalledTimes(2)
  })
})
