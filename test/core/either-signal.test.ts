import { getEventListeners } from 'node:events'
import { eitherOf } from '../../src/core/signals'

describe('either of two signals', () => {
  it.each([0, 1])('aborts with the reason of the one that aborts first: number %i', first => {
    const controllers = [new AbortController(), new AbortController()] as const
    const { signal } = eitherOf(controllers[0].signal, controllers[1].signal)
    expect(signal.aborted).toBe(false)
    controllers[first as 0 | 1].abort('first')
    controllers[first === 0 ? 1 : 0].abort('second')
    expect(signal.reason).toBe('first')
  })

  it('is aborted from the start if one of them is', () => {
    expect(eitherOf(new AbortController().signal, AbortSignal.abort('early')).signal.reason).toBe('early')
    expect(eitherOf(AbortSignal.abort('early'), undefined).signal.reason).toBe('early')
  })

  it('removes its listeners when it is released', () => {
    const controllers = [new AbortController(), new AbortController()] as const
    const { signal, release } = eitherOf(controllers[0].signal, controllers[1].signal)
    release()
    for (const controller of controllers) controller.abort()
    expect(signal.aborted).toBe(false)
  })
})

it('of one signal follows it, and is collected with its own listeners', () => {
  const controller = new AbortController()
  const either = eitherOf(controller.signal, undefined)
  either.signal.addEventListener('abort', () => undefined)
  expect(getEventListeners(controller.signal, 'abort').length).toBe(1)
  either.release()
  expect(getEventListeners(controller.signal, 'abort').length).toBe(0)
  const other = eitherOf(controller.signal, undefined)
  controller.abort('over')
  expect([either.signal.aborted, other.signal.reason]).toEqual([false, 'over'])
})

it('a hundred at a time are one listener on their signal, and none when they have been released', () => {
  const { signal } = new AbortController()
  const added = jest.spyOn(signal, 'addEventListener')
  const removed = jest.spyOn(signal, 'removeEventListener')
  const all = Array.from({ length: 100 }, () => eitherOf(signal, new AbortController().signal))
  expect(added).toHaveBeenCalledTimes(1)
  for (const { release } of all) release()
  expect(removed).toHaveBeenCalledTimes(1)
})

it('a hundred at a time all end with their signal', () => {
  const controller = new AbortController()
  const all = Array.from({ length: 100 }, () => eitherOf(controller.signal, new AbortController().signal).signal)
  controller.abort(new Error('over'))
  expect(all.every(({ aborted, reason }) => aborted && reason === controller.signal.reason)).toBe(true)
})
