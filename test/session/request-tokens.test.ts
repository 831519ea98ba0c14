import { cookieTokens, memoryTokens, requestTokens, systemClock } from 'rxauth'
import type { ClientApp, CookieHeaders, CookieWrite, RequestLike, Tokens, TokenStore, WriteCookie } from 'rxauth'
import { tokenStoreConformance } from 'rxauth/platform'
import { ada, grace, world } from '../world'
import { accessTokenText } from './access-token-text'
import { kindsOfPromise } from './foreign'

const projectId = 'project-1'
const first: Tokens = { accessToken: accessTokenText(), refreshToken: 'refresh-1' }
const pair = encodeURIComponent(JSON.stringify([first.refreshToken, first.accessToken]))
const cookie = `theme=dark; stack-refresh-${projectId}=refresh-1; stack-access=${pair}`

function storeOf(request: RequestLike, write?: WriteCookie): TokenStore {
  const source = requestTokens(request, write)
  return typeof source === 'function' ? source({ projectId, clock: systemClock, host: {} }) : source
}

describe('requestTokens', () => {
  tokenStoreConformance(test, () => storeOf({ headers: {} }, () => undefined))
})

describe('requestTokens reads', () => {
  it.each<[string, RequestLike]>([
    ['a fetch Request', new Request('https://app.example', { headers: { cookie } })],
    ['a Node request', { headers: { cookie } }],
    ['headers that list their values', { headers: { cookie: cookie.split('; ') } }],
  ])('the cookies of %s', (_, request) => {
    expect(storeOf(request).read()).toEqual(first)
  })

  it('cookies that the browser’s own store has written', () => {
    const written: string[] = []
    const source = cookieTokens()
    const host = {
      cookies: { get: () => written.join('; '), set: (text: string) => written.push(text.split(';')[0]!) },
    }
    const browser = typeof source === 'function' ? source({ projectId, clock: systemClock, host }) : source
    expect(browser.replace(null, first)).toBe(true)
    expect(storeOf({ headers: { cookie: written.join('; ') } }).read()).toEqual(first)
  })

  it('no access token that was written with another refresh token', () => {
    expect(storeOf({ headers: { cookie: cookie.replace('=refresh-1', '=refresh-2') } }).read()).toEqual({
      accessToken: null,
      refreshToken: 'refresh-2',
    })
  })

  it('the x-stack-auth header before the cookies', () => {
    const given = { accessToken: null, refreshToken: 'given' }
    expect(storeOf({ headers: { cookie, 'x-stack-auth': JSON.stringify(given) } }).read()).toEqual(given)
  })

  const bearer = { authorization: `Bearer ${accessTokenText({ sub: 'user-2', refreshTokenId: 'session-2' })}` }
  const ofBearer = { accessToken: bearer.authorization.slice(7), refreshToken: null }

  it.each<[string, Record<string, string>, Tokens | null]>([
    ['by itself', bearer, ofBearer],
    ['before the cookies', { ...bearer, cookie }, ofBearer],
    ['after x-stack-auth', { ...bearer, 'x-stack-auth': JSON.stringify(first), cookie }, first],
    ['in any case of its scheme', { authorization: bearer.authorization.replace('B', 'b') }, ofBearer],
    ['and no user where it is none of the platform', { authorization: 'Bearer mine', cookie }, null],
    ['and the cookies beside another scheme', { authorization: 'Basic YTpi', cookie }, first],
    ['and the cookies where it is empty', { authorization: 'Bearer ', cookie }, first],
  ])('the access token in Authorization: Bearer %s', (_, headers, tokens) => {
    expect(storeOf({ headers }).read()).toEqual(tokens)
    expect(storeOf({ headers: new Headers(headers) }).read()).toEqual(tokens)
  })

  it.each<[number, boolean]>([
    [8192, true],
    [8193, false],
  ])('an access token of %i characters in Authorization: Bearer: %s', (length, isRead) => {
    const shortest = accessTokenText({ padding: '' }).length
    // Base64 has four characters for three.
    const padded = accessTokenText({ padding: 'x'.repeat(Math.floor(((length - shortest) * 3) / 4)) })
    const token = padded.padEnd(length, 'x')
    expect(token).toHaveLength(length)
    const tokens = storeOf({ headers: { authorization: `Bearer ${token}` } }).read()
    expect(tokens).toEqual(isRead ? { accessToken: token, refreshToken: null } : null)
  })

  it.each(['text', '[]', '5', 'null'])('no session from the header %j, without repeating it in the error', text => {
    expect(() => storeOf({ headers: { 'x-stack-auth': text } })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field: 'x-stack-auth' }) }),
    )
  })

  it.each(kindsOfPromise)('no headers that are a promise of %s, with an error', (_, later) => {
    const headers = later(() => new Headers({ cookie })) as never
    expect(() => storeOf({ headers })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('await it') as string }),
    )
  })

  it('no session without headers', () => {
    expect(storeOf({ headers: {} }).read()).toBeNull()
    expect(storeOf({ headers: { cookie: 'stack-access=broken%; x' } }).read()).toBeNull()
  })

  it('each request once, however often it is called', () => {
    const request = { headers: { cookie } }
    expect(storeOf(request)).toBe(storeOf(request))
    expect(storeOf(request)).not.toBe(storeOf({ headers: { cookie } }))
  })

  it('each request once, however its headers are wrapped', () => {
    const { headers } = new Request('https://app.example', { headers: { cookie } })
    expect(storeOf({ headers })).toBe(storeOf({ headers }))
  })

  it('projects of one site apart', () => {
    const source = requestTokens({ headers: { cookie } }) as (context: object) => TokenStore
    expect(source({ projectId }).read()).toEqual(first)
    expect(source({ projectId: 'project-2' }).read()).toBeNull()
  })
})

