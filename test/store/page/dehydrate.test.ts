import { AuthError, cookieTokens, createClientApp, dehydrate, hydrate, memoryTokens, query, user$, view } from 'rxauth'
import type { Clock, Store } from 'rxauth'
import { ada, grace } from '../../world'
import { requests } from '../../kit/request-world'

type Cells = Readonly<Record<string, { readonly value?: unknown; readonly at: number; readonly error?: object }>>

/** Of the app's own, answered after 12 s. */
const slow = (clock: Clock) =>
  query(() => new Promise<string>(resolve => void clock.setTimeout(() => resolve('late'), 12_000)), {
    key: 'slow',
    ownedBy: 'app',
  })

const throughText = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

it('writes each store once, with its value, its time and the user, as JSON', async () => {
  const { request, settled, clock, requests: asked } = await requests()
  const app = await request()
  const state = await settled(dehydrate(app, [app.user$, app.anyUser$, app.teams$, app.user$]))
  const user = await settled(app.user$.get())
  expect(throughText(state)).toEqual(state)
  expect(state.identity).toBe(user?.id)
  expect(Object.keys(state.cells)).toEqual(['client GET /users/me {}', 'client GET /teams {}'])
  const cells = state.cells as Cells
  expect(cells['client GET /users/me {}']).toMatchObject({
    at: clock.now(),
    value: { displayName: 'Ada', signedUpAt: { '~date': Number(user?.signedUpAt) } },
  })
  expect([...asked].sort()).toEqual(['GET /teams', 'GET /users/me'])
  app.dispose()
})

it('of a derived store writes the stores that it reads, also those that it reads after others', async () => {
  const { request, settled } = await requests()
  const app = await request()
  const count$ = app.derive(read => read(app.user$) && read(app.sessions$).length)
  const state = await settled(dehydrate(app, [count$]))
  expect(Object.keys(state.cells)).toEqual(['client GET /users/me {}', 'client GET /auth/sessions {}'])
  app.dispose()
})

describe('a page that the process of dehydrate renders', () => {
  // Promise: dehydrate-once
  it('has computed each derived store once, and decodes nothing', async () => {
    const { request, settled } = await requests()
    const app = await request()
    let runs = 0
    const names$ = app.derive(read => {
      const [user, teams] = [read(app.user$), read(app.teams$)]
      runs++
      return [user?.displayName, ...teams.map(team => team.displayName)]
    })
    const loud$ = app.derive(read => read(names$).join().toUpperCase())
    const state = await settled(dehydrate(app, [loud$]))
    const before = runs
    const page = hydrate(app, state)
    expect(page.snapshot(loud$)).toMatchObject({ status: 'ready', value: 'ADA' })
    expect(page.snapshot(names$)).toMatchObject({ status: 'ready', value: ['Ada'], refreshing: false })
    const [teams, live] = [page.snapshot(app.teams$), app.teams$.snapshot]
    expect(teams?.status === 'ready' && live.status === 'ready' && teams.value).toBe(
      live.status === 'ready' && live.value,
    )
    expect(runs).toBe(before)
    app.dispose()
  })

  // Promise: dehydrate-once
  it('shows the values of the state, not later ones', async () => {
    const { request, settled } = await requests()
    const app = await request()
    const name$ = app.derive(read => read(app.user$)?.displayName)
    const state = await settled(dehydrate(app, [name$]))
    await settled(app.updateUser({ displayName: 'Countess' }))
    expect(await settled(name$.get())).toBe('Countess')
    for (const given of [state, throughText(state)])
      expect(hydrate(app, given).snapshot(name$)).toMatchObject({ status: 'ready', value: 'Ada' })
    app.dispose()
  })

  // Promise: dehydrate-once
  it('shows of a copy what the app has changed in it; the values of the state cannot be changed', async () => {
    const { request, settled } = await requests()
    const app = await request()
    const user$ = app.user$
    const state = await settled(dehydrate(app, [user$]))
    const name = 'client GET /users/me {}'
    const entry = state.cells[name] as { value: { displayName: string; clientMetadata: object } }
    expect(() => (entry.value.displayName = 'Someone')).toThrow(TypeError)
    expect(() => Object.assign(entry.value.clientMetadata, { note: 1 })).toThrow(TypeError)
    expect(() => Object.assign(entry, { value: null })).toThrow(TypeError)
    const without = (value: unknown) => ({ ...state, cells: { [name]: { ...entry, value } } })
    for (const [value, shown] of [
      [{ ...entry.value, displayName: 'Someone' }, { displayName: 'Someone' }],
      [null, null],
    ] as const)
      expect(hydrate(app, without(value)).snapshot(user$)).toMatchObject({ status: 'ready', value: shown })
    // What the app has of the store is its own.
    expect(Object.isFrozen(await settled(user$.get()))).toBe(false)
    app.dispose()
  })

  // Promise: dehydrate-once
  it('has no value that an unanswered write adds', async () => {
    const { request, settled, clock, platform } = await requests()
    const app = await request()
    const user$ = app.user$
    const stop = user$.listen(() => undefined)
    await settled(user$.get())
    platform.faults.next('PATCH /users/me', { delayMillis: 60_000 })
    void app.updateUser({ displayName: 'Countess' }).catch(() => undefined)
    await clock.advance(10)
    expect(user$.snapshot).toMatchObject({ unconfirmed: 1, value: { displayName: 'Countess' } })
    const state = await settled(dehydrate(app, [user$]))
    expect(hydrate(app, state).snapshot(user$)).toMatchObject({ unconfirmed: 0, value: { displayName: 'Ada' } })
    stop()
    app.dispose()
  })
})

