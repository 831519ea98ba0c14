import { BehaviorSubject } from 'rxjs'
import { until, type ClientApp, type Store } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../world'

const isRenamed = (user: { readonly displayName: string | null } | null) => user?.displayName === 'Countess'

async function waiting() {
  const visible$ = new BehaviorSubject(true)
  const all = await world({ app: { host: { visible$ } } })
  const server = createServerApp(all.platform.serverOptions)
  const { id } = (await all.settled(all.app.user$.get()))!
  const loads = () => all.requests.filter(line => line === 'GET /users/me').length
  /** Elsewhere, so that this kit is not told. */
  const rename = () => all.settled(server.updateUserById({ userId: id, displayName: 'Countess' }))
  return { ...all, visible$, server, id, loads, rename }
}

/** What the promise does, without a wait for it. */
function outcome(promise: Promise<unknown>): { readonly now: () => unknown } {
  let now: unknown = 'waits'
  promise.then(
    value => (now = value),
    (error: unknown) => (now = error),
  )
  return { now: () => now }
}

function thrown(): never {
  throw new Error('broken')
}

describe('until', () => {
  it('resolves to the present value if it meets the predicate', async () => {
    const { app, settled, clock } = await waiting()
    expect(await settled(until(app.user$, user => user?.displayName === 'Ada'))).toMatchObject({ displayName: 'Ada' })
    expect(app.inspect()).toMatchObject({ subscriptions: 0, timers: 1 })
    await clock.advance(10_000)
    expect(app.inspect()).toMatchObject({ subscriptions: 0, timers: 0 })
  })

  it('sees what happens on another device within 5 s', async () => {
    const { app, clock, rename } = await waiting()
    const seen = outcome(until(app.user$, isRenamed))
    await clock.advance(60_000)
    await rename()
    expect(seen.now()).toBe('waits')
    await clock.advance(5_000)
    expect(seen.now()).toMatchObject({ displayName: 'Countess' })
  })

  it('loads after 1 s, then after twice as long each time up to 5 s', async () => {
    const { app, clock, loads } = await waiting()
    const at: number[] = []
    void until(app.user$, isRenamed).catch(() => undefined)
    const [begun, from] = [clock.now(), loads()]
    for (let second = 1, before = from; second <= 27; second++) {
      await clock.advance(1000)
      if (loads() > before) at.push((clock.now() - begun) / 1000)
      before = loads()
    }
    expect(at).toEqual([1, 3, 7, 12, 17, 22, 27])
    app.dispose()
  })

  it('loads at the interval of the caller', async () => {
    const { app, clock, loads } = await waiting()
    void until(app.user$, isRenamed, { everyMillis: 10_000 }).catch(() => undefined)
    const before = loads()
    await clock.advance(30_000)
    expect(loads() - before).toBe(3)
    app.dispose()
  })

  it('with the interval Infinity loads no more, and takes what others load', async () => {
    const { app, clock, loads, settled, rename } = await waiting()
    const seen = outcome(until(app.user$, isRenamed, { everyMillis: Infinity, timeoutMillis: Infinity }))
    const before = loads()
    await clock.advance(3_600_000)
    expect(loads() - before).toBe(0)
    await rename()
    await settled(app.user$.refresh())
    expect(seen.now()).toMatchObject({ displayName: 'Countess' })
    expect(app.inspect()).toMatchObject({ subscriptions: 0 })
  })

  it('loads nothing while the page is hidden, and at once when it shows', async () => {
    const { app, clock, loads, visible$, rename } = await waiting()
    const seen = outcome(until(app.user$, isRenamed))
    await clock.advance(1000)
    const before = loads()
    visible$.next(false)
    await rename()
    await clock.advance(200_000)
    expect(loads()).toBe(before)
    visible$.next(true)
    await clock.advance(300)
    expect(seen.now()).toMatchObject({ displayName: 'Countess' })
  })

  it('judges no value of a write without an answer', async () => {
    const { app, clock, platform } = await waiting()
    const seen = outcome(until(app.user$, isRenamed))
    platform.faults.next('PATCH /users/me', { status: 400, delayMillis: 500 })
    const write = app.updateUser({ displayName: 'Countess' }).catch(() => undefined)
    await clock.advance(0)
    expect(app.user$.snapshot).toMatchObject({ value: { displayName: 'Countess' }, unconfirmed: 1 })
    await clock.advance(1000)
    await write
    expect(seen.now()).toBe('waits')
    app.dispose()
  })

  it.each([
    ['after 5 minutes', undefined, 300_000],
    ['when the caller says', 60_000, 60_000],
  ])('rejects with TIMED_OUT %s', async (_, timeoutMillis, after) => {
    const { app, clock } = await waiting()
    const seen = outcome(until(app.user$, isRenamed, { ...(timeoutMillis !== undefined && { timeoutMillis }) }))
    await clock.advance(after - 1)
    expect(seen.now()).toBe('waits')
    await clock.advance(1)
    expect(seen.now()).toMatchObject({ code: 'TIMED_OUT' })
    await clock.advance(10_000)
    expect(app.inspect()).toMatchObject({ subscriptions: 0, timers: 0 })
  })

  it.each([{ status: 503 }, { status: 500 }, { loseResponse: true }, { status: 429 }] as const)(
    'waits out %p',
    async fault => {
      const { app, clock, platform, rename } = await waiting()
      const seen = outcome(until(app.user$, isRenamed))
      const end = platform.faults.every('GET /users/me', fault)
      await clock.advance(30_000)
      expect(seen.now()).toBe('waits')
      end()
      await rename()
      await clock.advance(60_000)
      expect(seen.now()).toMatchObject({ displayName: 'Countess' })
    },
  )

  it('rejects with a refusal', async () => {
    const { app, clock, platform } = await waiting()
    const seen = outcome(until(app.user$, isRenamed))
    platform.faults.every('GET /users/me', { status: 403 })
    await clock.advance(2000)
    expect(seen.now()).toMatchObject({ code: 'REQUEST_FAILED', status: 403 })
  })

  it('rejects with what the predicate throws', async () => {
    const { app, settled } = await waiting()
    const thrown = new Error('no')
    const broken = () => {
      throw thrown
    }
    await expect(settled(until(app.user$, broken))).rejects.toBe(thrown)
  })

  it.each<[string, (app: ClientApp) => Promise<unknown>]>([
    ['out', app => app.signOut()],
    ['in as another user', app => app.signInWithPassword({ email: grace.email, password: grace.password })],
  ])('rejects with SESSION_CHANGED when the user signs %s', async (_, change) => {
    const { app, settled } = await waiting()
    const seen = outcome(until(app.user$, isRenamed))
    await settled(Promise.resolve())
    await settled(change(app))
    expect(seen.now()).toMatchObject({ code: 'SESSION_CHANGED' })
  })

  it('waits for a sign-in', async () => {
    const { newApp, settled } = await waiting()
    const app = newApp()
    const seen = outcome(until(app.user$, user => user !== null))
    await settled(Promise.resolve())
    expect(seen.now()).toBe('waits')
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    await settled(app.user$.get())
    expect(seen.now()).toMatchObject({ displayName: 'Ada' })
  })

  it('ends with the signal of the caller, at once if it has aborted', async () => {
    const { app, settled } = await waiting()
    const controller = new AbortController()
    const seen = outcome(until(app.user$, isRenamed, controller))
    await settled(Promise.resolve())
    controller.abort()
    await settled(Promise.resolve())
    expect(seen.now()).toMatchObject({ code: 'ABORTED' })
    await expect(until(app.user$, isRenamed, controller)).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('ends with the kit', async () => {
    const { app, settled } = await waiting()
    const seen = outcome(until(app.user$, isRenamed))
    app.dispose()
    await settled(Promise.resolve())
    expect(seen.now()).toMatchObject({ code: 'DISPOSED' })
    await expect(until(app.user$, isRenamed)).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('waits for a derived store, too', async () => {
    const { app, clock, rename } = await waiting()
    const name$ = app.derive(read => read(app.user$)?.displayName)
    const seen = outcome(until(name$, (name): name is 'Countess' => name === 'Countess'))
    await clock.advance(1000)
    await rename()
    await clock.advance(5000)
    expect(seen.now()).toBe('Countess')
  })

  describe('over a store of another origin', () => {
    /** As another library might make it: without a kit. */
    function foreign(refresh: () => unknown) {
      const shown$ = new BehaviorSubject({ status: 'ready', value: 1, unconfirmed: 0 })
      const store = {
        refresh,
        snapshot$: shown$,
        get snapshot() {
          return shown$.value
        },
      } as unknown as Store<number>
      return { shown$, store }
    }

    it.each([
      ['throws', thrown],
      ['rejects', () => Promise.reject(new Error('no'))],
      ['returns nothing', () => undefined],
    ])('whose refresh %s goes on asking', async (_, refresh) => {
      let asked = 0
      let done: () => void = () => undefined
      const thrice = new Promise<void>(resolve => (done = resolve))
      const { store, shown$ } = foreign(() => {
        if (++asked === 3) done()
        return refresh()
      })
      const seen = until(store, value => value === 2, { everyMillis: 1 })
      await thrice
      shown$.next({ status: 'ready', value: 2, unconfirmed: 0 })
      expect(await seen).toBe(2)
    })

    it('whose snapshot throws rejects with that', async () => {
      const { store } = foreign(() => undefined)
      Object.defineProperty(store, 'snapshot', { get: thrown })
      await expect(until(store, () => true)).rejects.toThrow('broken')
    })
  })

  it.each([
    ['timeoutMillis', 0],
    ['timeoutMillis', NaN],
    ['everyMillis', -1],
    ['everyMillis', 2 ** 31],
  ])('refuses %s: %p', async (field, millis) => {
    const { app } = await waiting()
    await expect(until(app.user$, isRenamed, { [field]: millis })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field },
    })
  })
})
