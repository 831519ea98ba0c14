import { createKit, memoryTokens, query } from 'rxauth'
import type { TokenStore } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { firstValueFrom } from 'rxjs'
import { endSession, startSession } from '../../src/store/session'
import { slowTokens } from '../session/slow-tokens'
import { ada, grace, world } from '../world'
import { Backend, notes, outcome, plain, ready, record, tokensOf } from './own-backend'

describe('when the identity changes', () => {
  it.each(['get', 'refresh'] as const)('a pending %s rejects with SESSION_CHANGED and does not follow', async how => {
    const { store, backend, tokens, answer, run } = notes('session')
    record(store)
    const asked = outcome(store[how]())
    await run()
    tokens.write(tokensOf('grace'))
    await run()
    expect([asked.value, backend.asked[0]?.signal.aborted]).toEqual(['error: SESSION_CHANGED', true])
    await answer('of grace')
    expect(asked.value).toBe('error: SESSION_CHANGED')
  })

  it('a pending get() of a store that nobody watches rejects with SESSION_CHANGED too', async () => {
    const { kit, store, backend, run } = notes('session')
    const asked = outcome(store.get())
    await run()
    await endSession(kit, 'signed-out')
    await run()
    expect([asked.value, backend.last.signal.aborted]).toEqual(['error: SESSION_CHANGED', true])
  })

  it('in the very moment in which a load ends, its promise rejects rather than give what is there now', async () => {
    const { kit, store, backend, run } = notes('session')
    const asked = [outcome(store.get()), outcome(store.refresh())]
    await run()
    // Signs out in a microtask that runs before those who wait for the load.
    store.listen(() => void Promise.resolve().then(() => endSession(kit, 'signed-out')))
    backend.last.answer('of ada')
    await run()
    expect(asked.map(({ value }) => value)).toEqual(['error: SESSION_CHANGED', 'error: SESSION_CHANGED'])
  })

  it("subscribers get the new user's value, and the old user's late answer never appears", async () => {
    const { store, backend, tokens, answer, run } = notes('session')
    const values = record(store)
    const snapshots = record(store.snapshot$)
    await run()
    tokens.write(tokensOf('grace'))
    await run()
    backend.asked[0]?.answer('of ada')
    await run()
    expect([values.told, store.snapshot]).toEqual([[], { status: 'pending' }])
    await answer('of grace')
    expect(values.told).toEqual(['of grace'])
    expect(JSON.stringify(snapshots.told)).not.toContain('of ada')
  })

  it('what was known is gone at once, throttle and age start anew', async () => {
    const { store, backend, tokens, answer, clock, run } = notes('session')
    const values = record(store)
    const snapshots = record(store.snapshot$)
    await clock.advance(100)
    await answer('of ada')
    tokens.write(tokensOf('grace'))
    expect(store.snapshot).toEqual({ status: 'pending' })
    await run()
    expect(backend.asked.length).toBe(2)
    await answer('of grace')
    expect(values.told).toEqual(['of ada', 'of grace'])
    expect((snapshots.told as { status: string }[]).map(({ status }) => status)).toEqual([
      'pending',
      'ready',
      'pending',
      'ready',
    ])
  })

  it('another session of the same user is another identity', async () => {
    const { store, tokens, answer, run, backend } = notes('session')
    record(store)
    await answer('of one session')
    tokens.write(tokensOf('ada', 2))
    await run()
    expect([store.snapshot.status, backend.asked.length]).toEqual(['pending', 2])
  })

  it('to nobody, the value is the one of signed out, without a request', async () => {
    const { kit, store, backend, answer, run } = notes('session')
    const values = record(store)
    await answer('of ada')
    await endSession(kit, 'signed-out')
    await run()
    expect([values.told, plain(store), backend.asked.length]).toEqual([['of ada', 'nothing'], ready('nothing'), 1])
  })

  it('what no session owns stays', async () => {
    const { kit, store, backend, answer, run } = notes('app')
    const owned$ = query(async () => 'owned', { key: 'owned', ownedBy: 'session', signedOut: 'nothing' })
    record(owned$(kit))
    const values = record(store)
    await answer('of all')
    await endSession(kit, 'signed-out')
    await startSession(kit, tokensOf('grace'))
    await run()
    expect([values.told, backend.asked.length]).toEqual([['of all'], 1])
  })

  it('a failure of the old user is gone too, and fails nobody else', async () => {
    const { store, backend, tokens, answer, refuse, run } = notes('session')
    record(store.snapshot$)
    await refuse(new Error('down'))
    tokens.write(tokensOf('grace'))
    expect(store.snapshot).toEqual({ status: 'pending' })
    await run()
    const values = record(store)
    backend.asked[0]?.refuse(new Error('late'))
    await answer('of grace')
    expect(values.told).toEqual(['of grace'])
  })

  it('a first load that fails for the new user errors subscribers that had only the old one', async () => {
    const { store, tokens, answer, refuse } = notes('session')
    const values = record(store)
    await answer('of ada')
    tokens.write(tokensOf('grace'))
    await refuse(new Error('down'))
    expect(values.told).toEqual(['of ada', 'error: CALLBACK_FAILED'])
  })
})

