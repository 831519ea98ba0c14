import { dehydrate, hydrate, memoryTokens, query, updateUser } from 'rxauth'
import type { ClientApp, Dehydrated, Store } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { ada, grace, world, type World } from '../../world'

/** As if this were a page: the kit asks for a window when a payload comes. */
function inPage(): void {
  const document = {
    createElement: () => ({}),
    cookie: '',
    visibilityState: 'visible',
    addEventListener() {},
    removeEventListener() {},
  }
  Object.assign(globalThis, {
    window: {
      dispatchEvent() {},
      addEventListener() {},
      removeEventListener() {},
      location: { href: 'http://app.example/' },
    },
    document,
  })
}
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'window')
  Reflect.deleteProperty(globalThis, 'document')
})

const throughText = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

interface Page extends World {
  readonly page: ClientApp
  readonly state: Dehydrated
}

/** An app of a page in which Ada is signed in, and what a server has written for it. */
async function pageOf(
  stores: (app: ClientApp) => readonly Store<unknown>[] = app => [app.user$, app.teams$],
): Promise<Page> {
  const inner = await world()
  const state = throughText(await inner.settled(dehydrate(inner.app, stores(inner.app))))
  inner.app.dispose()
  inner.requests.length = 0
  inPage()
  return { ...inner, state, page: inner.newApp({ tokens: await inner.tokensOf(ada) }) }
}

const name = (user: { readonly displayName: string | null } | null | undefined) => user?.displayName