describe('requestTokens writes', () => {
  const rendering = new Error('cookies can be set in an action only')
  const refuse = () => {
    throw rendering
  }
  const next: Tokens = { accessToken: accessTokenText({ iat: 2 }), refreshToken: 'refresh-2' }

  it('the cookies of new tokens, the pair before the refresh token', () => {
    const written: CookieWrite[] = []
    const store = storeOf({ headers: { cookie, 'x-forwarded-proto': 'https' } }, one => written.push(one))
    expect(store.replace(first, next)).toBe(true)
    const options = { path: '/', sameSite: 'lax', secure: true }
    expect(written).toEqual([
      {
        name: 'stack-access',
        value: JSON.stringify([next.refreshToken, next.accessToken]),
        options: { ...options, maxAge: 86_400 },
      },
      { name: `stack-refresh-${projectId}`, value: 'refresh-2', options: { ...options, maxAge: 31_536_000 } },
    ])
  })

  it('deletions when the session has ended, the refresh token first', () => {
    const written: CookieWrite[] = []
    const store = storeOf({ headers: { cookie: `${cookie}; stack-refresh=old` } }, one => written.push(one))
    expect(store.replace(first, null)).toBe(true)
    expect(written.map(({ name, options }) => [name, options.maxAge])).toEqual([
      [`stack-refresh-${projectId}`, 0],
      ['stack-access', 0],
      ['stack-refresh', 0],
    ])
  })

  const notCached = { 'cache-control': 'private, no-store', vary: 'Cookie' }

  it('with each cookie the headers that keep caches from storing it, deletions included', () => {
    const given: CookieHeaders[] = []
    const header = `${cookie}; stack-refresh=old; __Host-stack-refresh-${projectId}--default=x`
    const store = storeOf({ headers: { cookie: header } }, (_, headers) => given.push(headers))
    expect(store.replace(first, next)).toBe(true)
    const set = given.splice(0)
    expect(store.replace(next, null)).toBe(true)
    expect(set.length).toBeGreaterThan(2)
    expect(given.length).toBeGreaterThan(2)
    expect(new Set([...set, ...given].map(headers => JSON.stringify(headers)))).toEqual(
      new Set([JSON.stringify(notCached)]),
    )
  })

  it('no deletion of the cookies beside an access token in Authorization', () => {
    const names: string[] = []
    const token = accessTokenText({ refreshTokenId: 'session-2' })
    const request = { headers: { cookie, authorization: `Bearer ${token}` } }
    const store = storeOf(request, ({ name }) => names.push(name))
    const given = { accessToken: token, refreshToken: null }
    expect(store.replace(given, null)).toBe(true)
    expect([store.read(), names]).toEqual([null, []])
    // The session that begins in this request is in the cookies, so that it also ends there.
    expect(store.replace(null, next)).toBe(true)
    expect(store.replace(next, null)).toBe(true)
    const both = ['stack-access', `stack-refresh-${projectId}`]
    expect(names).toEqual([...both, ...[...both].reverse()])
  })

  it.each([
    [
      'before',
      (request: RequestLike, write: (cookie: CookieWrite) => void) => [storeOf(request, write), storeOf(request)],
    ],
    [
      'after',
      (request: RequestLike, write: (cookie: CookieWrite) => void) => [storeOf(request), storeOf(request, write)],
    ],
  ])('for all callers %s one has passed `write`', (_, ask) => {
    const names: string[] = []
    const stores = ask({ headers: { cookie } }, one => names.push(one.name))
    const newer = { ...first, accessToken: next.accessToken }
    expect(stores[0]!.replace(first, newer)).toBe(true)
    expect(stores[1]!.replace(newer, next)).toBe(true)
    const both = ['stack-access', `stack-refresh-${projectId}`]
    expect(names).toEqual([...both, ...both])
  })

  it('in the order of replacements, each change complete before the next', () => {
    const written: string[] = []
    const store = storeOf({ headers: { cookie } }, ({ name, options }) => written.push(`${name} ${options.maxAge}`))
    void store.replace(first, null)
    void store.replace(null, next)
    const refresh = `stack-refresh-${projectId}`
    expect(written).toEqual([`${refresh} 0`, 'stack-access 0', 'stack-access 86400', `${refresh} 31536000`])
  })

  it('a new access token only to itself without `write`', () => {
    const store = storeOf({ headers: { cookie } })
    const newer = { ...first, accessToken: next.accessToken }
    expect(store.replace(first, newer)).toBe(true)
    expect(store.read()).toEqual(newer)
    expect(store.replace(newer, null)).toBe(true)
    expect(store.read()).toBeNull()
  })

  it('a new access token, and the end of a session, only to itself if cookies cannot be set', () => {
    const store = storeOf({ headers: { cookie } }, refuse)
    const newer = { ...first, accessToken: next.accessToken }
    expect(store.replace(first, newer)).toBe(true)
    expect(store.read()).toEqual(newer)
    expect(store.replace(newer, null)).toBe(true)
    expect(store.read()).toBeNull()
  })

  it('no new refresh token if cookies cannot be set, and keeps the framework’s error', () => {
    const store = storeOf({ headers: { cookie } }, refuse)
    expect(() => store.replace(first, next)).toThrow(
      expect.objectContaining({ code: 'TOKENS_UNAVAILABLE', cause: rendering }),
    )
    expect(store.read()).toEqual(first)
  })

  it.each(kindsOfPromise.filter(([kind]) => kind !== 'a library'))(
    'each cookie after the one before, with an asynchronous setter: a promise of %s',
    async (_, later) => {
      const written: string[] = []
      const store = storeOf({ headers: { cookie } }, ({ name }) => later(() => written.push(name)))
      const replaced = [first, next].map(async (held, index) => store.replace(held, index === 0 ? next : null))
      expect(store.read()).toEqual(first)
      expect(await Promise.all(replaced)).toEqual([true, true])
      const refresh = `stack-refresh-${projectId}`
      expect(written).toEqual(['stack-access', refresh, refresh, 'stack-access'])
      expect(store.read()).toBeNull()
    },
  )

  it('no new refresh token if the setter rejects, and a new access token only to itself', async () => {
    const store = storeOf({ headers: { cookie } }, () => Promise.reject(rendering))
    await expect(store.replace(first, next)).rejects.toMatchObject({ code: 'TOKENS_UNAVAILABLE', cause: rendering })
    expect(store.read()).toEqual(first)
    const newer = { ...first, accessToken: next.accessToken }
    expect(await store.replace(first, newer)).toBe(true)
    expect(store.read()).toEqual(newer)
  })

  it('without awaiting what a setter returns for chaining, like Fastify’s reply, which waits for the answer', () => {
    const reply = { then: () => undefined }
    const store = storeOf({ headers: { cookie } }, () => reply)
    expect(store.replace(first, next)).toBe(true)
  })

  it.each<[what: string, request: RequestLike, isSecure: boolean]>([
    ['a fetch Request by https', new Request('https://app.example/sign-in'), true],
    ['a fetch Request by http', new Request('http://app.example/?to=https://x.example'), false],
    ['a Node request by https', { url: '/sign-in', headers: {}, socket: { encrypted: true } }, true],
    ['a Node request by http', { url: '/sign-in', headers: {}, socket: {} }, false],
    ['a proxy that was asked by https', { url: 'http://inner/', headers: { 'x-forwarded-proto': 'https,http' } }, true],
    ['a proxy that was asked by http', { headers: { 'x-forwarded-proto': 'http' } }, false],
    ['a platform kit’s own note of https', { headers: { cookie: 'a=b; stack-is-https=true' } }, true],
    ['headers alone', { headers: {} }, false],
  ])('with Secure exactly if the browser has asked by https: %s', (_, request, isSecure) => {
    const written: CookieWrite[] = []
    const store = storeOf(request, one => written.push(one))
    expect(store.replace(null, next)).toBe(true)
    expect(written.map(({ options }) => options.secure)).toEqual([isSecure, isSecure])
  })

  it('with Secure if any caller for the request knows of https', () => {
    const { headers } = new Request('https://app.example/')
    const written: CookieWrite[] = []
    const store = storeOf({ headers }, one => written.push(one))
    storeOf({ headers, url: 'https://app.example/' })
    expect(store.replace(null, next)).toBe(true)
    expect(written.map(({ options }) => options.secure)).toEqual([true, true])
  })

  it('no new refresh token without `write`: the browser would keep the old one', () => {
    const store = storeOf({ headers: { cookie } })
    expect(() => store.replace(first, next)).toThrow(expect.objectContaining({ code: 'TOKENS_UNAVAILABLE' }))
    expect(store.read()).toEqual(first)
  })
})