describe('without a change of identity', () => {
  it('new tokens of the same session clear nothing', async () => {
    const { store, backend, tokens, answer, run } = notes('session')
    const snapshots = record(store.snapshot$)
    await answer('of ada')
    tokens.write({ ...tokensOf('ada'), refreshToken: 'rotated' })
    await run()
    expect([snapshots.told.length, backend.asked.length, plain(store)]).toEqual([2, 1, ready('of ada')])
  })

  it('a session of which only the refresh token is known is pending, and determined by its first access token', async () => {
    const { platform, clock, requests, newApp } = await world()
    const { read } = await platform.tokensFor(ada.email)
    const app = newApp({ tokens: memoryTokens({ accessToken: null, refreshToken: read()!.refreshToken }) })
    const snapshots = record(app.user$.snapshot$)
    const values = record(app.user$)
    const asked = outcome(app.user$.get())
    expect([values.told, app.auth$.value]).toEqual([[], { phase: 'unknown' }])
    await clock.advance(0)
    expect([asked.value, values.told.length]).toEqual([expect.objectContaining({ displayName: 'Ada' }), 1])
    expect((snapshots.told as { status: string }[]).map(({ status }) => status)).toEqual(['pending', 'ready'])
    expect(requests).toEqual(['POST /auth/oauth/token', 'GET /users/me'])
  })

  it('signed out there is no request, whoever asks and however often', async () => {
    const { store, backend, clock, run } = notes('session', { person: null })
    const values = record(store)
    expect([values.told, plain(store)]).toEqual([['nothing'], ready('nothing')])
    expect(await store.get()).toBe('nothing')
    const refreshed = outcome(store.refresh())
    await clock.advance(60_000)
    await run()
    expect([refreshed.value, values.told, backend.asked.length]).toEqual(['nothing', ['nothing'], 0])
  })
})

describe('a value that nobody watches', () => {
  it('is not served by snapshot, get or subscribe to whoever has signed in since', async () => {
    for (const how of ['snapshot', 'get', 'subscribe'] as const) {
      const { store, backend, tokens, answer, run } = notes('session')
      record(store).stop()
      await answer('of ada')
      // Nobody watches, so nobody is told.
      tokens.write(tokensOf('grace'))
      if (how === 'snapshot') expect(store.snapshot).toEqual({ status: 'pending' })
      if (how === 'subscribe') {
        const { told } = record(store)
        await answer('of grace')
        expect(told).toEqual(['of grace'])
      }
      if (how === 'get') {
        // The first one is told that it was overtaken; it had been made for ada.
        expect(await outcomeOf(store.get(), run)).toBe('error: SESSION_CHANGED')
        const again = outcome(store.get())
        await answer('of grace')
        expect(again.value).toBe('of grace')
      }
      expect(backend.asked.length).toBe(how === 'snapshot' ? 1 : 2)
    }
  })

  it('over an asynchronous token store: snapshot is pending until somebody watches', async () => {
    const { store, answer, clock } = slowNotes()
    const values = record(store)
    await clock.advance(20)
    await answer('of ada')
    expect(store.snapshot.status).toBe('ready')
    values.stop()
    expect(store.snapshot).toEqual({ status: 'pending' })
  })

  it.each(['subscribe', 'listen'] as const)(
    'over an asynchronous token store: %s shows it only after the tokens have been read',
    async how => {
      const { store, answer, backend, clock } = slowNotes()
      const values = record(store)
      await clock.advance(20)
      await answer('of ada')
      values.stop()
      const { told } = how === 'subscribe' ? record(store) : { told: [] as unknown[] }
      const look = () => {
        if (store.snapshot.status === 'ready') told.push(store.snapshot.value)
      }
      if (how === 'listen') store.listen(look)
      expect([told, store.snapshot]).toEqual([[], { status: 'pending' }])
      await clock.advance(20)
      expect([told, backend.asked.length]).toEqual([['of ada'], 1])
    },
  )

  it('over an asynchronous token store: nobody sees the value of who has left meanwhile', async () => {
    const { store, answer, slow, clock } = slowNotes()
    const before = record(store)
    await clock.advance(20)
    await answer('of ada')
    before.stop()
    await slow.inner.replace(await slow.inner.read(), tokensOf('grace'))
    const { told } = record(store)
    const snapshots = record(store.snapshot$)
    await clock.advance(40)
    await answer('of grace')
    expect(told).toEqual(['of grace'])
    expect(JSON.stringify(snapshots.told)).not.toContain('of ada')
  })

  it('over a token store that cannot be read any more: it is dropped, and the stream says why', async () => {
    const { store, answer, slow, clock } = slowNotes()
    const before = record(store)
    await clock.advance(20)
    await answer('of ada')
    before.stop()
    slow.failing.read = new Error('locked')
    const { told } = record(store)
    await clock.advance(400)
    expect(told).toEqual([expect.stringContaining('error: ')])
  })
})

