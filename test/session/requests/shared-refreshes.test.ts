import { memoryTokens, type Tokens } from 'rxauth'
import { createServerApp, type RequestApp, type ServerOptions } from 'rxauth/server'
import { virtualClock, type PlatformOptions } from 'rxauth/platform'
import { sharedRefreshes } from '../../../src/session/requests/shared-refreshes'
import { nextTask } from '../../unhandled'
import { ada, grace, world } from '../../world'
import { accessTokenText } from '../access-token-text'
import { intercept, isRefresh, knownError } from '../intercept'

const tenMinutes = 600_000

/** A backend, and apps of requests that bring what a browser has stored. */
async function backend(options: Partial<ServerOptions> = {}, platform: PlatformOptions = {}) {
  const one = await world({ platform: { seed: { users: [ada, grace] }, ...platform } })
  const newServer = (more: Partial<ServerOptions> = {}) =>
    createServerApp({ ...one.platform.serverOptions, ...options, ...more })
  const server = newServer()
  const request = (tokens: Tokens, by = server) => {
    const store = memoryTokens()
    void store.replace(null, tokens)
    return by.withTokens(store)
  }
  const browser = async (person = ada) => (await one.platform.tokensFor(person.email)).read()!
  const names = (apps: readonly RequestApp[]) =>
    one.inTime(Promise.all(apps.map(async app => (await app.user$.get())?.displayName)))
  const refreshes = () => one.requests.filter(line => line === 'POST /auth/oauth/token').length
  return { ...one, server, newServer, request, browser, names, refreshes }
}

const fifty = <T>(make: () => T) => Array.from({ length: 50 }, make)

