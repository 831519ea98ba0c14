import { AuthError, followChanges, localChanges, query, view, type ClientApp, type ClientOptions } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { BehaviorSubject, firstValueFrom } from 'rxjs'
import { ada, world } from '../world'
import { Backend, notes, outcome, ownKit, plain, ready, record } from './own-backend'

describe('a load that fails', () => {
  // Promise: first-load-fails
  it('first rejects firstValueFrom, and the snapshot says why', async () => {
    const { store, refuse, clock } = notes()
    const first = outcome(firstValueFrom(store))
    await clock.advance(1000)
    await refuse(new Error('down'))
    expect(first.value).toBe('error: CALLBACK_FAILED')
    expect(plain(store)).toEqual({ status: 'failed', error: 'CALLBACK_FAILED', failedAt: 1000, refreshing: false })
  })

  it('keeps what the app threw as the cause, for streams and promises alike', async () => {
    const { store, refuse } = notes()
    const thrown = new Error('down')
    const promise = store.get().catch((error: unknown) => error)
    const stream = firstValueFrom(store).catch((error: unknown) => error)
    await refuse(thrown)
    expect([await promise, await stream]).toEqual([
      expect.objectContaining({ code: 'CALLBACK_FAILED', cause: thrown }),
      expect.objectContaining({ code: 'CALLBACK_FAILED', cause: thrown }),
    ])
  })

  // Promise: first-load-fails
  it('later is in the snapshot beside the value and ends no stream', async () => {
    const { store, answer, refuse, clock } = notes()
    const values = record(store)
    await answer('known')
    await clock.advance(1000)
    const refreshed = outcome(store.refresh())
    await refuse(new Error('down'))
    expect([values.told, refreshed.value]).toEqual([['known'], 'error: CALLBACK_FAILED'])
    expect(plain(store)).toEqual(ready('known', { error: 'CALLBACK_FAILED' }))
    void store.refresh()
    await clock.advance(300)
    await answer('again')
    expect(values.told).toEqual(['known', 'again'])
    expect(plain(store)).toEqual(ready('again', { fetchedAt: 1300 }))
  })

  it('does not error snapshot$, which continues', async () => {
    const { store, answer, refuse, clock } = notes()
    const snapshots = record(store.snapshot$)
    await refuse(new Error('down'))
    void store.refresh().catch(() => undefined)
    await clock.advance(300)
    await answer('known')
    expect((snapshots.told as { status: string }[]).map(({ status }) => status)).toEqual([
      'pending',
      'failed',
      'failed',
      'ready',
    ])
  })

  // Promise: load-after-failure
  it.each(['subscribe', 'listen', 'get'] as const)('is tried again for a new caller of %s', async how => {
    const { store, backend, answer, refuse, clock } = notes()
    record(store.snapshot$)
    await refuse(new Error('down'))
    await clock.advance(1000)
    if (how === 'subscribe') record(store)
    if (how === 'listen') store.listen(() => undefined)
    if (how === 'get') void store.get()
    await answer('known')
    expect([backend.asked.length, plain(store)]).toEqual([2, ready('known', { fetchedAt: 1000 })])
  })

  // Promise: load-after-failure
  it('is tried again for a new subscriber although there is a value', async () => {
    const { store, backend, answer, refuse, clock } = notes()
    record(store)
    await answer('known')
    await clock.advance(400)
    void store.refresh().catch(() => undefined)
    await refuse(new Error('down'))
    const late = record(store)
    expect(late.told).toEqual(['known'])
    await clock.advance(300)
    await answer('new')
    expect([late.told, backend.asked.length]).toEqual([['known', 'new'], 3])
  })

  it('and is retried inside error() is throttled like any other', async () => {
    const { store, backend, refuse, clock } = notes()
    const told: string[] = []
    const again = () => {
      store.subscribe({
        error: () => {
          told.push('error')
          again()
        },
      })
    }
    again()
    await refuse(new Error('down'))
    await clock.advance(299)
    expect([told.length, backend.asked.length]).toEqual([1, 1])
    await clock.advance(1)
    await refuse(new Error('down'))
    expect([told.length, backend.asked.length]).toEqual([2, 2])
  })
})