describe('what is not known yet', () => {
  it('is never delivered as signed out', async () => {
    const { store, clock, answer } = slowNotes()
    const values = record(store)
    const snapshots = record(store.snapshot$)
    await clock.advance(10)
    expect([values.told, snapshots.told]).toEqual([[], [{ status: 'pending' }]])
    await clock.advance(20)
    await answer('of ada')
    expect(values.told).toEqual(['of ada'])
  })

  it('is signed out as soon as the token store says so', async () => {
    const { store, clock, backend } = slowNotes(null)
    const values = record(store)
    expect(values.told).toEqual([])
    await clock.advance(40)
    expect([values.told, backend.asked.length]).toEqual([['nothing'], 0])
  })
})

describe('dispose()', () => {
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

  it('completes streams that have a value', async () => {
    const { kit, store, answer } = notes('session')
    const values = record(store)
    const snapshots = record(store.snapshot$)
    await answer('known')
    kit.dispose()
    expect([values.told.at(-1), snapshots.told.at(-1)]).toEqual(['complete', 'complete'])
  })

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

  it('asks nothing that it was asked for in the same moment', async () => {
    const { kit, store, backend, run } = notes()
    record(store)
    kit.dispose()
    await run()
    expect(backend.asked.length).toBe(0)
  })

  it('leaves no timer of a request that was on its way', async () => {
    const { platform, clock, app } = await world()
    platform.faults.every('*', { delayMillis: 10_000 })
    const asked = outcome(app.user$.get())
    await clock.advance(0)
    app.dispose()
    await clock.advance(0)
    expect(asked.value).toBe('error: DISPOSED')
  })

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

describe('over the platform', () => {
  it('one caller who aborts leaves the fetch alone, the last one cancels it', async () => {
    const signals: AbortSignal[] = []
    const { platform, clock, newApp } = await world()
    platform.faults.every('GET /users/me', { delayMillis: 1000 })
    const app = newApp({
      tokens: await platform.tokensFor(ada.email),
      fetch: (input, init) => {
        signals.push(init!.signal!)
        return platform.options.fetch(input, init)
      },
    })
    const [one, two] = [new AbortController(), new AbortController()]
    const asked = [outcome(app.user$.get({ signal: one.signal })), outcome(app.anyUser$.get({ signal: two.signal }))]
    await clock.advance(100)
    one.abort()
    await clock.advance(0)
    expect([signals.length, signals[0]?.aborted, asked.map(({ value }) => value)]).toEqual([
      1,
      false,
      ['error: ABORTED', 'pending'],
    ])
    two.abort()
    await clock.advance(0)
    expect([signals[0]?.aborted, asked[1]?.value]).toEqual([true, 'error: ABORTED'])
  })

  it('signing in as somebody else never shows the one before, however late the platform answers', async () => {
    const { app, clock, platform } = await world()
    const names: unknown[] = []
    app.user$.subscribe(user => names.push(user?.displayName ?? null))
    await clock.advance(0)
    await clock.advance(6000)
    platform.faults.next('GET /users/me', { delayMillis: 5000 })
    void app.user$.refresh().catch(() => undefined)
    await clock.advance(0)
    const signedIn = outcome(app.signInWithPassword({ email: grace.email, password: grace.password }))
    await clock.advance(10_000)
    expect([signedIn.value, names]).toEqual([expect.objectContaining({ ok: true }), ['Ada', 'Grace']])
  })
})

function slowNotes(person: string | null = 'ada') {
  const clock = virtualClock()
  const slow = slowTokens(clock, 10, person === null ? null : tokensOf(person))
  const kit = createKit({ baseUrl: 'http://localhost', clock, tokens: slow.store })
  const backend = new Backend<string>()
  const notes$ = query(backend.ask, { key: 'notes', ownedBy: 'session', signedOut: 'nothing' })
  return {
    kit,
    clock,
    slow,
    backend,
    store: notes$(kit),
    async answer(value: string) {
      await clock.advance(20)
      backend.last.answer(value)
      await clock.advance(0)
    },
  }
}

async function outcomeOf(promise: Promise<unknown>, run: () => Promise<void>): Promise<unknown> {
  const settled = outcome(promise)
  await run()
  return settled.value
}
