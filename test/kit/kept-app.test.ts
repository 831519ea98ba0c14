import { atTop, inRequest } from '../edge'
import {
  auth$,
  createClientApp,
  createKit,
  decide,
  derive,
  hydrate,
  memoryTokens,
  noTokens,
  requestTokens,
  signInWithPassword,
  storageTokens,
  user$,
} from 'rxauth'
import type { Store } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { asUser, createServerApp, currentUser, withSession } from 'rxauth/server'
import { coreOf } from '../../src/store/kit-parts'
import { firstValueFrom, isObservable } from 'rxjs'
import { inspect } from 'node:util'
import { ada, world } from '../world'

/** What an app of a module is made with, without a clock of the test: its signals and timers are the runtime's. */
async function scene() {
  const one = await world()
  const { projectId, publishableClientKey, baseUrl, fetch } = one.platform.options
  const options = { projectId, publishableClientKey, baseUrl, fetch }
  const { secretServerKey, superSecretAdminKey } = one.platform.adminOptions
  const keys = { secretServerKey, superSecretAdminKey }
  const server = atTop(() => createServerApp({ ...options, secretServerKey }))
  const count = (line: string) => one.requests.filter(each => each === line).length
  const cookies = async () => {
    const { accessToken, refreshToken } = (await one.platform.tokensFor(ada.email)).read()!
    const access = encodeURIComponent(JSON.stringify([refreshToken, accessToken]))
    const cookie = `stack-refresh-${projectId}=${refreshToken}; stack-access=${access}`
    return { headers: new Headers({ cookie }), method: 'GET' }
  }
  return { ...one, options, keys, server, count, cookies }
}

/** Two requests at once, each with signals of its own. A runtime begins each of them in a task of its own. */
async function twice<T>(run: () => Promise<T>): Promise<T[]> {
  const first = inRequest(run)
  await Promise.resolve()
  return Promise.all([first, inRequest(run)])
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error as { readonly code?: string }).code,
  )

describe('where a module of an edge runtime is loaded', () => {
  // Promise: edge-apps
  it.each([
    ['server app', ({ options, keys }) => createServerApp({ ...options, secretServerKey: keys.secretServerKey })],
    ['admin app', ({ options, keys }) => createAdminApp({ ...options, ...keys })],
    ['client app', ({ options }) => createClientApp({ ...options, tokens: memoryTokens() })],
    ['kit', ({ options }) => createKit({ ...options, tokens: memoryTokens() })],
  ] as [string, (given: Awaited<ReturnType<typeof scene>>) => object][])(
    'a %s is made without a signal and a timer, and may be disposed of',
    async (_name, make) => {
      const given = await scene()
      atTop(() => {
        const app = make(given) as { dispose(): void }
        app.dispose()
      })
    },
  )

  it('options are checked', async () => {
    const { options, keys } = await scene()
    const wrong = { ...options, baseUrl: 'no url' }
    expect(() => createServerApp({ ...wrong, ...{ secretServerKey: keys.secretServerKey } })).toThrow('baseUrl')
    expect(() => createClientApp({ ...options, tokens: {} as never })).toThrow('token store')
    expect(() => createKit(undefined as never)).toThrow('options is missing')
  })

  // Promise: edge-apps
  it('a function is taken off the app, and acts for every request', async () => {
    const { server, count } = await scene()
    const { users$, listUsers, withTokens } = atTop(() => server)
    const names = async () => (await users$().get()).items.map(({ displayName }) => displayName)
    expect(await twice(names)).toEqual([expect.arrayContaining(['Ada']), expect.arrayContaining(['Ada'])])
    expect(count('GET /users')).toBe(2)
    for await (const { displayName } of inRequest(() => listUsers())) expect(displayName).toBeDefined()
    expect(withTokens(noTokens()).level).toBe('server')
  })
})

