import { getEventListeners } from 'node:events'
import { derive } from 'rxauth'
import { world } from '../world'

// Promise: abort-signal
it('one signal for a hundred calls of every kind has one listener while they run, and none afterwards', async () => {
  const { app, clock, platform } = await world()
  const name$ = derive(app, read => read(app.user$)?.displayName)
  const { signal } = new AbortController()
  const listeners = () => getEventListeners(signal, 'abort').length
  const most: number[] = []
  platform.requests$.subscribe(() => most.push(listeners()))
  const calls = Array.from({ length: 25 }, (_, i) => [
    app.user$.get({ signal, maxAgeMillis: -1 }),
    app.user$.refresh({ signal }),
    name$.get({ signal, maxAgeMillis: -1 }),
    app.updateUser({ displayName: `Ada ${i}` }, { signal }),
  ]).flat()
  most.push(listeners())
  const done = Promise.all(calls)
  await clock.advance(2000)
  await done
  expect(most.length).toBeGreaterThan(25)
  expect(Math.max(...most)).toBe(1)
  expect(listeners()).toBe(0)
})

// Promise: abort-signal
it('one signal ends a hundred calls at once, whatever they wait for', async () => {
  const { app, clock, platform } = await world()
  platform.faults.every('*', { status: 429, retryAfter: '60' })
  const controller = new AbortController()
  const { signal } = controller
  const calls = Array.from({ length: 50 }, (_, i) => [
    app.user$.get({ signal }),
    app.updateUser({ displayName: `Ada ${i}` }, { signal }),
  ]).flat()
  const done = Promise.allSettled(calls)
  await clock.advance(1000)
  controller.abort()
  const codes = (await clock.settled(done)).map(
    each => each.status === 'rejected' && (each.reason as { code: string }).code,
  )
  expect(new Set(codes)).toEqual(new Set(['ABORTED']))
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
