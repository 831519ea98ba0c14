import { authHeaders, mutation, requestTokens, signUpWithPassword } from 'rxauth'
import type { CookieWrite, TokenSource, TokenStore } from 'rxauth'
import { currentUser, type RequestApp } from 'rxauth/server'
import { foreignOrigin } from '../../../src/session/requests/request-like'
import { ada } from '../../world'
import { adaId, renderWorld, tenMinutes } from '../render-world'

const own = 'https://app.example.com'
const foreign = 'https://evil.example'

/** What `app.updateUser` comes to for a request with these headers, whose cookies have a session. */
async function written(headers: Readonly<Record<string, string>>, url?: string): Promise<string> {
  const { browser, inTime, server } = await renderWorld()
  const request = (await browser()).request(headers)
  const app = server.withTokens(requestTokens({ ...request, ...(url !== undefined && { url }) }))
  const outcome = await inTime(app.updateUser({ displayName: 'Countess' })).catch((error: unknown) => error)
  expect((await inTime(app.user$.get()))?.primaryEmail).toBe(ada.email)
  app.dispose()
  const { code, details, displayName } = outcome as { code?: string; details?: object; displayName?: string }
  return code === undefined ? (displayName ?? '') : `${code} ${JSON.stringify(details)}`
}

describe('a write with the session of a request’s cookies', () => {
  // Promise: foreign-requests
  it.each<[string, Readonly<Record<string, string>>]>([
    ['of a form or an action of the app’s own page', { origin: own, 'sec-fetch-site': 'same-origin' }],
    ['of a page without a referrer policy that names it', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['of an address typed by the user', { 'sec-fetch-site': 'none' }],
    ['of a browser that sends no fetch metadata', { origin: own }],
    ['of a program, which sends no origin', {}],
    ['behind a proxy', { origin: own, host: 'internal:3000', 'x-forwarded-host': 'app.example.com' }],
    ['behind two proxies', { origin: own, host: 'internal', 'x-forwarded-host': 'app.example.com, edge.internal' }],
    ['behind a proxy that names another host', { origin: own, host: 'internal', 'sec-fetch-site': 'same-origin' }],
    ['to a host with the default port', { origin: own, host: 'app.example.com:443' }],
    ['to a host in capitals', { origin: own, host: 'APP.example.com' }],
    ['on another port of the developer’s machine', { origin: 'http://localhost:3000', host: 'localhost:3000' }],
  ])('%s is done', async (_, headers) => {
    expect(await written(headers)).toBe('Countess')
  })

  it('to a whole address is done', async () => {
    expect(await written({ origin: own, host: '' }, `${own}/account`)).toBe('Countess')
  })

  it('over HTTP/2 is done', () => {
    expect(foreignOrigin({ headers: { ':authority': 'app.example.com', origin: own } })).toBeUndefined()
    expect(foreignOrigin({ headers: { ':authority': 'app.example.com', origin: foreign } })).toBe(foreign)
  })

  // Promise: foreign-requests
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a page of another site', { origin: foreign, 'sec-fetch-site': 'cross-site' }, foreign],
    ['another site, by a browser without fetch metadata', { origin: foreign }, foreign],
    [
      'another site, by a proxy that sets its own host',
      { origin: foreign, 'x-forwarded-host': 'app.example.com' },
      foreign,
    ],
    ['a link on another site', { 'sec-fetch-site': 'cross-site' }, 'cross-site'],
    [
      'a subdomain',
      { origin: 'https://shop.app.example.com', 'sec-fetch-site': 'same-site' },
      'https://shop.app.example.com',
    ],
    [
      'a subdomain, by a browser without fetch metadata',
      { origin: 'https://shop.app.example.com' },
      'https://shop.app.example.com',
    ],
    [
      'the same host over plain http, where the request came by https',
      { origin: 'http://app.example.com', 'x-forwarded-proto': 'https, http' },
      'http://app.example.com',
    ],
    ['another port', { origin: 'http://localhost:4000', host: 'localhost:3000' }, 'http://localhost:4000'],
    ['a page that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 'null'],
    ['a page that hides its origin, by a browser without fetch metadata', { origin: 'null' }, 'null'],
    ['a text that is no origin', { origin: 'app.example.com' }, 'null'],
    ['another origin to a host that is not known', { origin: own, host: '' }, own],
  ])('from %s is INVALID_INPUT, and nothing is sent', async (_, headers, named) => {
    expect(await written(headers)).toMatch(`INVALID_INPUT {"field":"origin","reason":"${named} `)
  })

  // Promise: foreign-requests
  it.each<[string, string | undefined, object]>([
    ['by the address of the request', 'http://app.example.com', { url: `${own}/account` }],
    ['by an encrypted socket', 'http://app.example.com', { url: '/account', socket: { encrypted: true } }],
    ['not, by a proxy that speaks https to this server alone', undefined, { url: own, proto: 'http' }],
    ['not, where nothing says so', undefined, { url: '/account', socket: {} }],
    ['not, at the address behind a proxy', undefined, { url: 'http://app.example.com' }],
  ])(
    'from the same host over plain http, where the request came by https: %s',
    (
      _,
      expected,
      {
        proto,
        ...request
      }: {
        readonly proto?: string
        readonly url?: string
        readonly socket?: object
      },
    ) => {
      const headers = {
        host: 'app.example.com',
        origin: 'http://app.example.com',
        ...(proto && { 'x-forwarded-proto': proto }),
      }
      expect(foreignOrigin({ ...request, headers })).toBe(expected)
      // A proxy may speak plain http to this server.
      expect(foreignOrigin({ ...request, headers: { ...headers, origin: own } })).toBeUndefined()
    },
  )

  // Promise: foreign-requests
  it('is done for a foreign page that sends the tokens in a header', async () => {
    const { app, inTime, server } = await renderWorld()
    for (const as of ['stack', 'bearer'] as const) {
      const headers = { ...(await inTime(authHeaders(app, { as }))), host: 'api.example.com', origin: own }
      const forRequest = server.withTokens(requestTokens({ headers }))
      expect(await inTime(forRequest.updateUser({ displayName: as }))).toMatchObject({ displayName: as })
    }
  })
})

