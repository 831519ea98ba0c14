import { NextRequest } from 'next/server'
import { createClientApp, memoryTokens, requestTokens } from 'rxauth'
import { createPlatform, virtualClock, type Platform } from 'rxauth/platform'
import { nextApp, type NextOptions } from 'rxauth/next'
import { isCacheHeader, type RequestApp } from 'rxauth/server'
import { hostsBelow } from '../../navigation/hostile-texts'
import { ada, grace } from '../../world'

let platform: Platform
beforeEach(() => {
  platform = createPlatform({
    seed: {
      users: [ada, grace],
      teams: [
        { id: 'f0000000-0000-4000-8000-000000000001', displayName: 'Engineering', members: [{ email: ada.email }] },
      ],
    },
  })
})

const needs: NextOptions['needs'] = {
  '/account': { signedIn: true },
  '/verified': { signedIn: true, verified: true },
  '/teams/[teamId]': ({ teamId = '' }) => ({ signedIn: true, teamId }),
  '/api/me': { signedIn: true },
  '/files/[name]': { signedIn: true },
}

const ofTest = (options: Partial<NextOptions> = {}) =>
  nextApp({
    ...platform.serverOptions,
    provider: () => null,
    urls: { signIn: '/sign-in' },
    needs,
    ...options,
  } as NextOptions)

async function cookiesOf(email: string, change = (accessToken: string) => accessToken): Promise<string> {
  const held = (await platform.tokensFor(email)).read()!
  const tokens = [held.refreshToken!, change(held.accessToken!)]
  return `stack-refresh-${platform.options.projectId}=${tokens[0]}; stack-access=${encodeURIComponent(JSON.stringify(tokens))}`
}

interface Asked {
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly as?: string
  readonly app?: ReturnType<typeof ofTest>
  readonly nextConfig?: { readonly basePath?: string }
}

/** What the proxy answers, as a browser or Next.js sees it. */
async function ask(path: string, { headers = {}, method = 'GET', as, app = ofTest(), nextConfig }: Asked = {}) {
  const cookie = as === undefined ? {} : { cookie: await cookiesOf(as) }
  const url = `http://app.example${path}`
  const request = new NextRequest(url, {
    method,
    headers: { accept: 'text/html', ...cookie, ...headers },
    ...(nextConfig && { nextConfig }),
  })
  const response = await app.proxy(request)
  return {
    status: response.status,
    to: response.headers.get('location')?.replace('http://app.example', '') ?? null,
    goesOn: response.headers.get('x-middleware-next') === '1',
    caching: response.headers.get('cache-control'),
    vary: response.headers.get('vary'),
    told: response.headers.get('x-middleware-request-x-rxauth-url'),
    response,
  }
}

const onTheWay = { status: 307, to: '/sign-in?after_auth_return_to=%2Faccount%3Ffrom%3Dmail', goesOn: false }