describe('a value that cannot be compared with the one before', () => {
  const cyclic = () => {
    const value: { self?: unknown } = {}
    return Object.assign(value, { self: value })
  }
  const throwing = () => ({
    get part(): unknown {
      throw new Error('not to be read')
    },
  })

  it.each([
    ['with a cycle', cyclic],
    ['with a part that throws when it is read', throwing],
  ])('is a new one: refresh() of a value %s settles and emits', async (_, make) => {
    const { kit, answer, clock } = ownKit()
    const backend = new Backend<object>()
    const store = query(backend.ask, { key: 'odd', ownedBy: 'app' })(kit)
    const { told } = record(store)
    await answer(backend, make())
    for (let times = 0; times < 2; times++) {
      const refreshed = outcome(store.refresh())
      await clock.advance(300)
      const next = make()
      await answer(backend, next)
      expect(refreshed.value).toBe(next)
      expect(told.at(-1)).toBe(next)
    }
  })

  it('fails a view that throws a value without a text; refresh() settles all the same', async () => {
    const { kit, answer, clock } = ownKit()
    const backend = new Backend<string>()
    const text$ = query(backend.ask, { key: 'text', ownedBy: 'app' })
    const bad = view(text$, () => {
      throw Object.create(null)
    })(kit)
    record(bad)
    const [refreshed, whole] = [outcome(bad.refresh()), outcome(text$(kit).refresh())]
    await answer(backend, 'one')
    await clock.advance(300)
    await answer(backend, 'two')
    expect([refreshed.value, whole.value, bad.snapshot.status]).toEqual(['error: CALLBACK_FAILED', 'two', 'failed'])
  })
})

