import { createKit, query, type TokenStore } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { firstValueFrom } from 'rxjs'
import { world } from '../world'
import { notes, outcome, record } from './own-backend'

describe('dispose()', () => {
  // Promise: dispose
  it('rejects what is pending with DISPOSED and cancels its requests', async () => {
    const { kit, store, backend, run } = notes('session')
    const asked = [outcome(store.get()), outcome(store.refresh()), outcome(firstValueFrom(store))]
    await run()
    kit.dispose()
    await run()
    expect(asked.map(({ value }) => value)).toEqual(asked.map(() => 'error: DISPOSED'))
    expect(backend.last.signal.aborted).toBe(true)
  })

  it('rejects a get() that waits for a token store, too', async () => {
    const hung: TokenStore = { read: () => new Promise(() => undefined), replace: () => false }
    const clock = virtualClock()
    const kit = createKit({ baseUrl: 'http://localhost', clock, tokens: hung })
    const asked = outcome(query(async () => 1, { key: 'one', ownedBy: 'session', signedOut: 0 })(kit).get())
    await clock.advance(0)
    kit.dispose()
    await clock.advance(0)
    expect(asked.value).toBe('error: DISPOSED')
  })

  // Promise: dispose
  it('completes streams that have a value', async () => {
    const { kit, store, answer } = notes('session')
    const values = record(store)
    const snapshots = record(store.snapshot$)
    await answer('known')
    kit.dispose()
    expect([values.told.at(-1), snapshots.told.at(-1)]).toEqual(['complete', 'complete'])
  })

  // Promise: dispose
  it('leaves no timer and no cell, and may be called twice', async () => {
    const { kit, store, answer, clock, timers, cells } = notes('session', { refreshOn: { everyMillis: 1000 } })
    record(store)
    await answer('known')
    void store.refresh().catch(() => undefined)
    kit.dispose()
    kit.dispose()
    await clock.advance(60_000)
    expect([timers.running, cells()]).toEqual([0, 0])
  })

  it('leaves no timer of a cell in its last 5000 ms', async () => {
    const { kit, store, answer, timers } = notes()
    const values = record(store)
    await answer('known')
    values.stop()
    expect(timers.running).toBe(1)
    kit.dispose()
    expect(timers.running).toBe(0)
  })

  it('sends no request for a call of the same moment', async () => {
    const { kit, store, backend, run } = notes()
    record(store)
    kit.dispose()
    await run()
    expect(backend.asked.length).toBe(0)
  })

  it.each(['get', 'refresh'] as const)(
    'rejects %s() of the same moment, which sends nothing and creates no cell',
    async how => {
      const { kit, store, backend, run, cells } = notes()
      const asked = outcome(store[how]())
      kit.dispose()
      await run()
      expect([asked.value, backend.asked.length, cells()]).toEqual(['error: DISPOSED', 0, 0])
    },
  )

  it('leaves no timer when a subscriber calls it during a notification', async () => {
    const { kit, store, answer, timers } = notes()
    store.subscribe(() => {
      kit.dispose()
    })
    await answer('value')
    expect(timers.running).toBe(0)
  })

  it('leaves no timer of a request under way', async () => {
    const { platform, clock, app } = await world()
    platform.faults.every('*', { delayMillis: 10_000 })
    const asked = outcome(app.user$.get())
    await clock.advance(0)
    app.dispose()
    await clock.advance(0)
    expect(asked.value).toBe('error: DISPOSED')
  })

  // Promise: dispose
  it('makes everything afterwards throw DISPOSED', async () => {
    const { kit, store } = notes('session')
    kit.dispose()
    expect(record(store).told).toEqual(['error: DISPOSED'])
    expect(record(store.snapshot$).told).toEqual(['error: DISPOSED'])
    expect(() => store.listen(() => undefined)).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
    await expect(store.get()).rejects.toMatchObject({ code: 'DISPOSED' })
    await expect(store.refresh()).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(store.snapshot).toEqual({ status: 'pending' })
  })
})
