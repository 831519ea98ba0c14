import { endSession } from '../../src/store/session-effects'
import { notes, outcome, plain, ready, record } from './own-backend'

describe('loads of one store', () => {
  // Promise: loads-apart
  it('50 subscribers in one tick cause one request', async () => {
    const { store, backend, answer } = notes()
    const all = Array.from({ length: 50 }, () => record(store))
    await answer('one')
    expect(backend.asked.length).toBe(1)
    expect(all.map(({ told }) => told)).toEqual(all.map(() => ['one']))
  })

  // Promise: loads-apart
  it('50 get() at once and 10 in a row cost one request', async () => {
    const { store, backend, answer } = notes()
    const all = Array.from({ length: 50 }, () => outcome(store.get()))
    await answer('one')
    for (let times = 0; times < 10; times++) expect(await store.get()).toBe('one')
    expect([all.every(({ value }) => value === 'one'), backend.asked.length]).toEqual([true, 1])
  })

  it.each([
    [299, 1],
    [300, 2],
  ])('%i ms after one began there have been %i', async (millis, requests) => {
    const { store, backend, answer, clock } = notes()
    record(store)
    await answer('first')
    const refreshed = outcome(store.refresh())
    await clock.advance(millis)
    expect([backend.asked.length, refreshed.value]).toEqual([requests, 'pending'])
  })

  // Promise: loads-apart
  it('are 300 ms apart from start to start, however long they take', async () => {
    const { store, backend, answer, clock, run } = notes()
    record(store)
    await clock.advance(1000)
    await answer('slow')
    void store.refresh()
    await run()
    expect(backend.asked.length).toBe(2)
  })

  // Promise: refresh-joins-load
  it('a refresh asked for while one waits for its 300 ms joins it', async () => {
    const { store, backend, answer, clock } = notes()
    record(store)
    await answer('first')
    const one = outcome(store.refresh())
    await clock.advance(100)
    const two = outcome(store.refresh())
    const three = outcome(store.get({ maxAgeMillis: 0 }))
    await clock.advance(200)
    await answer('second')
    await clock.advance(1000)
    expect([one.value, two.value, three.value, backend.asked.length]).toEqual(['second', 'second', 'second', 2])
  })

  // Promise: refresh-joins-load
  it('refreshes asked for while one runs queue exactly one more, and none of them gets the running one', async () => {
    const { store, backend, answer, clock } = notes()
    const values = record(store)
    await clock.advance(0)
    const asked = Array.from({ length: 5 }, () => outcome(store.refresh()))
    await clock.advance(100)
    await answer('before')
    expect([values.told, asked.map(({ value }) => value)]).toEqual([['before'], asked.map(() => 'pending')])
    await clock.advance(200)
    await answer('after')
    await clock.advance(1000)
    expect([values.told, asked.map(({ value }) => value)]).toEqual([['before', 'after'], asked.map(() => 'after')])
    expect(backend.asked.length).toBe(2)
  })

  it('get() during a load joins it', async () => {
    const { store, backend, answer, clock } = notes()
    record(store)
    await clock.advance(200)
    const joined = outcome(store.get())
    await answer('one')
    await clock.advance(1000)
    expect([joined.value, backend.asked.length]).toEqual(['one', 1])
  })

  it('of which one has an endless answer are not disturbed by later subscribers', async () => {
    const { store, backend, clock } = notes()
    record(store)
    await clock.advance(60_000)
    record(store)
    await clock.advance(0)
    expect(backend.asked.length).toBe(1)
  })
})

