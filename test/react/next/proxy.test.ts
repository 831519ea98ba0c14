import { NextRequest } from 'next/server'
import { createClientApp, memoryTokens } from 'rxauth'
import { createPlatform, virtualClock } from 'rxauth/platform'
import type { Platform } from 'rxauth/platform'
import { nextApp } from 'rxauth/next'
import type { NextOptions } from 'rxauth/next'
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

  // Promise: next-proxy
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

  it('is refused a path with a need, though it looks like a file', async () => {
    expect(await ask('/files/a.pdf')).toMatchObject({ status: 307 })
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

  it('of which the options say nothing, no page is shown', async () => {
    await expect(ask('/shop/account', { nextConfig })).rejects.toThrow('basePath of nextApp()')
    await expect(ask('/account', { app: ofTest({ basePath: '/shop' }) })).rejects.toThrow('basePath of nextApp()')
  })

  it.each(['shop', '/', '/shop/'])('is not %s', basePath => {
    expect(() => ofTest({ basePath })).toThrow('next.config')
  })
})