describe('in a page', () => {
  // Promise: hydrated-values
  it('the stores have the values, without a request while they are fresh', async () => {
    const { page, state, settled, requests, clock } = await pageOf()
    await clock.advance(4000)
    hydrate(page, state)
    expect(page.user$.snapshot).toMatchObject({ status: 'ready', value: { displayName: 'Ada' }, refreshing: false })
    expect(name(await settled(page.user$.get()))).toBe('Ada')
    const names: unknown[] = []
    page.user$.subscribe(user => names.push(name(user)))
    await clock.advance(60_000)
    expect(names).toEqual(['Ada'])
    expect(requests).toEqual([])
    page.dispose()
  })

  // Promise: hydrated-values
  it.each<[what: string, millis: number]>([
    ['older than 5 s', 5001],
    ['a day old, from a cache', 24 * 3_600_000],
  ])('a value that is %s shows and is loaded once', async (_, millis) => {
    const { page, state, requests, clock } = await pageOf()
    await clock.advance(millis)
    hydrate(page, state)
    const shown: unknown[] = []
    page.user$.snapshot$.subscribe(snapshot =>
      shown.push([snapshot.status, 'refreshing' in snapshot && snapshot.refreshing]),
    )
    page.user$.subscribe()
    await clock.advance(60_000)
    expect(shown).toEqual([
      ['ready', true],
      ['ready', false],
    ])
    expect(requests.filter(one => one === 'GET /users/me')).toHaveLength(1)
    page.dispose()
  })

  // Promise: hydrated-values
  it.each<[what: string, aheadMillis: number, loads: number]>([
    ['an hour ahead', 3_600_000, 0],
    ['an hour behind', -3_600_000, 1],
  ])('the clock of the server may be %s: nothing stays fresh for ever', async (_, aheadMillis, loads) => {
    const { page, state, settled, requests, clock } = await pageOf()
    const cells = Object.fromEntries(
      Object.entries(state.cells).map(([key, entry]) => {
        const { at } = entry as { at: number }
        return [key, { ...(entry as object), at: at + aheadMillis }]
      }),
    )
    hydrate(page, { ...state, cells })
    const { snapshot } = page.user$
    expect(snapshot.status === 'ready' && +snapshot.fetchedAt).toBeLessThanOrEqual(clock.now())
    await settled(page.user$.get())
    expect(requests).toHaveLength(loads)
    await clock.advance(5001)
    await settled(page.user$.get())
    expect(requests).toHaveLength(loads + 1)
    page.dispose()
  })

  // Promise: anonymous-identity
  it.each(['2.8.18', '2026'] as const)(
    'the lists of an anonymous user are empty at once, and have rows as the server has them, on %s',
    async wire => {
      const { platform, newApp, inTime, clock } = await world({ platform: { wire, seed: { users: [ada] } } })
      const visitor = newApp()
      const { userId } = await inTime(visitor.signUpAnonymously())
      const tokens = visitor.tokens$.value!
      const rows: unknown[] = []
      for (const isAnonymous of [true, false]) {
        if (!isAnonymous) await inTime(createServerApp(platform.serverOptions).updateUserById({ userId, isAnonymous }))
        const server = newApp({ tokens: memoryTokens(tokens) })
        await clock.settled(server.user$.get())
        const state = throughText(await clock.settled(dehydrate(server, [server.sessions$, server.user$])))
        inPage()
        const page = newApp({ tokens: memoryTokens(tokens) })
        const rendered = hydrate(page, state).snapshot(page.sessions$)
        rows.push(rendered?.status === 'ready' && rendered.value.length)
        page.sessions$.subscribe(({ length }) => rows.push(length))
        const user = await clock.settled(page.user$.get())
        expect([user?.id, user?.restriction]).toEqual([isAnonymous ? undefined : userId, undefined])
        page.dispose()
        Reflect.deleteProperty(globalThis, 'window')
      }
      expect(rows).toEqual([0, 0, 1, 1])
    },
  )

  it('a second call, and an equal payload, change nothing', async () => {
    const { page, state, settled, clock } = await pageOf()
    const one = hydrate(page, state)
    page.user$.subscribe()
    await settled(updateUser(page, { displayName: 'Countess' }))
    expect(hydrate(page, state)).toBe(one)
    hydrate(page, throughText(state))
    await clock.advance(0)
    expect(page.user$.snapshot).toMatchObject({ value: { displayName: 'Countess' } })
    page.dispose()
  })

  // Promise: hydrated-values
  it('a value that a later answer has replaced never comes back', async () => {
    const { page, state, settled, clock } = await pageOf()
    hydrate(page, state)
    const subscription = page.user$.subscribe()
    await settled(updateUser(page, { displayName: 'Countess' }))
    subscription.unsubscribe()
    await clock.advance(5000)
    expect(page.inspect().cells).toBe(0)
    hydrate(page, throughText(state))
    expect(page.user$.snapshot).toEqual({ status: 'pending' })
    page.dispose()
  })

  // Promise: hydrated-values
  it('a payload that is older than what the page has loaded is not shown, also after that was out of use', async () => {
    const { page, state, settled, clock, newApp, tokensOf } = await pageOf()
    const subscription = page.user$.subscribe()
    await clock.advance(0)
    await settled(updateUser(newApp({ tokens: await tokensOf(ada) }), { displayName: 'Countess' }))
    await clock.advance(5001)
    await settled(page.user$.refresh())
    hydrate(page, state)
    subscription.unsubscribe()
    await clock.advance(5001)
    expect(page.inspect().cells).toBe(0)
    expect(page.user$.snapshot).toEqual({ status: 'pending' })
    page.dispose()
  })

  it('a payload from a server whose clock is ahead keeps no later one of another server out', async () => {
    const { page, state, settled, clock, newApp, tokensOf } = await pageOf(app => [app.user$])
    const [entry] = Object.entries(state.cells)
    const ahead = { ...state, cells: { [entry![0]]: { ...(entry![1] as { at: number }), at: clock.now() + 60_000 } } }
    hydrate(page, ahead)
    await clock.advance(1000)
    const other = newApp({ tokens: await tokensOf(ada) })
    await settled(updateUser(other, { displayName: 'Countess' }))
    hydrate(page, throughText(await settled(dehydrate(other, [other.user$]))))
    expect(page.user$.snapshot).toMatchObject({ value: { displayName: 'Countess' } })
    page.dispose()
  })

  it('a payload that is newer than what the page has loaded is shown once that is out of use', async () => {
    const { page, settled, clock, newApp, tokensOf } = await pageOf()
    const subscription = page.user$.subscribe()
    await clock.advance(1000)
    const other = newApp({ tokens: await tokensOf(ada) })
    await settled(updateUser(other, { displayName: 'Countess' }))
    const state = throughText(await settled(dehydrate(other, [other.user$])))
    subscription.unsubscribe()
    hydrate(page, state)
    expect(page.inspect()).toMatchObject({ cells: 1 })
    await clock.advance(5001)
    expect(page.user$.snapshot).toMatchObject({ value: { displayName: 'Countess' } })
    page.dispose()
  })

  it('a later payload with another value has a store in use load once, one with the same value not', async () => {
    const { page, settled, clock, newApp, tokensOf, requests } = await pageOf()
    const names: unknown[] = []
    page.user$.subscribe(user => names.push(name(user)))
    await clock.advance(1000)
    const other = newApp({ tokens: await tokensOf(ada) })
    const rendered = async () => throughText(await settled(dehydrate(other, [other.user$])))
    hydrate(page, await rendered())
    requests.length = 0
    await clock.advance(1000)
    expect(requests).toEqual([])
    await settled(updateUser(other, { displayName: 'Countess' }))
    const state = await rendered()
    requests.length = 0
    hydrate(page, state)
    expect(names).toEqual(['Ada'])
    await clock.advance(60_000)
    expect(names).toEqual(['Ada', 'Countess'])
    expect(requests).toEqual(['GET /users/me'])
    page.dispose()
  })

  // Promise: hydrated-values
  it('a payload that a write has overtaken on its way is loaded once', async () => {
    const { page, state, settled, requests, clock } = await pageOf()
    await clock.advance(500)
    await settled(updateUser(page, { displayName: 'Countess' }))
    await clock.advance(500)
    requests.length = 0
    hydrate(page, state)
    const names: unknown[] = []
    page.user$.subscribe(user => names.push(name(user)))
    await clock.advance(60_000)
    expect(names.at(-1)).toBe('Countess')
    expect(requests).toEqual(['GET /users/me'])
    page.dispose()
  })

  // Promise: late-payloads
  it('what no store has used is forgotten when another payload comes five minutes later', async () => {
    const { page, state, settled, clock } = await pageOf()
    const empty = { identity: state.identity, cells: {} }
    hydrate(page, state)
    await clock.advance(300_000)
    hydrate(page, { ...empty })
    expect(page.teams$.snapshot).toMatchObject({ status: 'ready' })
    await clock.advance(1)
    hydrate(page, { ...empty })
    expect(page.user$.snapshot).toEqual({ status: 'pending' })
    expect(name(await settled(page.user$.get()))).toBe('Ada')
    page.dispose()
  })

  it('a value that was shown only is shown again after it was out of use', async () => {
    const { page, state, clock, requests } = await pageOf()
    hydrate(page, state)
    page.user$.subscribe().unsubscribe()
    await clock.advance(5001)
    expect(page.inspect().cells).toBe(0)
    expect(page.user$.snapshot).toMatchObject({ value: { displayName: 'Ada' } })
    page.user$.subscribe()
    await clock.advance(1)
    expect(requests).toEqual(['GET /users/me'])
    page.dispose()
  })

  // Promise: hydrated-values
  it('after a write, a store that was not in use yet loads once', async () => {
    const { page, state, settled, requests, clock } = await pageOf()
    hydrate(page, state)
    await settled(updateUser(page, { displayName: 'Countess' }))
    requests.length = 0
    const names: unknown[] = []
    page.user$.subscribe(user => names.push(name(user)))
    await clock.advance(0)
    expect(names).toEqual(['Ada', 'Countess'])
    expect(requests).toEqual(['GET /users/me'])
    page.dispose()
  })

  it('a failure shows until the one load that follows', async () => {
    const inner = await world()
    inner.platform.faults.next('GET /teams', { status: 400 })
    const state = throughText(await inner.settled(dehydrate(inner.app, [inner.app.teams$])))
    inPage()
    const page = inner.newApp({ tokens: await inner.tokensOf(ada) })
    hydrate(page, state)
    expect(page.teams$.snapshot).toMatchObject({ status: 'failed', error: { code: 'REQUEST_FAILED', status: 400 } })
    inner.requests.length = 0
    page.teams$.snapshot$.subscribe()
    await inner.clock.advance(0)
    expect(page.teams$.snapshot).toMatchObject({ status: 'ready', value: [] })
    expect(inner.requests).toEqual(['GET /teams'])
    page.dispose()
  })

  it('another session does not get the values, also a later one of the same user', async () => {
    const { page, state, settled, requests } = await pageOf()
    hydrate(page, state)
    await settled(page.signInWithPassword({ email: grace.email, password: grace.password }))
    expect(page.user$.snapshot).toEqual({ status: 'pending' })
    expect(name(await settled(page.user$.get()))).toBe('Grace')
    await settled(page.signInWithPassword({ email: ada.email, password: ada.password }))
    requests.length = 0
    expect(page.user$.snapshot).toEqual({ status: 'pending' })
    expect(name(await settled(page.user$.get()))).toBe('Ada')
    expect(requests).toEqual(['GET /users/me'])
    page.dispose()
  })

  it('a session that only has a refresh token loads for itself', async () => {
    const { state, newApp, settled, requests, tokensOf } = await pageOf()
    const tokens = await tokensOf(ada)
    const { refreshToken } = (await (tokens as ReturnType<typeof memoryTokens>).read())!
    const page = newApp({ tokens: memoryTokens({ accessToken: null, refreshToken }) })
    hydrate(page, state)
    expect(page.user$.snapshot).toEqual({ status: 'pending' })
    expect(name(await settled(page.user$.get()))).toBe('Ada')
    expect(requests).toEqual(['POST /auth/oauth/token', 'GET /users/me'])
    page.dispose()
  })

  it('a session that is read asynchronously gets the values once it is read', async () => {
    const { state, newApp, settled, requests, tokensOf } = await pageOf()
    const tokens = (await tokensOf(ada)) as ReturnType<typeof memoryTokens>
    const page = newApp({
      tokens: { read: async () => tokens.read(), replace: async (expected, next) => tokens.replace(expected, next) },
    })
    hydrate(page, state)
    expect(page.user$.snapshot).toEqual({ status: 'pending' })
    expect(name(await settled(page.user$.get()))).toBe('Ada')
    expect(requests).toEqual([])
    page.dispose()
  })

  it('stores that nothing reads cost nothing', async () => {
    const { page, state, clock } = await pageOf()
    hydrate(page, state)
    expect(page.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
    expect(page.user$.snapshot.status).toBe('ready')
    await clock.advance(5000)
    expect(page.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
    page.dispose()
  })
})

it('dates, undefined and the app’s own values come back as they were', async () => {
  const value = { at: new Date(5), none: undefined, list: [new Date(6), undefined, NaN], '~date': 'a text' }
  const own$ = query(async (_kit, _: { readonly of?: string }) => Promise.resolve(value), {
    key: 'own',
    ownedBy: 'app',
  })
  const nothing$ = query(async () => Promise.resolve(undefined), { key: 'nothing', ownedBy: 'app' })
  const { page, state, settled } = await pageOf(app => [own$(app, { of: 'x' }), nothing$(app), app.user$])
  const hydration = hydrate(page, state)
  expect(hydration.snapshot(own$(page, { of: 'x' }))).toMatchObject({ status: 'ready' })
  expect(hydration.snapshot(own$(page))).toBeUndefined()
  expect(await settled(own$(page, { of: 'x' }).get())).toStrictEqual(value)
  expect(nothing$(page).snapshot).toMatchObject({ status: 'ready', value: undefined })
  const user = await settled(page.user$.get())
  expect(user?.signedUpAt).toBeInstanceOf(Date)
  page.dispose()
})

// Promise: module-app-has-no-user
it('on a server the app keeps nothing, and only the returned object knows the values', async () => {
  const { state, newApp, clock, requests } = await pageOf(app => [app.user$, app.teams$])
  Reflect.deleteProperty(globalThis, 'document')
  const app = newApp()
  const hydration = hydrate(app, state)
  expect(hydration.snapshot(app.user$)).toMatchObject({ value: { displayName: 'Ada' } })
  expect(hydration.snapshot(app.derive(read => [read(app.user$)?.displayName, read(app.teams$).length]))).toMatchObject(
    {
      value: ['Ada', 0],
    },
  )
  expect(
    hydration.snapshot(app.derive(read => [read(app.user$)?.displayName, read(app.sessions$).length])),
  ).toBeUndefined()
  expect(app.user$.snapshot).toEqual({ status: 'pending' })
  await clock.advance(0)
  expect(app.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  expect(requests).toEqual([])
  app.dispose()
})

describe('a payload is text from outside', () => {
  const deep = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
  const at = 1_767_225_600_000
  const user = (entry: unknown) => ({ 'client GET /users/me {}': entry })
  const warned: string[] = []
  beforeEach(() => {
    warned.length = 0
    jest.spyOn(console, 'warn').mockImplementation((text: unknown) => void warned.push(String(text)))
  })
  afterEach(() => jest.restoreAllMocks())

  // Promise: malformed-state
  it.each<[string, (state: Dehydrated) => unknown]>([
    ['null', () => null],
    ['a text', () => '{}'],
    ['a list', () => []],
    ['no cells', ({ identity }) => ({ identity })],
    ['cells that are a list', ({ identity }) => ({ identity, cells: [] })],
    ['an entry that is null', ({ identity }) => ({ identity, cells: user(null) })],
    ['an entry that is a number', ({ identity }) => ({ identity, cells: user(5) })],
    ['an entry without a time', ({ identity }) => ({ identity, cells: user({ value: null }) })],
    ['a time that is none', ({ identity }) => ({ identity, cells: user({ value: null, at: 1e300 }) })],
    ['neither a value nor an error', ({ identity }) => ({ identity, cells: user({ at }) })],
    ['an error without a code', ({ identity }) => ({ identity, cells: user({ at, error: { code: 5 } }) })],
    ['a value of another form', ({ identity }) => ({ identity, cells: user({ at, value: { id: 5 } }) })],
    ['a value that is a text', ({ identity }) => ({ identity, cells: user({ at, value: 'Ada' }) })],
    ['a value that is undefined', ({ identity }) => ({ identity, cells: user({ at, value: { '~undefined': true } }) })],
    ['a value too deep for the stack', ({ identity }) => ({ identity, cells: user({ at, value: deep(5000) }) })],
    ['an identity of another type', state => ({ ...state, identity: 5 })],
    ['no identity', ({ cells }) => ({ cells })],
    ['a value for a user that the server did not know', state => ({ ...state, identity: '' })],
  ])('%s is ignored, with a hint in development', async (what, change) => {
    const { page, state, settled, requests } = await pageOf(app => [app.user$])
    const given = change(state) as Dehydrated
    const hydration = hydrate(page, given)
    expect(hydration.snapshot(page.user$)).toBeUndefined()
    expect(page.user$.snapshot).toEqual({ status: 'pending' })
    expect(name(await settled(page.user$.get()))).toBe('Ada')
    expect(requests).toEqual(['GET /users/me'])
    if (!what.startsWith('a value for a user'))
      expect(warned[0]).toMatch(/^rxauth: ".*" of what dehydrate\(\) wrote is malformed/)
    page.dispose()
  })

  // Promise: late-payloads
  it.each([
    ['without a time', {}],
    ['with a text for a time', { at: 'never' }],
    ['with a time that is none', { at: 1e300 }],
  ])('an entry %s does not keep a later payload out', async (_, entry) => {
    const { page, state } = await pageOf(app => [app.user$])
    hydrate(page, { ...state, cells: user(entry) })
    hydrate(page, state)
    expect(page.user$.snapshot).toMatchObject({ value: { displayName: 'Ada' } })
    page.dispose()
  })

  // Promise: malformed-state
  it('keys of another version, and of prototypes, are not looked at', async () => {
    const { page, state } = await pageOf(app => [app.user$])
    const text = JSON.stringify(state).replace(
      '"cells":{',
      '"cells":{"__proto__":{"at":5,"value":{}},"next GET /users/me {}":{"v":2},',
    )
    const hydration = hydrate(page, JSON.parse(text) as Dehydrated)
    expect(hydration.snapshot(page.user$)).toMatchObject({ value: { displayName: 'Ada' } })
    const odd$ = query(async () => Promise.resolve(1), { key: '__proto__', ownedBy: 'app' })
    expect(hydration.snapshot(odd$(page))).toBeUndefined()
    expect(({} as { at?: number }).at).toBeUndefined()
    expect(warned).toEqual([])
    page.dispose()
  })
})