describe('abort', () => {
  // Promise: abort-of-one-caller
  it('of one caller rejects that caller alone', async () => {
    const { store, backend, answer, run } = notes()
    const leaving = new AbortController()
    const one = outcome(store.get({ signal: leaving.signal }))
    const two = outcome(store.get())
    const three = outcome(store.get({ signal: new AbortController().signal }))
    await run()
    leaving.abort()
    await run()
    expect([one.value, two.value, backend.last.signal.aborted]).toEqual(['error: ABORTED', 'pending', false])
    await answer('for the others')
    expect([two.value, three.value]).toEqual(['for the others', 'for the others'])
  })

  // Promise: abort-of-one-caller
  it('of the last caller cancels the request', async () => {
    const { store, backend, run } = notes()
    const [a, b] = [new AbortController(), new AbortController()]
    const one = outcome(store.get({ signal: a.signal }))
    const two = outcome(store.refresh({ signal: b.signal }))
    await run()
    a.abort()
    await run()
    expect(backend.last.signal.aborted).toBe(false)
    b.abort()
    await run()
    expect([one.value, two.value, backend.last.signal.aborted]).toEqual(['error: ABORTED', 'error: ABORTED', true])
  })

  // Promise: abort-of-one-caller
  it('of the last caller cancels nothing while there are subscribers', async () => {
    const { store, backend, answer, run } = notes()
    const values = record(store)
    const leaving = new AbortController()
    const one = outcome(store.get({ signal: leaving.signal }))
    await run()
    leaving.abort()
    await answer('still wanted')
    expect([one.value, values.told, backend.last.signal.aborted]).toEqual(['error: ABORTED', ['still wanted'], false])
  })

  it.each(['get', 'refresh'] as const)('before %s() rejects it, sends nothing and creates no cell', async how => {
    const { store, backend, run, cells } = notes()
    const one = outcome(store[how]({ signal: AbortSignal.abort() }))
    await run()
    expect([one.value, backend.asked.length, cells()]).toEqual(['error: ABORTED', 0, 0])
  })

  it('leaves a cell that is not refreshing, and lives 5000 ms more', async () => {
    const { store, answer, clock, run, cells } = notes()
    void store.get()
    await answer('known')
    await clock.advance(1000)
    const leaving = new AbortController()
    outcome(store.refresh({ signal: leaving.signal }))
    await run()
    expect(plain(store)).toEqual(ready('known', { refreshing: true }))
    leaving.abort()
    await run()
    expect(plain(store)).toEqual(ready('known'))
    await clock.advance(4999)
    expect(cells()).toBe(1)
    await clock.advance(1)
    expect(cells()).toBe(0)
  })

  it('lets a later caller load again, without the result of the cancelled request', async () => {
    const { store, backend, answer, clock, run } = notes()
    const leaving = new AbortController()
    outcome(store.get({ signal: leaving.signal }))
    await run()
    leaving.abort()
    const later = outcome(store.get())
    await clock.advance(300)
    backend.asked[0]?.answer('cancelled')
    await run()
    expect([later.value, store.snapshot.status]).toEqual(['pending', 'pending'])
    await answer('later')
    expect(later.value).toBe('later')
  })
})

describe('a subscriber notified of a load', () => {
  it.each([
    ['aborts a call', 'error: ABORTED'],
    ['disposes of the kit', 'error: DISPOSED'],
    ['signs out', 'error: SESSION_CHANGED'],
  ])('and then %s leaves no caller waiting', async (what, expected) => {
    const { kit, store, backend, answer, clock, run, timers } = notes('session')
    record(store)
    await answer('known')
    await clock.advance(1000)
    const leaving = new AbortController()
    store.listen(() => {
      if (store.snapshot.status !== 'ready' || !store.snapshot.refreshing) return
      if (what === 'aborts a call') leaving.abort()
      else if (what === 'signs out') void endSession(kit, 'signed-out')
      else kit.dispose()
    })
    const asked = outcome(store.refresh({ signal: leaving.signal }))
    await run()
    expect([asked.value, timers.running]).toEqual([expected, 0])
    await clock.advance(1000)
    // The load is also for the watchers.
    expect(backend.asked.length).toBe(what === 'aborts a call' ? 2 : 1)
  })
})
