import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Observable, Subject, firstValueFrom, from, of, switchMap } from 'rxjs'
import { createClientApp, createKit, derive, memoryTokens, query, teams$, user$, valuesOf, view } from 'rxauth'
import type { ClientApp, Store } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import type { Platform } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { KitState } from '../../../src/store/read/state'
import { KitStore } from '../../../src/store/store'
import { ada, grace, world } from '../../world'

/** What a loop has seen so far, and how it ended. It waits for `gate` after each value. */
function looped<T>(values: AsyncIterable<T>, gate?: () => Promise<void>) {
  const seen: T[] = []
  let end: unknown = 'runs'
  const loop = async () => {
    for await (const value of values) {
      seen.push(value)
      await gate?.()
    }
  }
  loop().then(
    () => (end = 'over'),
    (error: unknown) => (end = error),
  )
  return { seen, end: () => end }
}

const nameOf = (user: { readonly displayName: string | null } | null) => user?.displayName ?? null

describe('a loop over a store', () => {
  it('gets the present value, then each different one', async () => {
    const { app, clock, inTime } = await world()
    const names = looped(app.user$)
    await clock.advance(0)
    await inTime(app.updateUser({ displayName: 'Countess' }))
    await inTime(app.user$.refresh())
    expect(names.seen.map(nameOf)).toEqual(['Ada', 'Countess'])
    expect(names.end()).toBe('runs')
  })

  // Promise: async-iterable
  it('that is slow gets the latest value, and misses those between', async () => {
    const values$ = new Subject<number>()
    let open = () => {}
    const numbers = looped(valuesOf(values$), () => new Promise<void>(resolve => (open = resolve)))
    const { clock } = await world()
    await clock.advance(0)
    values$.next(1)
    await clock.advance(0)
    for (const value of [2, 3, 4]) values$.next(value)
    open()
    await clock.advance(0)
    expect(numbers.seen).toEqual([1, 4])
  })

  const ways: [name: string, leave: (store: Store<unknown>) => Promise<unknown>][] = [
    [
      'break',
      async store => {
        for await (const value of store) if (value) break
      },
    ],
    [
      'return',
      async store => {
        for await (const value of store) return value
        return undefined
      },
    ],
    [
      'an error',
      async store => {
        const loop = async () => {
          for await (const value of store) throw new Error(`enough: ${typeof value}`)
        }
        await expect(loop()).rejects.toThrow('enough')
      },
    ],
  ]
  // Promise: async-iterable
  it.each(ways)('leaves the store with %s', async (_, leave) => {
    const { app, clock, settled } = await world()
    await settled(leave(app.user$))
    await clock.advance(10_000)
    expect(app.inspect()).toMatchObject({ subscriptions: 0, timers: 0 })
  })

  it('subscribes at the first step only', async () => {
    const { app, requests } = await world()
    const before = requests.length
    const values = app.user$[Symbol.asyncIterator]()
    expect(app.inspect().subscriptions).toBe(0)
    expect(await values.return?.()).toEqual({ done: true, value: undefined })
    expect(await values.next()).toEqual({ done: true, value: undefined })
    expect(requests).toHaveLength(before)
  })

  // Promise: async-iterable
  it('that waits is ended at once by return(), also with several steps asked for', async () => {
    const { app, clock, settled } = await world()
    const values = app.user$[Symbol.asyncIterator]()
    expect(await settled(values.next())).toMatchObject({ done: false, value: { displayName: 'Ada' } })
    const steps = [values.next(), values.next(), values.return!()]
    expect(await settled(Promise.all(steps))).toEqual(Array(3).fill({ done: true, value: undefined }))
    await clock.advance(10_000)
    expect(app.inspect().subscriptions).toBe(0)
  })

  it('that waits is ended at once by throw(), as a stream calls it that is destroyed', async () => {
    const { app, clock } = await world()
    const stream = Readable.from(app.user$)
    stream.on('data', () => undefined)
    await clock.advance(0)
    const failure = new Error('no more')
    const closed = finished(stream)
    stream.destroy(failure)
    await expect(closed).rejects.toBe(failure)
    expect(app.inspect().subscriptions).toBe(0)
    const values = valuesOf(app.user$)
    await expect(values.throw!(failure)).rejects.toBe(failure)
    expect(await values.next()).toEqual({ done: true, value: undefined })
  })

  it('gives steps that are asked for at once one value each', async () => {
    const values$ = new Subject<number>()
    const values = valuesOf(values$)
    const steps = Promise.all([values.next(), values.next()])
    values$.next(1)
    await Promise.resolve()
    await Promise.resolve()
    values$.next(2)
    expect((await steps).map(({ value }) => value as unknown)).toEqual([1, 2])
  })

  // Promise: async-iterable
  it('throws what subscribe reports: a failed first load', async () => {
    const { platform, newApp, clock } = await world()
    platform.faults.next('GET /projects/current', { status: 500 })
    const projects = looped(newApp().project$)
    await clock.advance(60_000)
    expect(projects.end()).toMatchObject({ code: 'REQUEST_FAILED' })
    expect(projects.seen).toEqual([])
  })

  it('goes on after a failed load that follows a value', async () => {
    const { app, platform, clock } = await world()
    const names = looped(app.user$)
    await clock.advance(0)
    platform.faults.next('GET /users/me', { status: 500 })
    const failing = app.user$.refresh()
    failing.catch(() => undefined)
    await clock.advance(60_000)
    expect(names.end()).toBe('runs')
    await expect(failing).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    await app.signOut()
    await clock.advance(0)
    expect(names.seen.map(nameOf)).toEqual(['Ada', null])
  })

  it('delivers an error only after it is asked for, so that a slow loop leaves no rejection behind', async () => {
    let isClosed = false
    const values = valuesOf(
      new Observable<number>(subscriber => {
        subscriber.next(1)
        subscriber.error(new Error('broken'))
        subscriber.add(() => (isClosed = true))
      }),
    )
    expect(await values.next()).toEqual({ done: false, value: 1 })
    expect(isClosed).toBe(true)
    const { clock } = await world()
    await clock.advance(0)
    await expect(values.next()).rejects.toThrow('broken')
  })

  // Promise: async-iterable
  it('ends with the kit', async () => {
    const { app, clock } = await world()
    const names = looped(app.user$)
    await clock.advance(0)
    app.dispose()
    await clock.advance(0)
    expect([names.seen.length, names.end()]).toEqual([1, 'over'])
  })

  // Promise: async-iterable
  it('of a disposed kit, or that waits for a first value then, throws DISPOSED', async () => {
    const { app, clock } = await world()
    const waiting = looped(app.teams$)
    await Promise.resolve()
    app.dispose()
    const later = looped(app.teams$)
    await clock.advance(0)
    expect([waiting.end(), later.end()]).toMatchObject([{ code: 'DISPOSED' }, { code: 'DISPOSED' }])
  })

  // Promise: async-iterable
  it('that is slow sees nothing of a user who is no longer signed in', async () => {
    const teams = [{ displayName: 'Of Ada', members: [ada] }]
    const project = { config: { clientTeamCreationEnabled: true } }
    const { app, clock, inTime, platform } = await world({
      platform: { seed: { users: [ada, grace], teams, project } },
    })
    const names$ = view(teams$, teams => teams.map(({ displayName }) => displayName))(app)
    let open = () => {}
    const { seen } = looped(names$, () => new Promise<void>(resolve => (open = resolve)))
    await clock.advance(0)
    await inTime(app.createTeam({ displayName: 'Also of Ada' }))
    platform.faults.next('GET /teams', { delayMillis: 60_000 })
    await inTime(app.signInWithPassword({ email: grace.email, password: grace.password }))
    expect(names$.snapshot.status).toBe('pending')
    open()
    await clock.advance(0)
    expect(seen).toEqual([['Of Ada']])
    await clock.advance(60_000)
    expect(seen).toEqual([['Of Ada'], []])
  })

  it('takes derived stores, views, an own query and states', async () => {
    const { app, settled } = await world()
    const notes$ = query(() => Promise.resolve(['buy tea']), { key: 'notes', ownedBy: 'app' })
    const first = async <T>(values: AsyncIterable<T>) => {
      for await (const value of values) return value
      return undefined
    }
    expect(await settled(first(app.derive(read => nameOf(read(app.user$)))))).toBe('Ada')
    expect(await settled(first(derive(app, read => nameOf(read(app.user$)))))).toBe('Ada')
    expect(await settled(first(view(user$, nameOf)(app)))).toBe('Ada')
    expect(await settled(first(notes$(app)))).toEqual(['buy tea'])
    expect(await settled(first(app.auth$))).toMatchObject({ status: 'signed-in' })
    expect(await settled(first(app.flow$))).toEqual({ status: 'idle' })
    expect(await settled(first(app.tokens$))).toMatchObject({ refreshToken: expect.any(String) as string })
    expect(await settled(first(valuesOf(app.user$.snapshot$)))).toMatchObject({ status: 'ready' })
  })

  it('follows a state, and ends with the kit', async () => {
    const { app, clock } = await world()
    const states = looped(app.auth$)
    await clock.advance(0)
    await app.signOut()
    await clock.advance(0)
    app.dispose()
    await clock.advance(0)
    const statuses = states.seen.map(({ status }) => status)
    expect([statuses.at(0), statuses.at(-1), states.end()]).toEqual(['unknown', 'signed-out', 'over'])
  })

  it.each<[string, (platform: Platform) => { readonly store: Store<unknown>; dispose(): void }]>([
    [
      'a client app',
      ({ options }) => {
        const app = createClientApp({ ...options, tokens: memoryTokens() })
        return { store: app.project$, dispose: () => app.dispose() }
      },
    ],
    [
      'a server app',
      ({ serverOptions }) => {
        const app = createServerApp(serverOptions)
        return { store: app.users$(), dispose: () => app.dispose() }
      },
    ],
    [
      'an admin app',
      ({ adminOptions }) => {
        const app = createAdminApp(adminOptions)
        return { store: app.adminProject$, dispose: () => app.dispose() }
      },
    ],
    [
      'an app of a request',
      ({ serverOptions }) => {
        const app = createServerApp(serverOptions).withTokens(memoryTokens())
        return { store: app.user$, dispose: () => app.dispose() }
      },
    ],
  ])('takes stores of %s, the first one', async (_, create) => {
    const { platform, settled } = await world()
    for (const { prototype } of [KitStore, KitState]) Reflect.deleteProperty(prototype, Symbol.asyncIterator)
    const { store, dispose } = create(platform)
    const values = store[Symbol.asyncIterator]()
    expect(await settled(values.next())).toMatchObject({ done: false })
    await values.return?.()
    dispose()
    expect(Symbol.asyncIterator in KitState.prototype).toBe(true)
  })

  it('of a bare kit needs valuesOf', async () => {
    const { platform, tokensOf, settled } = await world()
    const kit = createKit({ ...platform.options, tokens: await tokensOf(ada) })
    const values = valuesOf(user$(kit))
    expect(await settled(values.next())).toMatchObject({ value: { displayName: 'Ada' } })
    expect(await values.return?.()).toEqual({ done: true, value: undefined })
    kit.dispose()
  })
})