describe('a visitor', () => {
  // Promise: next-proxy
  it.each(['/account?from=mail', '/%61ccount?from=mail', '/account/?from=mail'])(
    'of %s is led to the sign-in page, which returns here',
    async path => {
      const { status, to, goesOn, caching, vary } = await ask(path)
      expect([status, goesOn, caching, vary]).toEqual([307, false, 'private, no-store', 'Cookie'])
      expect(to).toMatch(/^\/sign-in\?after_auth_return_to=%2F/)
    },
  )

  it('of a path that looks like a host is led there without an address to return to', async () => {
    expect(await ask('//account?from=mail')).toMatchObject({ status: 307, to: '/sign-in' })
  })

  it('returns with the query', async () => {
    expect(await ask('/account?from=mail')).toMatchObject(onTheWay)
  })

  it('who posts a form is not led to post it there', async () => {
    expect(await ask('/account', { method: 'POST' })).toMatchObject({ status: 303, goesOn: false })
  })

  it('of a path that only begins like that of an API is led to the sign-in page', async () => {
    expect(await ask('/apis', { app: ofTest({ needs: { '/apis': { signedIn: true } } }) })).toMatchObject({
      status: 307,
    })
  })

  it('gets the files of Next.js, also where every path has a need', async () => {
    const app = ofTest({ needs: { '/[[...rest]]': { signedIn: true } } })
    expect(await ask('/_next/static/a.js', { app })).toMatchObject({ goesOn: true, caching: null })
    expect(await ask('/robots.txt', { app })).toMatchObject({ status: 307 })
  })

  // Promise: next-proxy
  it.each([
    '/account.segments/_tree.segment',
    '/account.segments/.segment',
    '/account.segments/account/__PAGE__.segment.rsc',
    '/sign-in.segments/account.segments/_tree.segment',
    '/index.segments/_tree.segment',
    '/index',
    '/_next/data/build/account.json',
    // The same addresses, written in other ways.
    '/index/',
    '//index',
    '/%69ndex',
    '/account.segm%65nts/_tree.segment',
    '/account%2Esegments/_tree.segment/',
    '/_next/d%61ta/build/account.json',
    '/%5Fnext/data/build/account.json',
  ])('gets no part of a page, which hosts serve at %s', async path => {
    const app = ofTest({ needs: { ...needs, '/': { signedIn: true }, '/sign-in.segments/[part]': { signedIn: true } } })
    expect(await ask(path, { app })).toMatchObject({ status: 307, goesOn: false, caching: 'private, no-store' })
    expect(await ask(path, { app, as: ada.email })).toMatchObject({ goesOn: true, caching: 'private, no-store' })
  })

  it('gets the data of an open page, which for a user no cache may keep', async () => {
    const path = '/_next/data/build/open.json'
    expect(await ask(path)).toMatchObject({ goesOn: true, caching: null })
    expect(await ask(path, { as: ada.email })).toMatchObject({ goesOn: true, caching: 'private, no-store' })
  })

  it('gets no page whose address looks like a part of an open one', async () => {
    const app = ofTest({ needs: { '/[[...rest]]': { signedIn: true }, '/about': null } })
    expect(await ask('/about', { app })).toMatchObject({ goesOn: true })
    expect(await ask('/about.segments/x.segment', { app })).toMatchObject({ status: 307, goesOn: false })
  })

  it('gets 401 of an API', async () => {
    const { status, goesOn, caching, response } = await ask('/api/me')
    expect([status, goesOn, caching]).toEqual([401, false, 'private, no-store'])
    expect(await response.json()).toEqual({ code: 'USER_AUTHENTICATION_REQUIRED' })
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('who accepts JSON gets 401 of any path', async () => {
    expect(await ask('/account', { headers: { accept: 'application/json' } })).toMatchObject({ status: 401, to: null })
  })

  // Promise: next-proxy
  it('whose router fetches a page gets no redirect, which it would keep for this page', async () => {
    const headers = { accept: '*/*', 'sec-fetch-dest': 'empty', rsc: '1', 'next-router-prefetch': '1' }
    const { status, to, goesOn, response } = await ask('/account', { headers })
    expect([status, to, goesOn, await response.text()]).toEqual([200, null, false, ''])
    expect(response.headers.get('content-type')).toBe('text/plain')
  })

  it('whose page calls a server action is led to the sign-in page', async () => {
    const headers = { accept: 'text/x-component', 'next-action': '7f', 'sec-fetch-dest': 'empty' }
    const { status, goesOn, response } = await ask('/account', { method: 'POST', headers })
    expect([status, goesOn, await response.text()]).toEqual([200, false, ''])
    expect(response.headers.get('x-action-redirect')).toBe('/sign-in?after_auth_return_to=%2Faccount;push')
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('whose script sends %s gets 401 of any path', async method => {
    const headers = { accept: '*/*', 'sec-fetch-dest': 'empty' }
    expect(await ask('/account', { method, headers })).toMatchObject({ status: 401, to: null, goesOn: false })
    // Over plain http browsers do not say what for, and programs never do.
    expect(await ask('/account', { method, headers: { accept: '*/*' } })).toMatchObject({ status: 401, to: null })
    const refused = await ask('/account', { method, headers: { 'sec-fetch-dest': 'empty' } })
    expect(await refused.response.json()).toEqual({ code: 'USER_AUTHENTICATION_REQUIRED' })
  })

  it.each(['GET', 'HEAD'])('whose script sends %s may be the router, which gets no content', async method => {
    const headers = { accept: '*/*', 'sec-fetch-dest': 'empty' }
    expect(await ask('/account', { method, headers })).toMatchObject({ status: 200, to: null, goesOn: false })
  })

  // Promise: next-proxy
  it.each(['HEAD', 'OPTIONS', 'PUT', 'DELETE'])('is refused by any method: %s', async method => {
    expect((await ask('/account', { method })).goesOn).toBe(false)
    expect((await ask('/api/me', { method })).status).toBe(401)
  })

  // Promise: next-proxy
  it.each<Record<string, string>>([
    { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
    { 'next-router-prefetch': '1' },
    { purpose: 'prefetch' },
    { 'x-rxauth-url': '/' },
    { 'x-forwarded-host': 'evil.example', host: 'evil.example' },
    { authorization: 'Bearer mine' },
    { 'x-stack-auth': '{"accessToken":"mine"}' },
    { cookie: 'stack-access=["a","b"]' },
  ])('is led there with the headers %j too', async headers => {
    expect(await ask('/account?from=mail', { headers })).toMatchObject(onTheWay)
  })

  // Promise: next-caches
  it('sees a page without a need, which caches may keep, and files', async () => {
    expect(await ask('/')).toMatchObject({ goesOn: true, caching: null, vary: null, told: '/' })
    expect(await ask('/about.txt')).toMatchObject({ goesOn: true, caching: null, told: null })
    expect(await ask('/_next/static/a.js')).toMatchObject({ goesOn: true, caching: null, told: null })
  })

  it.each(['/users/john.doe', '/docs/v1.2', '/a.b/c', '/mail/ada@example.com', '/.well-known', '/x.', '/logo.png/'])(
    'sees the page %s, which is no file for its dot',
    async path => {
      expect(await ask(path)).toMatchObject({ goesOn: true, told: path })
    },
  )

  it.each([
    '/logo.PNG',
    '/fonts/a.woff2',
    '/robots.txt',
    '/a.b/site.webmanifest',
    '/_next/image',
    '/_next/static/chunk',
  ])('sees the file %s without an address, whatever the request says', async path => {
    const asked = await ask(path, { headers: { 'x-rxauth-url': '/elsewhere', 'x-other': 'kept' } })
    expect(asked).toMatchObject({ goesOn: true, told: null })
    expect(asked.response.headers.get('x-middleware-override-headers')).not.toContain('x-rxauth-url')
    expect(asked.response.headers.get('x-middleware-request-x-other')).toBe('kept')
  })

  it('sees a page that ends like a file and is named in `needs`', async () => {
    const app = ofTest({ needs: { '/docs/[...page]': null } })
    expect(await ask('/docs/node.js', { app })).toMatchObject({ goesOn: true, told: '/docs/node.js' })
    expect(await ask('/docs/node.js', { app, as: ada.email })).toMatchObject({ caching: 'private, no-store' })
  })

  it('is refused a path with a need, though it looks like a file', async () => {
    expect(await ask('/files/a.pdf')).toMatchObject({ status: 307 })
  })

  it.each(['/api/me', '/account', '/files/a.pdf', '/'])(
    'of %s whose browser asks first whether a page of another origin may do so is not refused',
    async path => {
      const preflight = {
        origin: 'https://other.example',
        'access-control-request-method': 'POST',
        'x-rxauth-url': '/elsewhere',
      }
      expect(await ask(path, { method: 'OPTIONS', headers: preflight })).toMatchObject({ goesOn: true, told: null })
      expect((await ask(path, { headers: preflight })).goesOn).toBe(path === '/')
      expect((await ask(path, { method: 'POST', headers: preflight })).goesOn).toBe(path === '/')
    },
  )

  it('whose session has ended is told so by an answer that no cache keeps, of any page', async () => {
    const cookie = await cookiesOf(ada.email, () => 'expired')
    const app = createClientApp({ ...platform.options, tokens: await platform.tokensFor(ada.email) })
    for (const session of await app.sessions$.get())
      if (!session.isCurrentSession) await app.revokeSession({ sessionId: session.id })
    const { goesOn, caching, vary, response } = await ask('/', { headers: { cookie } })
    expect(response.headers.getSetCookie().join()).toContain('Max-Age=0')
    expect([goesOn, caching, vary]).toEqual([true, 'private, no-store', 'Cookie'])
    const refused = await ask('/account', { headers: { cookie } })
    expect(refused.response.headers.getSetCookie().join()).toContain('Max-Age=0')
    expect(refused).toMatchObject({ status: 307, caching: 'private, no-store' })
  })

  // Promise: partitioned-cookies
  it('of an app for frames of other sites has the cookies of its session set in the partition', async () => {
    const cookie = await cookiesOf(ada.email, token => token.replace(/.{8}$/, 'AAAAAAAA'))
    const { response } = await ask('/account', { headers: { cookie }, app: ofTest({ partitioned: true }) })
    const lines = response.headers.getSetCookie()
    expect(lines.map(line => line.split('=', 1)[0])).toEqual([
      'stack-access',
      `stack-refresh-${platform.options.projectId}`,
    ])
    for (const line of lines) expect(line).toMatch(/; Secure; SameSite=none; Partitioned$/)
  })

  it('who is anonymous counts as a visitor', async () => {
    const { accessToken, refreshToken } = await anonymous()
    const headers = { 'x-stack-auth': JSON.stringify({ accessToken, refreshToken }) }
    expect(await ask('/account?from=mail', { headers })).toMatchObject(onTheWay)
  })
})

async function anonymous() {
  const tokens = memoryTokens()
  const app = createClientApp({ ...platform.options, tokens })
  await app.signUpAnonymously()
  app.dispose()
  return (await tokens.read())!
}

describe('a user', () => {
  // Promise: next-caches
  it('sees a page, which no cache keeps and which knows its address', async () => {
    const asked = await ask('/account?from=mail', { as: ada.email, headers: { 'x-rxauth-url': '/elsewhere' } })
    expect(asked).toMatchObject({
      goesOn: true,
      caching: 'private, no-store',
      vary: 'Cookie',
      told: '/account?from=mail',
    })
    expect(await ask('/', { as: ada.email })).toMatchObject({ goesOn: true, caching: 'private, no-store' })
  })

  // Promise: next-proxy
  it('sees a team as a member, and is refused as anyone else', async () => {
    const path = '/teams/f0000000-0000-4000-8000-000000000001'
    expect(await ask(path, { as: ada.email })).toMatchObject({ goesOn: true })
    const refused = await ask(path, { as: grace.email })
    expect(refused).toMatchObject({ status: 403, goesOn: false, caching: 'private, no-store' })
    expect(await refused.response.text()).not.toContain('refresh')
    expect(await ask('/teams/%00', { as: ada.email })).toMatchObject({ status: 403 })
  })

  it('who may not see a page is led to the page of the option, with status 403', async () => {
    const app = ofTest({ forbidden: '/no"><script>' })
    const { status, response } = await ask('/teams/other', { as: ada.email, app })
    expect([status, response.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(await response.text()).toContain('<meta http-equiv="refresh" content="0;url=/no%22%3E%3Cscript%3E">')
  })

  it.each([
    ['a page', '/teams/other', {}, 403],
    ['an API', '/api/other', {}, 403],
    ['the router', '/teams/other', { 'sec-fetch-dest': 'empty' }, 200],
    ['the page for verified addresses', '/verified', {}, 307],
    ['a server action', '/verified', { 'next-action': '7f' }, 200],
  ])(
    'gets the new tokens of a session with the refusal of %s, which no cache keeps',
    async (_, path, headers, status) => {
      platform = createPlatform({ seed: { users: [ada] }, rotation: { graceMillis: 0 } })
      const app = ofTest({ needs: { ...needs, '/api/other': { signedIn: true, can: 'nothing' } } })
      const cookie = await cookiesOf(ada.email, token => token.replace(/.{8}$/, 'AAAAAAAA'))
      const asked = await ask(path, { app, headers: { cookie, ...headers } })
      expect(asked).toMatchObject({ status, goesOn: false, caching: 'private, no-store', vary: 'Cookie' })
      const set = asked.response.headers.getSetCookie().map(line => line.split(';')[0])
      expect(set.join()).not.toContain(cookie.split(/[=;]/)[1])
      // They are those of a session that goes on.
      expect(await ask('/account', { app, headers: { cookie: set.join('; ') } })).toMatchObject({ goesOn: true })
    },
  )

  it('has no answer that a cache keeps by headers of its own', async () => {
    const { response } = await ask('/', { as: ada.email })
    expect([...response.headers].filter(([name]) => isCacheHeader(name))).toEqual([
      ['cdn-cache-control', 'private, no-store'],
      ['cloudflare-cdn-cache-control', 'private, no-store'],
      ['edge-control', 'no-store'],
      ['expires', '0'],
      ['netlify-cdn-cache-control', 'private, no-store'],
      ['surrogate-control', 'private, no-store'],
      ['vercel-cdn-cache-control', 'private, no-store'],
      ['x-accel-expires', '0'],
    ])
    expect([...(await ask('/')).response.headers.keys()].filter(isCacheHeader)).toEqual([])
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('who may not do it gets 403 of the %s of a script', async method => {
    const asked = await ask('/teams/other', { method, as: ada.email, headers: { 'sec-fetch-dest': 'empty' } })
    expect([asked.status, await asked.response.json()]).toEqual([403, { code: 'FORBIDDEN' }])
    expect(asked.response.headers.get('www-authenticate')).toBeNull()
  })

  it('has an app for each request, which is disposed of, also after an error', async () => {
    const signIn = () => {
      throw new Error('mine')
    }
    const app = ofTest({ urls: { signIn } })
    const made: RequestApp[] = []
    const { withTokens } = app.server()
    jest.spyOn(app.server(), 'withTokens').mockImplementation(tokens => {
      made.push(withTokens(tokens))
      return made.at(-1)!
    })
    for (const path of ['/', '/account', '/teams/other']) await ask(path, { app, as: ada.email })
    await expect(ask('/account', { app })).rejects.toMatchObject({ code: 'CALLBACK_FAILED' })
    expect(made).toHaveLength(4)
    for (const own of made) await expect(own.user$.get()).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('gets 403 of an API, and in a server action', async () => {
    const app = ofTest({ needs: { '/[[...rest]]': { signedIn: true, can: 'nothing' } } })
    const { status, response } = await ask('/api/me', { as: ada.email, app })
    expect([status, await response.json()]).toEqual([403, { code: 'FORBIDDEN' }])
    expect(await ask('/', { as: ada.email, app, method: 'POST', headers: { 'next-action': '7f' } })).toMatchObject({
      status: 403,
    })
  })

  it('whose access token is refused gets a new one, in cookies beside which nothing is cached', async () => {
    const cookie = await cookiesOf(ada.email, token => token.replace(/.{8}$/, 'AAAAAAAA'))
    const { goesOn, caching, response } = await ask('/account', { headers: { cookie } })
    expect([goesOn, caching]).toEqual([true, 'private, no-store'])
    expect(response.headers.getSetCookie().join()).toContain('stack-access=')
  })
})

describe('a session that the proxy renews', () => {
  // Promise: next-proxy
  it.each([false, true])('is renewed once, also for a page of another process; with rotation: %s', async rotation => {
    platform = createPlatform({ seed: { users: [ada] }, rotation })
    const refreshes: string[] = []
    platform.requests$.subscribe(({ path }) => path.endsWith('/oauth/token') && refreshes.push(path))
    const cookie = `theme=dark; ${await cookiesOf(ada.email, () => 'expired')}; lang=%C3%A9`
    const app = ofTest({ shareRefreshes: 'none' })
    const { response } = await ask('/', { headers: { cookie }, app })
    const told = response.headers.get('x-middleware-request-cookie') ?? ''
    const page = app.server().withTokens(requestTokens({ headers: { cookie: told } }))
    expect(await page.user$.get()).toMatchObject({ displayName: 'Ada' })
    page.dispose()
    expect(refreshes).toHaveLength(1)
    expect(told.split('; ')).toEqual(expect.arrayContaining(['theme=dark', 'lang=%C3%A9']))
  })

  it('is none for the page if it has ended', async () => {
    const cookie = `theme=dark; ${await cookiesOf(ada.email, () => 'expired')}`
    const admin = createClientApp({ ...platform.options, tokens: await platform.tokensFor(ada.email) })
    await admin.signOut({ everywhere: true })
    const { response } = await ask('/', { headers: { cookie } })
    expect(response.headers.get('x-middleware-request-cookie')).toBe('theme=dark')
  })
})

describe('without the platform', () => {
  it('a page with a need is not shown, and another one is', async () => {
    const cookie = await cookiesOf(ada.email, () => 'expired')
    const clock = virtualClock()
    const app = ofTest({ fetch: () => Promise.reject(new TypeError('unreachable')), clock })
    const asked = Promise.allSettled(['/account', '/'].map(path => ask(path, { headers: { cookie }, app })))
    for (let seconds = 0; seconds < 120; seconds++) await clock.advance(1000)
    const [refused, shown] = await asked
    expect(refused).toMatchObject({ reason: { code: 'NETWORK_ERROR' } })
    expect(shown).toMatchObject({ value: { goesOn: true, caching: 'private, no-store' } })
  })
})

it('an error that is none of the kit is not taken for an answer of the platform', async () => {
  const app = ofTest()
  const { withTokens } = app.server()
  jest
    .spyOn(app.server(), 'withTokens')
    .mockImplementation(tokens =>
      Object.assign(withTokens(tokens), { accessToken: () => Promise.reject(new TypeError('mine')) }),
    )
  await expect(ask('/', { app })).rejects.toThrow('mine')
})

describe('below a base path', () => {
  const nextConfig = { basePath: '/shop' }

  it('needs and pages are written without it', async () => {
    const app = ofTest({ basePath: '/shop' })
    expect(await ask('/shop/account', { app, nextConfig })).toMatchObject({
      status: 307,
      to: '/shop/sign-in?after_auth_return_to=%2Fshop%2Faccount',
    })
    expect(await ask('/shop', { app, nextConfig })).toMatchObject({ goesOn: true })
  })

  const action = { accept: 'text/x-component', 'next-action': '7f', 'sec-fetch-dest': 'empty' }
  const actionRedirect = async (options: Partial<NextOptions>, path = '/shop/account') => {
    const app = ofTest({ basePath: '/shop', ...options })
    const { response } = await ask(path, { app, nextConfig, method: 'POST', headers: action })
    return response.headers.get('x-action-redirect')
  }

  it('a visitor’s server action gets the sign-in page without it, which the router adds', async () => {
    expect(await actionRedirect({})).toBe('/sign-in?after_auth_return_to=%2Fshop%2Faccount;push')
    expect(await actionRedirect({}, '/shop/account?a=;b')).toBe(
      '/sign-in?after_auth_return_to=%2Fshop%2Faccount%3Fa%3D%3Bb;push',
    )
    expect(await actionRedirect({ urls: { signIn: '/#/sign-in' } })).toBe(
      '/#/sign-in?after_auth_return_to=%2Fshop%2Faccount;push',
    )
  })

  it.each([
    ['https://id.example/in?x=1', 'https://id.example/in?x=1;push'],
    ['https://id.example/shop/in', 'https://id.example/shop/in;push'],
    ['http://app.example/in', 'http://app.example/in?after_auth_return_to=%2Fshop%2Faccount;push'],
    ['http://app.example/shopping', 'http://app.example/shopping?after_auth_return_to=%2Fshop%2Faccount;push'],
  ])('and one elsewhere with its origin: %s', async (signIn, to) => {
    const trustedDomains = ['https://id.example', 'http://app.example']
    expect(await actionRedirect({ urls: { signIn }, trustedDomains })).toBe(to)
    expect(
      await ask('/shop/account', { app: ofTest({ basePath: '/shop', urls: { signIn }, trustedDomains }), nextConfig }),
    ).toMatchObject({
      status: 307,
      to: to.replace(/;push$|^http:..app.example/g, ''),
    })
  })

  it.each(hostsBelow('/shop'))('no redirect leads from %j to a host', async path => {
    const app = ofTest({ basePath: '/shop', needs: { '/[...all]': { signedIn: true } } })
    for (const headers of [{}, action]) {
      const { to, response } = await ask(path, { app, nextConfig, headers })
      const where = new URL((to ?? response.headers.get('x-action-redirect'))!, 'http://app.example')
      expect([where.origin, where.pathname]).toEqual(['http://app.example', to ? '/shop/sign-in' : '/sign-in'])
      expect(app.returnPath(where.searchParams.get('after_auth_return_to'))).toBe('/')
    }
  })

  it.each([
    [{}, '/shop/handler/sign-in'],
    [{ signIn: (): string => '/in' }, '/shop/in'],
    [{ signIn: (): undefined => undefined, handler: '/auth' }, '/shop/auth/sign-in'],
  ])('a visitor is led to the sign-in page below it, with the urls %j', async (urls, page) => {
    const app = ofTest({ basePath: '/shop', urls: urls as never })
    expect(await ask('/shop/account', { app, nextConfig })).toMatchObject({
      to: `${page}?after_auth_return_to=%2Fshop%2Faccount`,
    })
  })

  it('a user who may not see a page is led to the page of the option below it', async () => {
    const app = ofTest({ basePath: '/shop', forbidden: '/no' })
    const { status, response } = await ask('/shop/teams/other', { as: ada.email, app, nextConfig })
    expect([status, await response.text()]).toEqual([403, expect.stringContaining('content="0;url=/shop/no"')])
  })

  it('of which the options say nothing, no page is shown', async () => {
    await expect(ask('/shop/account', { nextConfig })).rejects.toThrow('basePath of nextApp()')
    await expect(ask('/account', { app: ofTest({ basePath: '/shop' }) })).rejects.toThrow('basePath of nextApp()')
  })

  it.each(['shop', '/', '/shop/'])('is not %s', basePath => {
    expect(() => ofTest({ basePath })).toThrow('next.config')
  })
})
