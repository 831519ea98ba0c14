import { createKit, derive, mutation, query, type Tokens } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { Subject, type Observable } from 'rxjs'
import { coreOf } from '../../src/store/kit-parts'
import { endSession } from '../../src/store/session-effects'
import { slowTokens } from '../session/slow-tokens'
import { ada, grace, world } from '../world'
import { Backend, notes, outcome, ownKit, plain, ready, record, tokensOf } from './own-backend'

describe('a value without watchers', () => {
  // Promise: reads-tokens-before-values
  it('is not served by snapshot, get or subscribe to a user who has signed in since', async () => {
    for (const how of ['snapshot', 'get', 'subscribe'] as const) {
      const { store, backend, tokens, answer } = notes('session')
      record(store).stop()
      await answer('of ada')
      // Unwatched, so nothing is notified.
      tokens.write(tokensOf('grace'))
      if (how === 'snapshot') expect(store.snapshot).toEqual({ status: 'pending' })
      if (how === 'subscribe') {
        const { told } = record(store)
        await answer('of grace')
        expect(told).toEqual(['of grace'])
      }
      if (how === 'get') {
        const asked = outcome(store.get())
        await answer('of grace')
        expect(asked.value).toBe('of grace')
      }
      expect(backend.asked.length).toBe(how === 'snapshot' ? 1 : 2)
    }
  })

  it.each(['get', 'refresh'] as const)(
    'is not served by %s to a user who has signed in elsewhere, but loaded anew',
    async how => {
      const { store, backend, tokens, answer } = notes('session')
      record(store).stop()
      await answer('of ada')
      tokens.write(tokensOf('grace'))
      const asked = outcome(store[how]())
      await answer('of grace')
      expect([asked.value, backend.asked.length]).toEqual(['of grace', 2])
    },
  )

  it('over an asynchronous token store: get() loads for a user who has signed in elsewhere', async () => {
    const { store, slow, answer, clock } = slowNotes()
    record(store).stop()
    await clock.advance(20)
    await answer('of ada')
    void slow.inner.replace(slow.inner.read() as Tokens, tokensOf('grace'))
    const asked = outcome(store.get())
    await clock.advance(20)
    await answer('of grace')
    expect(asked.value).toBe('of grace')
  })

  it.each(['here', 'elsewhere, while another store shows the old user'])(
    'over an asynchronous token store: get() rejects if the user goes %s while the tokens are read',
    async where => {
      const { kit, store, slow, clock } = slowNotes()
      const other = query(async () => 'other', { key: 'other', ownedBy: 'session', signedOut: 'no other' })(kit)
      const { stop } = record(other)
      await clock.advance(100)
      if (where === 'here') stop()
      else void slow.inner.replace(slow.inner.read() as Tokens, tokensOf('grace'))
      const asked = outcome(store.get())
      if (where === 'here') void endSession(kit, 'signed-out')
      await clock.advance(100)
      expect(asked.value).toBe('error: SESSION_CHANGED')
    },
  )

  it('snapshot commits nothing, and reads no token store that is watched', async () => {
    const own = ownKit()
    const { kit, tokens, run } = own
    const texts$ = query(async (_, { of }: { of: string }) => of, { key: 'text', ownedBy: 'session', signedOut: '' })
    const [watched, unwatched] = [texts$(kit, { of: 'watched' }), texts$(kit, { of: 'unwatched' })]
    const { told, stop } = record(watched)
    record(unwatched).stop()
    await run()
    expect(plain(unwatched)).toEqual(ready('unwatched'))
    const reads = jest.spyOn(tokens, 'read')
    for (let times = 0; times < 3; times++) expect(plain(unwatched)).toEqual(ready('unwatched'))
    expect(reads).not.toHaveBeenCalled()
    stop()
    const commits: unknown[] = []
    coreOf(kit).transport.trace.events$.subscribe(event => commits.push(event))
    expect(plain(unwatched)).toEqual(ready('unwatched'))
    tokens.replace(tokens.read(), tokensOf('grace'))
    expect([unwatched.snapshot, watched.snapshot]).toEqual([{ status: 'pending' }, { status: 'pending' }])
    expect([commits, told, coreOf(kit).session.identity.userId]).toEqual([[], ['watched'], 'ada'])
  })

  it('is shown in snapshot when another writer has only rotated the tokens', async () => {
    const { store, tokens, answer } = notes('session')
    record(store).stop()
    await answer('of ada')
    tokens.write({ ...tokensOf('ada'), refreshToken: 'rotated' })
    expect(plain(store)).toEqual(ready('of ada'))
  })

  it('over a watched asynchronous token store: snapshot is pending all the same', async () => {
    const { kit, store, answer, clock } = slowNotes('ada', new Subject<void>())
    const other = query(async () => 'other', { key: 'other', ownedBy: 'session', signedOut: 'no other' })(kit)
    record(other)
    const { stop } = record(store)
    await clock.advance(20)
    await answer('of ada')
    stop()
    expect(store.snapshot).toEqual({ status: 'pending' })
    expect(store.snapshot).toEqual({ status: 'pending' })
  })

  it('over a token store that throws: it is not shown, and the stream reports the error', async () => {
    const { store, tokens, answer, clock } = notes('session')
    record(store).stop()
    await answer('of ada')
    const thrown = new Error('locked')
    jest.spyOn(tokens, 'read').mockImplementation(() => {
      throw thrown
    })
    expect(store.snapshot).toEqual({ status: 'pending' })
    const asked = outcome(store.get())
    await clock.advance(300)
    expect(asked.value).toBe('error: CALLBACK_FAILED')
    const [{ told }, errors] = [record(store), [] as unknown[]]
    store.subscribe({ error: (error: Error) => errors.push(error.cause) })
    await clock.advance(300)
    expect([told, errors]).toEqual([['error: CALLBACK_FAILED'], [thrown]])
    expect(plain(store)).toMatchObject({ status: 'failed', error: 'CALLBACK_FAILED' })
  })

  it('over an asynchronous token store: snapshot is pending until there is a watcher', async () => {
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

  it('over an asynchronous token store: the value of a session that has ended meanwhile is never shown', async () => {
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

  it('over a token store that cannot be read any more: it is dropped, and the stream reports the error', async () => {
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

describe('a token store that throws', () => {
  it.each(['get', 'refresh', 'mutation', 'derived get'] as const)(
    'is CALLBACK_FAILED with its cause in %s',
    async how => {
      for (const isSlow of [false, true]) {
        const thrown = new Error('the disk is on fire')
        const read = () => {
          if (isSlow) return Promise.reject(thrown)
          throw thrown
        }
        const { kit, store, run } = notes('session', { tokens: { read, replace: () => false } })
        const touch = mutation(async () => 'sent', { refreshes: () => [] })
        const asked = {
          get: () => store.get(),
          refresh: () => store.refresh(),
          mutation: () => touch(kit, {}),
          'derived get': () => derive(kit, read => read(store)).get(),
        }
        const failed = asked[how]().catch((error: unknown) => error)
        await run()
        expect(await failed).toMatchObject({ code: 'CALLBACK_FAILED', cause: thrown })
      }
    },
  )
})

describe('an unknown session', () => {
  it('is never reported as signed out', async () => {
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

describe('freshness', () => {
  // Promise: fresh-value
  it.each([
    [5000, 1],
    [5001, 2],
  ])('get() of a value that is %i ms old costs %i requests', async (age, requests) => {
    const { store, backend, answer, clock, run } = notes()
    record(store)
    await answer('known')
    await clock.advance(age)
    void store.get()
    await run()
    expect(backend.asked.length).toBe(requests)
  })

  // Promise: fresh-value
  it('maxAgeMillis says how old the value of get() may be', async () => {
    const { store, backend, answer, clock, run } = notes()
    record(store)
    await answer('known')
    await clock.advance(1000)
    expect(await store.get({ maxAgeMillis: 1000 })).toBe('known')
    const younger = outcome(store.get({ maxAgeMillis: 999 }))
    await run()
    expect([younger.value, backend.asked.length]).toEqual(['pending', 2])
  })

  // Promise: get-and-refresh
  it('refresh() loads although the value is fresh', async () => {
    const { store, backend, answer, clock } = notes()
    record(store)
    await answer('known')
    void store.refresh()
    await clock.advance(300)
    expect(backend.asked.length).toBe(2)
  })

  // Promise: fresh-value
  it('a value whose last refresh failed is not fresh', async () => {
    const { store, backend, answer, refuse, clock } = notes()
    record(store)
    await answer('known')
    void store.refresh().catch(() => undefined)
    await clock.advance(300)
    await refuse(new Error('down'))
    void store.get()
    await clock.advance(300)
    expect(backend.asked.length).toBe(3)
  })

  // Promise: get-and-refresh
  it('get() of a fresh value does not extend the 5000 ms', async () => {
    const { store, answer, clock, backend } = notes()
    const values = record(store)
    await answer('known')
    values.stop()
    await clock.advance(4000)
    expect(await store.get()).toBe('known')
    await clock.advance(999)
    expect(store.snapshot.status).toBe('ready')
    await clock.advance(1)
    expect([store.snapshot.status, backend.asked.length]).toEqual(['pending', 1])
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

  it('signing in as another user never shows the user before, however late the platform answers', async () => {
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

function slowNotes(person: string | null = 'ada', changes$?: Observable<void>) {
  const clock = virtualClock()
  const slow = slowTokens(clock, 10, person === null ? null : tokensOf(person))
  const tokens = { ...slow.store, ...(changes$ && { changes$ }) }
  const kit = createKit({ baseUrl: 'http://localhost', clock, tokens })
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