describe('a load that the platform puts off until a later time', () => {
  const later = (millis: number) =>
    new AuthError('RATE_LIMITED', 'slow down', { details: { retryAt: new Date(virtualClock().now() + millis) } })

  // Promise: asked-waits
  it('keeps the value, and is tried again then', async () => {
    const { store, backend, answer, refuse, clock } = notes()
    const values = record(store)
    await answer('known')
    await clock.advance(1000)
    const refreshed = outcome(store.refresh())
    await refuse(later(3_600_000))
    expect([values.told, refreshed.value]).toEqual([['known'], 'error: RATE_LIMITED'])
    expect(plain(store)).toEqual(ready('known', { error: 'RATE_LIMITED' }))
    await clock.advance(3_598_999)
    expect(backend.asked.length).toBe(2)
    await clock.advance(1)
    expect(backend.asked.length).toBe(3)
    await answer('again')
    expect(values.told).toEqual(['known', 'again'])
    expect(plain(store)).toEqual(ready('again', { fetchedAt: 3_600_000 }))
  })

  it('and again, if the platform puts it off once more', async () => {
    const { store, backend, answer, refuse, clock } = notes()
    record(store.snapshot$)
    await refuse(later(60_000))
    await clock.advance(60_000)
    await refuse(later(90_000))
    await clock.advance(30_000)
    await answer('known')
    expect([backend.asked.length, plain(store)]).toEqual([3, ready('known', { fetchedAt: 90_000 })])
  })

  it('waits for no subscriber: the last one takes its timer away', async () => {
    const { store, backend, answer, refuse, clock, timers } = notes()
    const values = record(store)
    await answer('known')
    void store.refresh().catch(() => undefined)
    await clock.advance(300)
    await refuse(later(3_600_000))
    values.stop()
    await clock.advance(5000)
    expect([backend.asked.length, timers.running]).toEqual([2, 0])
  })

  it('has no timer if it has no subscriber', async () => {
    const { store, refuse, clock, timers } = notes()
    const read = outcome(store.get())
    await refuse(later(3_600_000))
    await clock.advance(5000)
    expect([read.value, timers.running]).toEqual(['error: RATE_LIMITED', 0])
  })

  it('is not tried earlier by the interval or a page that is shown again, but for a caller', async () => {
    const visible$ = new BehaviorSubject(true)
    const { store, backend, answer, refuse, clock } = notes('app', {
      host: { visible$ },
      refreshOn: { everyMillis: 10_000 },
    })
    record(store)
    await answer('known')
    await clock.advance(10_000)
    await refuse(later(60_000))
    visible$.next(false)
    visible$.next(true)
    await clock.advance(30_000)
    expect(backend.asked.length).toBe(2)
    const refreshed = outcome(store.refresh())
    await answer('asked')
    expect([backend.asked.length, refreshed.value]).toEqual([3, 'asked'])
    // The time that was named before means nothing any more.
    await clock.advance(9_999)
    expect(backend.asked.length).toBe(3)
  })

  it('ends with its session and with its kit', async () => {
    const own = notes('session')
    record(own.store)
    await own.answer('known')
    void own.store.refresh().catch(() => undefined)
    await own.clock.advance(300)
    await own.refuse(later(3_600_000))
    const before = own.timers.running
    own.tokens.write(null)
    await own.run()
    expect(own.timers.running).toBe(before - 1)
    own.kit.dispose()
    expect(own.timers.running).toBe(0)
  })

  it.each([null, new Date(0), new Date(NaN), new Date(8.64e15)])(
    'by no usable time (%p) is not tried again by itself',
    async retryAt => {
      const { store, backend, answer, refuse, clock } = notes()
      record(store)
      await answer('known')
      void store.refresh().catch(() => undefined)
      await clock.advance(300)
      await refuse(new AuthError('RATE_LIMITED', 'slow down', { details: { retryAt } }))
      await clock.advance(100_000)
      expect(backend.asked.length).toBe(2)
    },
  )
})

describe('auth$ whose first load has failed', () => {
  async function failed(options: Partial<ClientOptions> = {}) {
    const made = await world()
    const { platform, newApp, tokensOf, clock } = made
    platform.faults.next('GET /users/me', { status: 503 })
    const app = newApp({ tokens: await tokensOf(ada), ...options })
    record(app.auth$)
    await clock.advance(1000)
    expect(app.auth$.value).toMatchObject({ status: 'unknown', error: { code: 'REQUEST_FAILED' } })
    return { ...made, app }
  }

  // Promise: load-after-failure
  it.each<[what: string, run: (app: ClientApp) => Promise<unknown>]>([
    ['a write of the user', app => app.updateUser({ displayName: 'Countess' })],
    ['a call that refreshes', app => app.anyUser$.refresh()],
  ])('is signed in after %s', async (_, run) => {
    const { app, inTime } = await failed()
    await inTime(run(app))
    expect(app.auth$.value).toMatchObject({ status: 'signed-in' })
  })

  // Promise: load-after-failure
  it('is signed in after a change of the user that is told', async () => {
    const { app, clock, platform, inTime } = await failed()
    const stop = followChanges(app, localChanges(app))
    await clock.advance(1)
    const server = createServerApp(platform.serverOptions)
    const [user] = (await inTime(server.users$({ query: 'ada' }).get())).items
    await inTime(server.updateUserById({ userId: user!.id, displayName: 'Countess' }))
    await clock.advance(1000)
    expect(app.auth$.value).toMatchObject({ status: 'signed-in' })
    stop()
  })

  // Promise: load-after-failure
  it('is signed in after the next poll', async () => {
    const { app, clock } = await failed({ refreshOn: { everyMillis: 60_000 } })
    await clock.advance(60_000)
    expect(app.auth$.value).toMatchObject({ status: 'signed-in' })
  })
})