describe('apps of requests with the same refresh token', () => {
  // Promise: shared-refreshes
  it('share one refresh, 50 at a time, and no other user gets its tokens', async () => {
    const { clock, request, browser, names, refreshes } = await backend()
    const [adas, graces] = [await browser(), await browser(grace)]
    await clock.advance(tenMinutes)
    const apps = fifty(() => [request(adas), request(graces)]).flat()
    expect(new Set(await names(apps))).toEqual(new Set(['Ada', 'Grace']))
    expect(await names(apps.slice(0, 2))).toEqual(['Ada', 'Grace'])
    expect(refreshes()).toBe(2)
    apps.forEach(app => app.dispose())
  })

  // Promise: shared-refreshes
  it('share it with those that come in the next ten seconds, and with no later one', async () => {
    const { clock, settled, request, browser, refreshes } = await backend()
    const stored = await browser()
    await clock.advance(tenMinutes)
    const user = async () => {
      const app = request(stored)
      await settled(app.user$.get())
      app.dispose()
    }
    await user()
    await clock.advance(9_999)
    await user()
    expect(refreshes()).toBe(1)
    await clock.advance(1)
    await user()
    expect(refreshes()).toBe(2)
  })

  // Promise: shared-refreshes
  it('do not get tokens that the platform has refused to them', async () => {
    const { clock, settled, platform, newServer, request, browser, refreshes } = await backend()
    const refused = new Set<string | null>()
    const by = newServer({
      fetch: intercept(platform.options.fetch, ({ headers }) =>
        refused.has(headers.get('x-stack-access-token')) ? knownError(401, 'ACCESS_TOKEN_EXPIRED') : undefined,
      ),
    })
    const stored = await browser()
    await clock.advance(tenMinutes)
    const first = request(stored, by)
    await settled(first.user$.get())
    const accessToken = first.tokens$.value?.accessToken ?? ''
    refused.add(accessToken)
    await clock.advance(1_000)
    const second = request({ ...stored, accessToken }, by)
    expect((await settled(second.user$.get()))?.displayName).toBe('Ada')
    expect(refreshes()).toBe(2)
    expect(second.tokens$.value?.accessToken).not.toBe(accessToken)
  })

  // Promise: shared-refreshes
  it('go on when the app whose request it was is disposed of', async () => {
    const { clock, platform, newServer, request, browser } = await backend()
    let sent = 0
    const by = newServer({
      fetch: intercept(platform.options.fetch, each => {
        if (isRefresh(each)) sent++
        return undefined
      }),
    })
    const stored = await browser()
    await clock.advance(tenMinutes)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 1_000 })
    const leader = request(stored, by)
    const leftBehind = expect(leader.user$.get()).rejects.toMatchObject({ code: 'DISPOSED' })
    await clock.advance(100)
    const others = fifty(() => request(stored, by))
    const shown = Promise.all(others.map(async app => (await app.user$.get())?.displayName))
    await clock.advance(100)
    leader.dispose()
    await leftBehind
    await clock.advance(1_000)
    expect(new Set(await shown)).toEqual(new Set(['Ada']))
    expect(sent).toBe(1)
  })

  // Promise: shared-refreshes
  it('all end when it is refused, and the next one asks again', async () => {
    const { app, clock, inTime, request, browser, names, refreshes } = await backend()
    const stored = await browser()
    await clock.advance(tenMinutes)
    const owner = request(stored)
    await inTime(owner.signOut())
    const before = refreshes()
    await clock.advance(20_000)
    expect(new Set(await names(fifty(() => request(stored))))).toEqual(new Set([undefined]))
    expect(refreshes() - before).toBe(1)
    expect(await names([request(stored)])).toEqual([undefined])
    expect(refreshes() - before).toBe(2)
    app.dispose()
  })

  // Promise: shared-refreshes
  it('each try again after a failure that passes, and share what succeeds', async () => {
    const { clock, platform, request, browser, names, refreshes } = await backend()
    const stored = await browser()
    await clock.advance(tenMinutes)
    platform.faults.next('POST /auth/oauth/token', { loseResponse: true })
    expect(new Set(await names(fifty(() => request(stored))))).toEqual(new Set(['Ada']))
    expect(refreshes()).toBe(2)
  })

  // Promise: shared-refreshes
  it.each([
    ['where refresh tokens stay', false],
    ['where refresh tokens are replaced', { graceMillis: 60_000 }],
  ])('are signed out like the one that has signed out here, %s', async (_, rotation) => {
    const { clock, settled, request, browser, names } = await backend({}, { rotation })
    const stored = await browser()
    await clock.advance(tenMinutes)
    const first = request(stored)
    expect((await settled(first.user$.get()))?.displayName).toBe('Ada')
    const signedOut = first.signOut()
    await clock.advance(1_000)
    await signedOut
    const second = request(stored)
    expect(await settled(second.authHeaders())).toEqual({})
    expect(await names([request(stored)])).toEqual([undefined])
  })

  // Promise: shared-refreshes
  it('get the successor of a refresh token for a minute', async () => {
    const { clock, settled, request, browser, refreshes } = await backend({}, { rotation: { graceMillis: 0 } })
    const stored = await browser()
    await clock.advance(tenMinutes)
    const first = request(stored)
    expect((await settled(first.user$.get()))?.displayName).toBe('Ada')
    const successor = first.tokens$.value?.refreshToken
    expect(successor).not.toBe(stored.refreshToken)
    await clock.advance(59_999)
    const second = request(stored)
    expect((await settled(second.user$.get()))?.displayName).toBe('Ada')
    expect(second.tokens$.value?.refreshToken).toBe(successor)
    expect(refreshes()).toBe(1)
  })
})

describe('apps of requests refresh apart', () => {
  it.each([
    ['with `shareRefreshes: none`', { shareRefreshes: 'none' }],
    ['of servers with a fetch of their own', {}],
  ] as const)('%s', async (name, options) => {
    const { clock, platform, request, newServer, browser, names, refreshes } = await backend(options)
    const stored = await browser()
    await clock.advance(tenMinutes)
    const { fetch } = platform.options
    const others = name.startsWith('of') ? newServer({ fetch: (input, init) => fetch(input, init) }) : undefined
    expect(await names([request(stored), request(stored, others)])).toEqual(['Ada', 'Ada'])
    expect(refreshes()).toBe(2)
  })

  // Promise: shared-refreshes
  it.each([
    ['Vercel', 'EdgeRuntime', 'edge-runtime'],
    ['Cloudflare', 'navigator', { userAgent: 'Cloudflare-Workers' }],
    ['Cloudflare of an early compatibility date, without a navigator', 'WebSocketPair', () => undefined],
    ['a runtime without modules of Node', 'process', { env: {} }],
  ])('on %s', async (_, name, value) => {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { value, configurable: true })
    try {
      const { clock, request, browser, names, refreshes } = await backend()
      const stored = await browser()
      await clock.advance(tenMinutes)
      expect(await names([request(stored), request(stored)])).toEqual(['Ada', 'Ada'])
      expect(refreshes()).toBe(2)
    } finally {
      Reflect.deleteProperty(globalThis, name)
      if (before) Object.defineProperty(globalThis, name, before)
    }
  })

  it('and an unknown value of the option is refused', async () => {
    await expect(backend({ shareRefreshes: 'all' as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'shareRefreshes' },
    })
  })
})