describe('the user of a payload', () => {
  it('is null while signed out, with the values for signed out', async () => {
    const { server, settled } = await requests()
    const app = server.withTokens(memoryTokens())
    const state = await settled(dehydrate(app, [app.user$, app.teams$]))
    expect(state).toMatchObject({ identity: null, cells: { 'client GET /users/me {}': { value: null } } })
    app.dispose()
  })

  it('is null when the session turns out to have ended', async () => {
    const { server, settled } = await requests()
    const app = server.withTokens(memoryTokens({ accessToken: null, refreshToken: 'revoked' }))
    const state = await settled(dehydrate(app, [app.user$, app.teams$]))
    expect(state).toMatchObject({ identity: null, cells: { 'client GET /teams {}': { value: [] } } })
    app.dispose()
  })

  it('is the anonymous one, too', async () => {
    const { server, settled } = await requests()
    const app = server.withTokens(memoryTokens())
    await settled(app.signUpAnonymously())
    const state = await settled(dehydrate(app, [app.user$]))
    expect(state).toMatchObject({
      identity: (await settled(app.anyUser$.get()))?.id,
      cells: { 'client GET /users/me {}': { value: { isAnonymous: true } } },
    })
    app.dispose()
  })

  it('is empty, and no value is there, when only a refresh token is known and nothing could be asked', async () => {
    const { server, settled, platform } = await requests()
    const tokens = (await platform.tokensFor(ada.email)).read()
    const app = server.withTokens(memoryTokens({ accessToken: null, refreshToken: tokens!.refreshToken }))
    platform.faults.every('*', { status: 503 })
    const state = await settled(
      dehydrate(app, [app.project$])
        .catch(() => null)
        .then(() => dehydrate(app, [])),
    )
    expect(state).toEqual({ identity: '', cells: {} })
    app.dispose()
  })

  it('is one user: rejects with SESSION_CHANGED when another signs in meanwhile', async () => {
    const { request, settled, clock } = await requests()
    const app = await request()
    const slow$ = slow(clock)
    const writing = dehydrate(app, [app.user$, slow$(app)])
    writing.catch(() => undefined)
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
    await clock.advance(12_000)
    await expect(settled(writing)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    app.dispose()
  })
})

describe('a store that fails', () => {
  it('is written with code and status, without details and without the kit’s own text', async () => {
    const { request, settled, platform } = await requests()
    const app = await request()
    platform.faults.every('GET /teams', { status: 400 })
    const { cells } = await settled(dehydrate(app, [app.teams$, app.user$]))
    const failed = (cells as Cells)['client GET /teams {}']
    expect(failed).toEqual({ at: expect.any(Number) as number, error: { code: 'REQUEST_FAILED', status: 400 } })
    expect((cells as Cells)['client GET /users/me {}']).toHaveProperty('value')
    app.dispose()
  })

  it('has the message of the platform, which is for users', async () => {
    const { request, settled } = await requests()
    const app = await request()
    const refused$ = query((): Promise<string> => Promise.reject(new AuthError('TEAM_NOT_FOUND', 'No such team.')), {
      key: 'refused',
      ownedBy: 'app',
    })
    const { cells } = await settled(dehydrate(app, [refused$(app)]))
    expect(Object.values(cells as Cells)[0]?.error).toEqual({ code: 'TEAM_NOT_FOUND', message: 'No such team.' })
    app.dispose()
  })

  // Promise: state-without-secrets
  it('does not say what code of the app threw', async () => {
    const { request, settled } = await requests()
    const app = await request()
    const notes$ = query(
      (): Promise<string[]> => Promise.reject(new Error('postgres://ada:hunter2@10.0.0.3 refuses')),
      { key: 'notes', ownedBy: 'session', signedOut: [] },
    )
    const state = await settled(dehydrate(app, [notes$(app)]))
    expect(state.cells).toEqual({
      'notes {}': { at: expect.any(Number) as number, error: { code: 'CALLBACK_FAILED' } },
    })
    app.dispose()
  })
})

describe('rejects with INVALID_INPUT', () => {
  const refused = (reason: RegExp) => ({
    code: 'INVALID_INPUT',
    details: { field: 'stores', reason: expect.stringMatching(reason) as string },
  })

  it('for a store of server level, by itself, in a view or in a derived store, and asks for nothing', async () => {
    const { request, settled, requests: asked } = await requests()
    const app = await request()
    const names$ = view(user$, user => user?.displayName)
    const all$ = app.allTeams$ as Store<unknown>
    await expect(settled(dehydrate(app, [app.user$, names$(app), all$]))).rejects.toMatchObject(
      refused(/^has "allTeams\$", whose values must not be in a page$/),
    )
    expect(asked).toEqual([])
    const count$ = app.derive(read => (read(all$) as unknown[]).length)
    await expect(settled(dehydrate(app, [count$]))).rejects.toMatchObject(refused(/^has "allTeams\$"/))
    app.dispose()
  })

  it('for the app’s own store over anything, its values are written', async () => {
    const { request, settled } = await requests()
    const app = await request()
    const own$ = query(async () => Promise.resolve({ at: new Date(5), none: undefined }), {
      key: 'server own',
      ownedBy: 'app',
    })
    const { cells } = await settled(dehydrate(app, [own$(app)]))
    expect((cells as Cells)['server own {}']?.value).toEqual({ at: { '~date': 5 }, none: { '~undefined': true } })
    app.dispose()
  })

  it('for what is no store, or one of another app', async () => {
    const { request, settled, newApp } = await requests()
    const [app, other] = [await request(), newApp()]
    const given: readonly unknown[] = [other.user$, app.tokens$, {}, null]
    for (const store of given)
      await expect(settled(dehydrate(app, [store as Store<unknown>]))).rejects.toMatchObject(
        refused(/not a store of this app/),
      )
    app.dispose()
    other.dispose()
  })

  it.each<[string, () => unknown, RegExp]>([
    ['a Map', () => new Map(), /^has "own", whose value cannot be in a page: a Map has no form in JSON$/],
    [
      'a cycle',
      () => {
        const cycle: { own?: unknown } = {}
        return (cycle.own = cycle)
      },
      /^has "own", whose value cannot be in a page: /,
    ],
  ])('for %s, by the name of its store', async (_, value, reason) => {
    const { request, settled } = await requests()
    const app = await request()
    const own$ = query(async () => Promise.resolve(value()), { key: 'own', ownedBy: 'app' })
    await expect(settled(dehydrate(app, [own$(app)]))).rejects.toMatchObject(refused(reason))
    app.dispose()
  })
})

it('waits for the slowest store, however long, and keeps the values of the others', async () => {
  const { request, clock, requests: asked } = await requests()
  const app = await request()
  const slow$ = slow(clock)
  const writing = dehydrate(app, [app.user$, slow$(app)])
  await clock.advance(12_000)
  const { cells } = await clock.settled(writing)
  expect(Object.keys(cells)).toEqual(['client GET /users/me {}', 'slow {}'])
  expect(asked).toEqual(['GET /users/me'])
  // Nothing is watched any more.
  await clock.advance(5000)
  expect(app.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  app.dispose()
})

it('rejects where the tokens cannot be read, and for an app that has been disposed of', async () => {
  const { request, settled, platform } = await requests()
  const app = createClientApp({ ...platform.options, tokens: cookieTokens() })
  await expect(settled(dehydrate(app, [app.user$]))).rejects.toMatchObject({ code: 'TOKENS_UNAVAILABLE' })
  const ended = await request()
  ended.dispose()
  await expect(settled(dehydrate(ended, [ended.user$]))).rejects.toMatchObject({ code: 'DISPOSED' })
  app.dispose()
})