describe('a server', () => {
  it.each(['bearer', 'stack', undefined] as const)(
    'knows the user of a request by the headers that authHeaders gives (%s)',
    async as => {
      const { app, newApp, settled } = await world()
      const headers = await settled(app.authHeaders(as && { as }))
      const forRequest = newApp({ tokens: requestTokens({ headers }) })
      expect((await settled(forRequest.user$.get()))?.displayName).toBe(ada.displayName)
    },
  )

  it('requests no new access token for one in Authorization that has expired', async () => {
    const { app, clock, newApp, platform, requests, settled } = await world()
    const headers = await settled(app.authHeaders())
    const { refreshToken } = (await platform.tokensFor(grace.email)).read()!
    const cookie = `stack-refresh-${platform.options.projectId}=${refreshToken}`
    const names: string[] = []
    const tokens = requestTokens({ headers: { ...headers, cookie } }, ({ name }) => names.push(name))
    await clock.advance(600_000)
    requests.length = 0
    const forRequest = newApp({ tokens })
    await settled(Promise.allSettled([forRequest.user$.get()]))
    expect(await settled(forRequest.user$.get())).toBeNull()
    expect([requests, names]).toEqual([[], []])
  })

  it('refreshes once for the kits of a request that ask at once, and sets its cookies once', async () => {
    const { clock, newApp, platform, requests, settled } = await world({ platform: { rotation: true } })
    const { accessToken, refreshToken } = (await platform.tokensFor(ada.email)).read()!
    const name = `stack-refresh-${platform.options.projectId}`
    const expired = encodeURIComponent(JSON.stringify([refreshToken, accessToken]))
    const request = { headers: { cookie: `${name}=${refreshToken}; stack-access=${expired}` } }
    const written: CookieWrite[] = []
    const apps = Array.from({ length: 3 }, () =>
      newApp({ tokens: requestTokens(request, cookie => written.push(cookie)) }),
    )
    await clock.advance(600_000)
    const users = await settled(Promise.all(apps.map(app => app.user$.get())))
    expect(users.map(user => user?.displayName)).toEqual(Array(3).fill(ada.displayName))
    const tokens = await settled(Promise.all(apps.map(app => app.accessToken())))
    expect(new Set(tokens).size).toBe(1)
    expect(written.map(({ name }) => name)).toEqual(['stack-access', name])
    expect(written[1]!.value).not.toBe(refreshToken)
    // No request carries the expired token.
    expect(requests.sort()).toEqual([...Array<string>(3).fill('GET /users/me'), 'POST /auth/oauth/token'])
  })

  it.each([
    ['is disposed of', (first: ClientApp) => first.dispose()],
    ['gives up', (_: ClientApp, controller: AbortController) => controller.abort()],
  ])('continues for the other kits of a request when the one that refreshes for all %s', async (_, leave) => {
    const { clock, newApp, platform, settled } = await world()
    const headers = { 'x-stack-auth': JSON.stringify((await platform.tokensFor(ada.email)).read()) }
    const [first, second] = [
      newApp({ tokens: requestTokens({ headers }) }),
      newApp({ tokens: requestTokens({ headers }) }),
    ]
    await clock.advance(600_000)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 50 })
    const controller = new AbortController()
    const given = first.accessToken({ signal: controller.signal }).catch((error: unknown) => error)
    await clock.advance(10)
    const token = second.accessToken()
    leave(first, controller)
    expect(await settled(given)).toMatchObject({ code: expect.stringMatching(/^(DISPOSED|ABORTED)$/) as string })
    await clock.advance(50)
    expect(await settled(token)).toMatch(/^ey/)
    expect((await settled(second.user$.get()))?.displayName).toBe(ada.displayName)
  })

  it('reports the end of the session to every kit of a request', async () => {
    const { clock, newApp, platform, requests, settled } = await world()
    const headers = { 'x-stack-auth': JSON.stringify((await platform.tokensFor(ada.email)).read()) }
    const apps = Array.from({ length: 3 }, () => newApp({ tokens: requestTokens({ headers }) }))
    await clock.advance(600_000)
    const server = newApp({ tokens: memoryTokens(JSON.parse(headers['x-stack-auth']) as Tokens) })
    await settled(server.signOut())
    requests.length = 0
    await settled(Promise.allSettled(apps.map(app => app.user$.get())))
    expect(await settled(Promise.all(apps.map(app => app.user$.get())))).toEqual([null, null, null])
    expect(requests.filter(request => request === 'POST /auth/oauth/token')).toHaveLength(1)
  })

  it('refreshes once per request, however many kits it makes for it', async () => {
    const { clock, newApp, platform, requests, settled } = await world()
    const headers = { 'x-stack-auth': JSON.stringify((await platform.tokensFor(ada.email)).read()) }
    await clock.advance(600_000)
    for (let times = 0; times < 3; times++) {
      const forRequest = newApp({ tokens: requestTokens({ headers }) })
      expect((await settled(forRequest.user$.get()))?.displayName).toBe(ada.displayName)
    }
    expect(requests.filter(request => request === 'POST /auth/oauth/token')).toHaveLength(1)
  })
})
