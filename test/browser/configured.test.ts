import { cachingProxy } from '../frameworks/caching-proxy'
import { configured, configuredNames, type Configured, type ConfiguredName } from '../frameworks/configured'
import { openStage, type Stage } from '../frameworks/driver'
import { hostsBelow } from '../navigation/hostile-texts'
import { itInLong, runs } from '../runs'
import { button, heading, link, press, visit } from './person'

/*
 * The apps of the guides for Next.js, React Router and SvelteKit with what people configure, built and served. In each setting a
 * visitor is refused, signs in, comes back and signs out: by the forms and links of the pages, with JavaScript and without.
 */

/** A run on a change builds the one whose addresses differ most from those of the app at the root. */
const names = runs<readonly ConfiguredName[]>(['next-based'], configuredNames)

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterEach(() => stage.next())

afterAll(() => stage.close())

// Promise: configured-apps
describe.each(names)('the app %s', name => {
  const { base = '', folder = '', end = '', homeEnd = end, shows = [] }: Configured = configured[name]

  /** Of a page, as the address bar shows it. */
  const pathOf = (path: string) => (path === '/' ? base + folder + homeEnd || '/' : base + folder + path + end)
  const returning = (path: string) => `${pathOf('/sign-in')}?after_auth_return_to=${encodeURIComponent(path)}`

  it.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('refuses a visitor, returns from its form, and signs out, %s', async (_, javaScriptEnabled) => {
    const app = await stage.app(name)
    const { page, context, signIn, refuse } = await app.person({ javaScriptEnabled })
    const shown = (path: string) => page.waitForURL(app.address + path)
    await page.goto(`${app.address}${pathOf('/account')}?from=mail`)
    await shown(returning(`${pathOf('/account')}?from=mail`))
    for (const selector of shows) await page.locator(selector).first().waitFor({ state: 'attached' })
    await refuse('grace@example.com')
    await signIn('grace@example.com', page)
    await heading(page, 'Hello Grace').waitFor()
    await shown(`${pathOf('/account')}?from=mail`)
    await press(link(page, 'Reports'), heading(page, 'You may not see this page'))
    await press(link(page, 'Account'), heading(page, 'Hello Grace'))
    await shown(pathOf('/account'))
    await press(button(page, 'Sign out here'), heading(page, 'Start'))
    await shown(pathOf('/'))
    expect(await context.cookies()).toEqual([])
    if (!javaScriptEnabled) return
    await link(page, 'Sign in').click()
    await shown(pathOf('/sign-in'))
    await signIn('grace@example.com', page)
    await press(link(page, 'Account'), heading(page, 'Hello Grace'))
    // By the app of the browser: the page is then refused.
    await press(button(page, 'Sign out'), heading(page, 'Sign in'))
    await shown(returning(pathOf('/account')))
  })

  it('leads from its form to no other host', async () => {
    const app = await stage.app(name)
    const { page, context, signIn } = await app.person({ javaScriptEnabled: false })
    for (const elsewhere of ['//evil.example', ...hostsBelow(base).slice(0, 4)]) {
      await page.goto(app.address + returning(elsewhere))
      await signIn('ada@example.com', page)
      await heading(page, 'Start').waitFor()
      expect(page.url()).toBe(app.address + pathOf('/'))
      await context.clearCookies()
    }
  })

  it('prints no error or warning, in the browser or on the server', async () => {
    // A browser asks for it at the root, which is not of an app with a base path.
    const isIcon = (problem: string) => base !== '' && problem.endsWith('/favicon.ico')
    expect((await stage.app(name)).problems().filter(problem => !isIcon(problem))).toEqual([])
  })
})