/** `Observable.from` of the WICG text: an Observable, then an async iterable, then an iterable, then a promise. */
function nativeFrom(value: unknown, next: (value: unknown) => void, end: (error?: unknown) => void): () => void {
  const { [Symbol.asyncIterator]: method } = value as Partial<AsyncIterable<unknown>>
  if (typeof method !== 'function') throw new TypeError('not convertible')
  const values: AsyncIterator<unknown> = method.call(value)
  let isActive = true
  const step = () => {
    values.next().then(
      ({ done, value }) => {
        if (!isActive) return
        if (done) {
          end()
          return
        }
        next(value)
        step()
      },
      (error: unknown) => {
        if (isActive) end(error)
      },
    )
  }
  step()
  return () => {
    isActive = false
    void values.return?.()
  }
}

describe('a native Observable made from a store', () => {
  // Promise: async-iterable
  it('emits its values, and leaves it when unsubscribed while it waits', async () => {
    const { app, clock, inTime } = await world()
    const seen: unknown[] = []
    const unsubscribe = nativeFrom(app.user$, value => seen.push(nameOf(value as never)), seen.push.bind(seen, 'end'))
    await clock.advance(0)
    await inTime(app.updateUser({ displayName: 'Countess' }))
    unsubscribe()
    await inTime(app.updateUser({ displayName: 'Ada' }))
    await clock.advance(10_000)
    expect(seen).toEqual(['Ada', 'Countess'])
    expect(app.inspect().subscriptions).toBe(0)
  })

  it('finds no other conversion first: a store is no iterable and no promise', async () => {
    const { app } = await world()
    const of = (app: ClientApp): object => app.user$
    expect([Symbol.iterator in of(app), 'then' in of(app)]).toEqual([false, false])
  })

  it('completes with the kit', async () => {
    const { app, clock } = await world()
    const end = jest.fn()
    nativeFrom(app.user$, () => undefined, end)
    await clock.advance(0)
    expect(end).not.toHaveBeenCalled()
    app.dispose()
    await clock.advance(0)
    expect(end.mock.calls).toEqual([[]])
  })
})

it('rxjs takes a store as an observable, not as an iterable', async () => {
  const { app, settled } = await world()
  const taken$ = from(app.user$)
  expect(taken$).toBe(app.user$)
  expect(nameOf(await settled(firstValueFrom(of(0).pipe(switchMap(() => app.user$)))))).toBe('Ada')
})