/** What the process has kept of the refreshes by this fetch. */
function keptBy(fetch: object) {
  const registry = (globalThis as Record<symbol, unknown>)[Symbol.for('rxauth.shared-refreshes')] as WeakMap<
    object,
    {
      readonly byKey: ReadonlyMap<string, object>
      readonly byToken: ReadonlyMap<string, ReadonlySet<object>>
      readonly ending: Readonly<Record<'fresh' | 'replaced', ReadonlySet<object>>>
    }
  >
  return registry.get(fetch)!
}

describe('a refresh among others that are kept', () => {
  /** The steps of all loops over maps and sets. */
  function steps(): () => number {
    const spies = [new Map().entries(), new Set().values()].map(iterator =>
      jest.spyOn(Object.getPrototypeOf(iterator) as Iterator<unknown>, 'next'),
    )
    return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  }
  afterEach(() => jest.restoreAllMocks())

  /** The refresh of one user after those of `others`, each with a token of its own, and all that a request asks of it. */
  async function stepsAfter(others: number, isReplaced: boolean) {
    const clock = virtualClock()
    let made = 0
    const fetch = () => {
      made++
      const tokens = { access_token: accessTokenText(), ...(isReplaced && { refresh_token: `successor-${made}` }) }
      return Promise.resolve(Response.json(tokens))
    }
    const shared = sharedRefreshes(
      () => fetch,
      clock,
      text => text,
    )
    const refresh = (token: string) =>
      shared.attempt(undefined)(
        { fetch, clock },
        'https://api.example.com/api/v1/auth/oauth/token',
        { method: 'POST', body: new URLSearchParams({ refresh_token: token }) },
        Infinity,
        undefined,
      )
    await Promise.all(Array.from({ length: others }, (_, at) => refresh(`other-${at}`)))
    await nextTask()
    expect(keptBy(fetch).byKey.size).toBe(others)
    const count = steps()
    await refresh('own')
    await nextTask()
    expect(shared.isKept(`successor-${made}`)).toBe(isReplaced)
    shared.forget('own')
    const counted = count()
    jest.restoreAllMocks()
    expect(keptBy(fetch).byKey.size).toBe(others)
    await clock.advance(60_000)
    await refresh('later')
    expect(keptBy(fetch).byKey.size).toBe(1)
    return counted
  }

  // Promise: shared-refreshes
  it.each([false, true])('costs as many steps with 1,000 of them as with 10; replaced tokens: %p', async isReplaced => {
    const few = await stepsAfter(10, isReplaced)
    expect(few).toBeGreaterThan(0)
    expect(await stepsAfter(1000, isReplaced)).toBe(few)
  })
})

// Promise: shared-refreshes
it('keeps nothing of a refresh that is over, and no refresh token at all', async () => {
  const { clock, platform, request, browser, names } = await backend()
  const stored = await browser()
  await clock.advance(tenMinutes)
  await names([request(stored)])
  const { byKey, byToken, ending } = keptBy(platform.options.fetch)
  expect(JSON.stringify([...byKey, ...byToken])).not.toContain(stored.refreshToken)
  await clock.advance(tenMinutes)
  await names([request(await browser(grace))])
  await clock.advance(tenMinutes)
  await names([request(stored)])
  expect([byKey, byToken, ending.fresh, ending.replaced].map(({ size }) => size)).toEqual([1, 1, 1, 0])
})