// Promise: configured-apps
itInLong('guards and serves a page of the Pages Router, to which the sign-in returns', async () => {
  const app = await stage.app('next-src')
  const { page, signIn } = await app.person()
  const asked = await fetch(`${app.address}/api/older`)
  expect([asked.status, await asked.json()]).toEqual([401, { code: 'USER_AUTHENTICATION_REQUIRED' }])
  // By the proxy: the page would redirect, too, but by a script.
  expect((await fetch(`${app.address}/older`, { redirect: 'manual' })).status).toBe(307)
  await page.goto(`${app.address}/older`)
  await page.waitForURL(`${app.address}/sign-in?after_auth_return_to=%2Folder`)
  await signIn('grace@example.com', page)
  await page.waitForURL(`${app.address}/older`)
  expect(await (await page.request.get(`${app.address}/older`)).text()).toContain('Grace')
  expect(await (await page.request.get(`${app.address}/api/older`)).json()).toEqual({ name: 'Grace' })
  await button(page, 'Sign out').click()
  await page.waitForURL(`${app.address}/sign-in?after_auth_return_to=%2Folder`)
  expect(app.problems()).toEqual([])
})

// Promise: configured-apps
itInLong('refuses a visitor in the language of the page', async () => {
  const app = await stage.app('next-languages')
  // By the proxy: pages guard themselves, too, but answer no such request.
  expect((await fetch(`${app.address}/en/account`, { method: 'DELETE' })).status).toBe(401)
  const { page, signIn } = await app.person()
  await page.goto(`${app.address}/en/account`)
  await page.waitForURL(`${app.address}/en/sign-in?after_auth_return_to=%2Fen%2Faccount`)
  await signIn('grace@example.com', page)
  await page.waitForURL(`${app.address}/en/account`)
  await button(page, 'Sign out').click()
  await page.waitForURL(`${app.address}/en/sign-in?after_auth_return_to=%2Fen%2Faccount`)
})

// Promise: configured-apps
itInLong('is signed in and out in all zones of a domain', async () => {
  const [docs, shop] = await Promise.all([stage.app('next-based'), stage.app('next-standalone')])
  const front = await cachingProxy(path => (path.startsWith('/shop') ? shop : docs).address)
  const { page, context, signIn } = await docs.person()
  await page.goto(`${front.address}/shop/account/`)
  await signIn('grace@example.com', page)
  await page.waitForURL(`${front.address}/shop/account/`)
  const other = await context.newPage()
  await visit(other, `${front.address}/docs/account`, 'Hello Grace')
  await button(other, 'Sign out').click()
  for (const [zone, left] of [
    [other, '/docs/sign-in'],
    [page, '/shop/sign-in/'],
  ] as const) {
    await heading(zone, 'Sign in').waitFor()
    expect(new URL(zone.url()).pathname).toBe(left)
  }
  front.close()
})

itInLong('answers scripts, caches and other origins below a base path as at the root', async () => {
  const app = await stage.app('next-based')
  const ask = (path: string, options: RequestInit) => fetch(app.address + path, { redirect: 'manual', ...options })
  const action = await ask('/docs/account', { method: 'POST', headers: { 'next-action': '7f' } })
  expect(action.headers.get('x-action-redirect')).toBe('/sign-in?after_auth_return_to=%2Fdocs%2Faccount;push')
  expect((await ask('/docs/account', { method: 'DELETE' })).status).toBe(401)
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } }
  expect((await ask('/docs/api/me', preflight)).status).toBe(204)
  // A preflight shows no page.
  expect((await ask('/docs/account', preflight)).ok).toBe(false)
  for (const path of ['/docs', '/docs/account', '/docs/api/me']) {
    const { cookies } = await app.expired('ada@example.com')
    const cookie = Object.entries(cookies).map(one => one.join('='))
    const { headers } = await ask(path, { headers: { cookie: cookie.join('; ') } })
    expect(headers.getSetCookie().join()).toContain('stack-access')
    expect(['cache-control', 'cdn-cache-control'].map(name => headers.get(name))).toEqual([
      'private, no-store',
      'private, no-store',
    ])
  }
})
