import { onAbort } from '../../src/core/signals'

describe('the abort of a signal', () => {
  it('calls back once, in order of registration', () => {
    const controller = new AbortController()
    const told: string[] = []
    onAbort(controller.signal, () => told.push('first'))
    onAbort(controller.signal, () => told.push('second'))
    controller.abort()
    controller.signal.dispatchEvent(new Event('abort'))
    expect(told).toEqual(['first', 'second'])
  })

  it('calls one function for each of its registrations, which are called off one by one', () => {
    const controller = new AbortController()
    let told = 0
    const tell = () => told++
    const forget = onAbort(controller.signal, tell)
    onAbort(controller.signal, tell)
    forget()
    forget()
    controller.abort()
    expect(told).toBe(1)
  })

  it('skips callbacks that an earlier callback has called off', () => {
    const controller = new AbortController()
    const told: string[] = []
    onAbort(controller.signal, () => {
      told.push('first')
      forget()
    })
    const forget = onAbort(controller.signal, () => told.push('second'))
    controller.abort()
    expect(told).toEqual(['first'])
  })

  it('that happened before registration calls nothing', () => {
    const told = jest.fn()
    onAbort(AbortSignal.abort(), told)()
    expect(told).not.toHaveBeenCalled()
  })

  it('of no signal never comes', () => {
    expect(onAbort(undefined, jest.fn())).not.toThrow()
  })

  it('costs one listener for a hundred, and none when all are called off', () => {
    const { signal } = new AbortController()
    const added = jest.spyOn(signal, 'addEventListener')
    const removed = jest.spyOn(signal, 'removeEventListener')
    const all = Array.from({ length: 100 }, () => onAbort(signal, jest.fn()))
    expect(added).toHaveBeenCalledTimes(1)
    for (const forget of all.slice(1)) forget()
    expect(removed).not.toHaveBeenCalled()
    all[0]?.()
    expect(removed).toHaveBeenCalledTimes(1)
    onAbort(signal, jest.fn())
    expect(added).toHaveBeenCalledTimes(2)
  })
})