describe('a request from a foreign page', () => {
  const scene = async () => {
    const one = await renderWorld({}, { wire: '2026' })
    const jar = await one.browser()
    const request = jar.request({ origin: foreign, 'sec-fetch-site': 'cross-site' })
    return { ...one, jar, request }
  }

  const own = mutation(async (_kit, _: { readonly text: string }) => Promise.resolve(), { refreshes: () => [] })
  const writes: Readonly<Record<string, (app: RequestApp) => Promise<unknown>>> = {
    updateUser: app => app.updateUser({ displayName: 'Countess' }),
    updateOwnUser: app => app.updateOwnUser({ displayName: 'Countess' }),
    deleteUser: app => app.deleteUser(),
    createTeam: app => app.createTeam({ displayName: 'Engines' }),
    updatePassword: app => app.updatePassword({ oldPassword: ada.password, newPassword: 'another horse' }),
    acceptTeamInvitation: app => app.acceptTeamInvitation({ code: 'x'.repeat(45) }),
    completeCliLogin: app => app.completeCliLogin({ loginCode: 'code' }),
    signOut: app => app.signOut(),
    'signOut, everywhere': app => app.signOut({ everywhere: true }),
    'a mutation of the app': app => own(app, { text: '' }),
  }

  // Promise: foreign-requests
  it.each(Object.entries(writes))('does not write by cookie: %s', async (_, write) => {
    const { inTime, jar, request, requests, server } = await scene()
    const names: CookieWrite[] = []
    const app = server.withTokens(requestTokens(request, cookie => names.push(cookie)))
    await expect(inTime(write(app))).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'origin' } })
    expect(requests.filter(line => !line.startsWith('GET '))).toEqual([])
    expect(names).toEqual([])
    expect((await inTime(app.user$.get()))?.displayName).toBe('Ada')
    // The session goes on.
    const next = server.withTokens(requestTokens(jar.request()))
    expect((await inTime(next.user$.get()))?.displayName).toBe('Ada')
  })

  it.each<[string, (tokens: TokenStore) => TokenStore]>([
    ['a copy of it', tokens => ({ ...tokens })],
    ['one that inherits from it', tokens => Object.create(tokens) as TokenStore],
  ])('does not write by %s, as an app makes to log what it reads', async (_, wrap) => {
    const { inTime, request, requests, server } = await scene()
    const source = requestTokens(request) as Extract<TokenSource, (...context: never) => unknown>
    const app = server.withTokens(context => wrap(source(context)))
    const write = app.updateUser({ displayName: 'Countess' })
    await expect(inTime(write)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'origin' } })
    expect(requests.filter(line => !line.startsWith('GET '))).toEqual([])
  })

  // Promise: foreign-requests
  it('reads, and has its session renewed', async () => {
    const { clock, inTime, jar, refreshes, request, server } = await scene()
    const before = jar.cookies.get('stack-access')
    await clock.advance(tenMinutes)
    expect(await inTime(currentUser(server, request, { write: jar.write }))).toMatchObject({ displayName: 'Ada' })
    expect(refreshes()).toBe(1)
    expect(jar.cookies.get('stack-access')).not.toBe(before)
  })

  // Promise: foreign-requests
  it.each([
    ['a form', 'POST', []],
    // Which may begin a session, and not give the user of the cookies an address.
    ['a link', 'GET', ['POST /auth/oauth/token']],
  ])('does not sign the anonymous user of its cookies up: %s', async (_, method, expected) => {
    const { inTime, newApp, platform, requests, server } = await scene()
    const guest = newApp()
    await inTime(guest.signUpAnonymously())
    const cookie = `stack-refresh-${platform.options.projectId}=${guest.tokens$.value?.refreshToken ?? ''}`
    requests.length = 0
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const app = server.withTokens(requestTokens({ method, headers: { cookie, ...link } }))
    const signUp = signUpWithPassword(app, {
      email: 'mallory@example.com',
      password: 'another horse',
      verificationCallbackUrl: `${foreign}/verify`,
    })
    await expect(inTime(signUp)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'origin' } })
    expect(requests).toEqual(expected)
  })

  // Promise: foreign-requests
  it.each(['POST', 'put', 'DELETE', 'GET', 'head'])(
    'is passed on to your own backend only to read: %s',
    async method => {
      const { browser, inTime, newServer } = await renderWorld({}, { wire: '2026' })
      const network = globalThis.fetch
      const sent: string[] = []
      globalThis.fetch = (_, init) => {
        sent.push(new Headers(init?.headers).has('authorization') ? 'as Ada' : 'without a token')
        return Promise.resolve(new Response())
      }
      try {
        const api = 'https://api.example.com'
        const headers = { origin: foreign, 'sec-fetch-site': 'cross-site' }
        const app = newServer({ apiOrigins: [api] }).withTokens(requestTokens((await browser()).request(headers)))
        const answer = inTime(app.fetch(`${api}/notes`, { method }))
        const isRead = ['GET', 'head'].includes(method)
        if (isRead) expect((await answer).status).toBe(200)
        else await expect(answer).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'origin' } })
        expect(sent).toEqual(isRead ? ['as Ada'] : [])
      } finally {
        globalThis.fetch = network
      }
    },
  )

  it('writes with the rights of the server', async () => {
    const { inTime, request, server } = await scene()
    const app = server.withTokens(requestTokens(request))
    const changed = app.updateUserById({ userId: adaId, displayName: 'Countess' })
    expect(await inTime(changed)).toMatchObject({ ok: true })
  })
})