describe('an app that is kept over the requests of an edge runtime', () => {
  // Promise: edge-apps
  it('acts by a kit for each request, and a synchronous run has one', async () => {
    const { server } = await scene()
    expect(server.users$().get).toBeDefined()
    const one = coreOf(server)
    expect(coreOf(server)).toBe(one)
    await Promise.resolve()
    expect(coreOf(server)).not.toBe(one)
  })

  it('acts by one kit from the beginning of a call to its end', async () => {
    const { options } = await scene()
    let kits = 0
    const urls = {
      // Every kit copies the addresses.
      get home() {
        kits++
        return '/'
      },
    }
    const app = createClientApp({ ...options, tokens: memoryTokens(), urls })
    kits = 0
    const result = await inRequest(() => app.signInWithPassword({ email: ada.email, password: ada.password }))
    expect([result.ok, kits]).toEqual([true, 1])
  })

  // Promise: edge-apps
  it('reads, subscribes and writes for two requests at once, each with requests of its own', async () => {
    const { server, count } = await scene()
    const first = async () => (await firstValueFrom(server.users$())).items.length
    expect(await twice(first)).toEqual([2, 2])
    expect(await twice(async () => (await server.users$().refresh()).items.length)).toEqual([2, 2])
    expect(count('GET /users')).toBe(4)
    const made = await twice(() => server.createUser({ displayName: 'Eve' }))
    expect(made.map(({ ok }) => ok)).toEqual([true, true])
  })

  it('goes on after a request that left its load unanswered', async () => {
    const { platform, server, clock } = await scene()
    platform.faults.next('GET /users', { delayMillis: 3_600_000 })
    void inRequest(() => server.users$().get()).catch(() => undefined)
    await clock.advance(0)
    expect(await twice(async () => (await server.users$().get()).items.length)).toEqual([2, 2])
    await clock.advance(3_600_000)
  })

  // Promise: edge-apps
  it('serves the functions that take a kit', async () => {
    const { options, tokensOf, server } = await scene()
    const kit = createKit({ ...options, tokens: await tokensOf(ada) })
    expect(await twice(async () => (await user$(kit).get())?.displayName)).toEqual(['Ada', 'Ada'])
    const known = () =>
      new Promise(resolve => auth$(kit).subscribe(({ status }) => status !== 'unknown' && resolve(status)))
    expect(await twice(known)).toEqual(['signed-in', 'signed-in'])
    const name$ = () => derive(kit, read => read(user$(kit))?.displayName)
    expect(await twice(() => name$().get())).toEqual(['Ada', 'Ada'])
    const need = { signedIn: true } as const
    const decided = await twice(() => decide(kit, need, { url: '/teams' }))
    expect(decided.map(({ decision }) => decision)).toEqual(['allow', 'allow'])
    expect(await codeOf(Promise.resolve(derive(server, read => read(user$(kit))).get()))).toBe('INVALID_INPUT')
  })

  it('signs in by functions that take a kit, and keeps the session in its token store', async () => {
    const { options } = await scene()
    for (const tokens of [memoryTokens(), () => memoryTokens()]) {
      const kit = createKit({ ...options, tokens })
      const result = await inRequest(() => signInWithPassword(kit, { email: ada.email, password: ada.password }))
      expect(result.ok).toBe(true)
      expect(await twice(async () => (await user$(kit).get())?.displayName)).toEqual(['Ada', 'Ada'])
    }
  })

  // Promise: edge-apps
  it('derives from its stores, also in later runs and from a derived one of an earlier request', async () => {
    const { options, keys, clock, inTime, count } = await scene()
    const server = createServerApp({ ...options, clock, secretServerKey: keys.secretServerKey })
    const count$ = inRequest(() => derive(server, read => read(server.users$()).items.length))
    await clock.advance(0)
    const text$ = () => derive(server, read => `${read(count$)} of ${read(server.users$()).items.length}`)
    expect(await twice(() => text$().get())).toEqual(['2 of 2', '2 of 2'])
    const refreshed = async () => {
      const own$ = text$()
      const subscription = own$.subscribe()
      for (let runs = 0; runs < 30; runs++) await own$.refresh()
      subscription.unsubscribe()
      return own$.snapshot
    }
    const ready = { status: 'ready', value: '2 of 2' }
    const before = count('GET /users')
    expect(await inTime(twice(refreshed))).toMatchObject([ready, ready])
    // One for the subscription, and one for each refresh.
    expect(count('GET /users') - before).toBe(62)
  })

  it('keeps what a test puts in the place of a member', async () => {
    const { options } = await scene()
    const app = createClientApp({ ...options, tokens: noTokens() })
    const user = { id: 'x' } as unknown as Store<null>
    const listen = () => Promise.resolve(null)
    Object.assign(app, { user$: user, signOut: listen })
    await Promise.resolve()
    expect(app.user$).toBe(user)
    expect(app.signOut).toBe(listen)
  })

  // Promise: edge-apps
  it('refuses every call once it is disposed of', async () => {
    const { options, keys } = await scene()
    const server = createServerApp({ ...options, secretServerKey: keys.secretServerKey })
    const kit = createKit({ ...options, tokens: memoryTokens() })
    for (const each of [server, kit]) each.dispose()
    await Promise.resolve()
    expect(await codeOf(inRequest(() => server.users$().get()))).toBe('DISPOSED')
    expect(await codeOf(inRequest(() => server.createUser({})))).toBe('DISPOSED')
    expect(await codeOf(inRequest(() => user$(kit).get()))).toBe('DISPOSED')
  })

  // Promise: edge-apps
  it('finds the user of each request: currentUser, asUser, withSession and withTokens', async () => {
    const { server, cookies, count, clock } = await scene()
    const request = await cookies()
    await clock.advance(600_000)
    const user = await twice(
      async () => (await currentUser(server, { ...request, headers: new Headers(request.headers) }))?.displayName,
    )
    expect(user).toEqual(['Ada', 'Ada'])
    const before = count('POST /auth/oauth/token')
    const own = () =>
      asUser(server, { ...request, headers: new Headers(request.headers) }, async app => {
        const all = await Promise.all([app.user$.get(), app.teams$.get(), firstValueFrom(app.user$)])
        return all.length
      })
    expect(await twice(own)).toEqual([3, 3])
    // One for the parallel reads of each request.
    expect(count('POST /auth/oauth/token') - before).toBe(2)
    const page = await inRequest(() => withSession(server, request, () => new Response('page')))
    expect(page.headers.getSetCookie()).not.toEqual([])
    const app = inRequest(() => server.withTokens(requestTokens(request)))
    expect((await app.user$.get())?.displayName).toBe('Ada')
  })

  it('verifies the token of each request, and asks whether its user is anonymous', async () => {
    const { server: kept, options, keys, platform, clock } = await scene()
    const server = createServerApp({ ...options, clock, secretServerKey: keys.secretServerKey })
    kept.dispose()
    const { accessToken } = (await platform.tokensFor(ada.email)).read()!
    const verified = () => server.verifyAccessToken(accessToken, { askAnonymous: true })
    expect((await twice(verified)).map(({ isAnonymous }) => isAnonymous)).toEqual([false, false])
    const { user } = await inRequest(() =>
      server.verifyAccessToken.request(
        new Request('https://api.example.com', { headers: { authorization: `Bearer ${accessToken}` } }),
      ),
    )
    expect(user?.userId).toBeDefined()
  })

  it('is none with the tokens of a request', async () => {
    const { options, cookies } = await scene()
    const app = createClientApp({ ...options, tokens: requestTokens(await cookies()) })
    const core = coreOf(app)
    await Promise.resolve()
    expect(coreOf(app)).toBe(core)
  })

  // Promise: edge-apps
  it('refreshes an expired session for each request, and no answer ends it', async () => {
    const { options, platform, clock, count, settled } = await scene()
    const app = createClientApp({ ...options, clock, tokens: await platform.tokensFor(ada.email) })
    await clock.advance(600_000)
    const name = async () => (await app.user$.get())?.displayName
    expect(await settled(twice(name))).toEqual(['Ada', 'Ada'])
    expect(count('POST /auth/oauth/token')).toBe(2)
    expect(await settled(twice(name))).toEqual(['Ada', 'Ada'])
  })

  it('waits for no write of a cancelled request to a slow storage', async () => {
    const { options, platform, clock, settled } = await scene()
    const { accessToken, refreshToken } = (await platform.tokensFor(ada.email)).read()!
    let held: string | null = JSON.stringify({ accessToken, refreshToken })
    let isLost = true
    const storage = {
      getItem: async () => held,
      async setItem(_key: string, value: string) {
        // The runtime drops what a cancelled request has begun.
        if (isLost) await new Promise(() => undefined)
        held = value
      },
      async removeItem() {
        held = null
      },
    }
    const app = createClientApp({ ...options, clock, tokens: storageTokens(storage) })
    await clock.advance(600_000)
    const cancelled = inRequest(() => app.user$.get())
    cancelled.catch(() => undefined)
    await clock.advance(0)
    isLost = false
    expect(await settled(inRequest(async () => (await app.user$.get())?.displayName))).toBe('Ada')
  })

  // Promise: edge-apps
  it('shows a store of a later run what a server has rendered', async () => {
    const { options, server, cookies } = await scene()
    const app = createClientApp({ ...options, tokens: noTokens() })
    const { dehydrate } = await import('rxauth')
    const request = await cookies()
    const state = await inRequest(() => asUser(server, request, own => dehydrate(own, [own.user$])))
    const page = hydrate(app, state)
    await Promise.resolve()
    expect(page.snapshot(app.user$)).toMatchObject({ status: 'ready', value: { displayName: 'Ada' } })
    const name$ = derive(app, read => read(app.user$)?.displayName)
    await Promise.resolve()
    expect(page.snapshot(name$)).toMatchObject({ status: 'ready', value: 'Ada' })
    expect(await inRequest(() => dehydrate(app, [name$]))).toMatchObject({ identity: null })
  })

  it('prints no key, and may be spread, frozen and proxied', async () => {
    const { server, keys } = await scene()
    const { secretServerKey } = keys
    const deep = { depth: Infinity, getters: true, showHidden: true }
    for (const text of [
      JSON.stringify(server),
      inspect(server),
      inspect({ ...server }, deep),
      String(Object.keys(server)),
    ])
      expect(text).not.toContain(secretServerKey)
    expect('users$' in server).toBe(true)
    expect(isObservable(server.users$())).toBe(true)
    const spread = { ...server }
    const frozen = Object.freeze(server)
    for (const each of [spread, frozen, new Proxy(server, {})])
      expect(await twice(async () => (await each.users$().get()).items.length)).toEqual([2, 2])
  })
})
