import type { Browser, BrowserContext, Page } from 'playwright-core'
import { systemClock, type ClientApp } from 'rxauth'
import { createPlatform, type Platform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { readAccessToken } from '../../src/transport/access-token'
import { cookiesOf } from '../../src/session/stores/cookie-format'
import { serveKitPage, type KitPage } from './kit-page'
import { openChromium } from './shared'

const count = 8
const ada = { email: 'ada@example.com', password: 'correct horse' }
const grace = { email: 'grace@example.com', password: 'battery staple' }

/** The globals of each page: a kit, and the values that it has shown. */
interface Tab {
  readonly app: ClientApp
  readonly statuses: string[]
  /** Functions that end its waits for the lock of the tabs, so that a test is quicker. */
  readonly lockWaits: ReadonlySet<() => void>
}
declare const tab: Tab

/** The page: only a kit with cookies and a subscriber. */
const script = `
  import { createClientApp, cookieTokens, systemClock } from 'rxauth'
  const lockWaits = new Set()
  const setTimeout = (run, millis, options) => {
    const cancel = systemClock.setTimeout(run, millis, options)
    if (millis !== 15_000) return cancel
    const end = () => {
      stop()
      run()
    }
    const stop = () => {
      lockWaits.delete(end)
      cancel()
    }
    lockWaits.add(end)
    return stop
  }
  const clock = { ...systemClock, setTimeout }
  const app = createClientApp({ ...config, tokens: cookieTokens(), clock, onUnhandled: console.error })
  const statuses = []
  app.auth$.subscribe(({ status }) => statuses.push(status))
  globalThis.tab = { app, statuses, lockWaits }
`

let browser: Browser
let pages: KitPage
let server: { readonly url: string; close(): Promise<void> }
let platform: Platform
/** How far the platform's clock is behind, so that its new tokens are old already. */
let behindMillis = 0
let context: BrowserContext
/** Method, path and tokens of every request. */
let requests: { readonly line: string; readonly body: string; readonly headers: Headers }[]
/** The user of each refresh token. */
let sessions: Map<string, string>

beforeAll(async () => {
  platform = createPlatform({
    clock: { ...systemClock, now: () => systemClock.now() - behindMillis },
    rotation: true,
    seed: { users: [ada, grace] },
  })
  server = await listen({ fetch: spy }, { port: 0 })
  pages = await serveKitPage(script, { platform, baseUrl: server.url })
  browser = await openChromium()
})

afterAll(async () => {
  await browser.close()
  await server.close()
  pages.close()
})

beforeEach(async () => {
  requests = []
  sessions = new Map()
  context = await browser.newContext()
  context.setDefaultTimeout(30_000)
})

afterEach(async () => {
  platform.faults.clear()
  await context.close()
})

/** The platform, with a record of its requests and of the tokens that it issued. */
async function spy(request: Request): Promise<Response> {
  const copy = request.clone()
  const { pathname } = new URL(request.url)
  if (request.method !== 'OPTIONS')
    requests.push({
      line: `${request.method} ${pathname.replace('/api/v1', '')}`,
      body: await copy.text(),
      headers: copy.headers,
    })
  const answer = await platform.fetch(request)
  const body = (await answer
    .clone()
    .json()
    .catch(() => null)) as { access_token?: string; refresh_token?: string } | null
  if (body?.access_token && body.refresh_token) learn(body.access_token, body.refresh_token)
  return answer
}

function learn(accessToken: string, refreshToken: string): void {
  sessions.set(refreshToken, readAccessToken(accessToken)!.sessionId)
}

const refreshes = () => requests.filter(({ line }) => line === 'POST /auth/oauth/token').length

/** Gives the browser a session of Ada whose access token expires in five seconds, which is too soon to send it. */
async function rememberOldSession(): Promise<void> {
  behindMillis = 595_000
  const store = await platform.tokensFor(ada.email)
  const tokens = store.read()
  behindMillis = 0
  learn(tokens!.accessToken!, tokens!.refreshToken!)
  await context.addCookies(
    cookiesOf(tokens, platform.options.projectId, '').map(({ name, value }) => ({
      name,
      value: encodeURIComponent(value),
      url: pages.address,
    })),
  )
}

async function openTabs(howMany = count): Promise<Page[]> {
  const opened = await Promise.all(Array.from({ length: howMany }, () => context.newPage()))
  await Promise.all(opened.map(page => page.goto(pages.address)))
  await Promise.all(opened.map(page => page.waitForFunction(() => 'tab' in globalThis)))
  return opened
}

const showsStatus = (page: Page, status: string) =>
  page.waitForFunction(wanted => tab.app.auth$.value.status === wanted, status)
const everyTab = <T>(tabs: readonly Page[], run: () => T | Promise<T>) =>
  Promise.all(tabs.map(page => page.evaluate(run)))

/** No request has carried tokens of two sessions. */
function expectPairs(): void {
  const mixed = requests.filter(({ headers }) => {
    const accessToken = headers.get('x-stack-access-token')
    const refreshToken = headers.get('x-stack-refresh-token')
    if (accessToken === null || refreshToken === null) return false
    return readAccessToken(accessToken)?.sessionId !== sessions.get(refreshToken)
  })
  expect(mixed.map(({ line }) => line)).toEqual([])
}

describe(`${count} tabs of one browser`, () => {
  // Promise: one-refresh
  it('refresh an old session once, and all go on with it', async () => {
    await rememberOldSession()
    const tabs = await openTabs()
    await Promise.all(tabs.map(page => showsStatus(page, 'signed-in')))
    const tokens = await everyTab(tabs, () => tab.app.accessToken())
    expect(refreshes()).toBe(1)
    expect(new Set(tokens).size).toBe(1)
    expect(new Set(await everyTab(tabs, () => tab.statuses.join()))).toEqual(new Set(['unknown,signed-in']))
    expectPairs()
  })

  it('are all signed out when one is, and stay so', async () => {
    await rememberOldSession()
    const tabs = await openTabs()
    await Promise.all(tabs.map(page => showsStatus(page, 'signed-in')))
    await tabs[3]!.evaluate(() => tab.app.signOut())
    await Promise.all(tabs.map(page => showsStatus(page, 'signed-out')))
    expect(await everyTab(tabs, () => tab.app.accessToken())).toEqual(Array(count).fill(null))
    expect(await context.cookies()).toEqual([])
    expect(new Set(await everyTab(tabs, () => tab.statuses.at(-1)))).toEqual(new Set(['signed-out']))
  })

  it('go on when the one that holds the lock is closed in the middle of its refresh', async () => {
    await rememberOldSession()
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 60_000 })
    const asked = context.waitForEvent('request', request => request.url().endsWith('/auth/oauth/token'))
    const opening = openTabs().catch((error: unknown) => error)
    const holder = (await asked).frame().page()
    while (refreshes() === 0) await holder.waitForTimeout(10)
    await holder.close()
    await opening
    const left = context.pages()
    expect(left).toHaveLength(count - 1)
    await Promise.all(left.map(page => showsStatus(page, 'signed-in')))
    const tokens = await everyTab(left, () => tab.app.accessToken())
    expect(new Set(tokens).size).toBe(1)
    expect(refreshes()).toBe(2)
    expectPairs()
  })

  // Promise: refresh-lock
  it('go on with one refresh more when the one that holds the lock shows an alert() in the middle of its own', async () => {
    await rememberOldSession()
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 60_000 })
    const stuck = await context.newPage()
    // The dialog stays open until the test answers it, and the page is blocked.
    const shown = new Promise(resolve => stuck.on('dialog', resolve))
    await stuck.goto(pages.address)
    while (refreshes() === 0) await stuck.waitForTimeout(10)
    await stuck.evaluate('void setTimeout(() => alert("Still there?"))')
    await shown
    const others = await openTabs(count - 1)
    await Promise.all(others.map(page => page.waitForFunction(() => tab.lockWaits.size > 0)))
    await everyTab(others, () => tab.lockWaits.forEach(end => end()))
    await Promise.all(others.map(page => showsStatus(page, 'signed-in')))
    const tokens = await everyTab(others, () => tab.app.accessToken())
    expect(new Set(tokens).size).toBe(1)
    expect(tokens).not.toContain(null)
    expect(refreshes()).toBe(2)
    expectPairs()
  })

  it('never write as another user while one of them signs in anew', async () => {
    await rememberOldSession()
    const tabs = await openTabs()
    await Promise.all(tabs.map(page => showsStatus(page, 'signed-in')))
    const [first, ...others] = tabs as [Page, ...Page[]]
    const writing = others.map(page =>
      page.evaluate(async () => {
        for (let written = 0; written < 6;) {
          const auth = tab.app.auth$.value
          const isWritten =
            auth.status === 'signed-in' &&
            (await tab.app.updateUser({ displayName: `by ${auth.user.id}` }).then(
              () => true,
              () => false,
            ))
          if (isWritten) written++
          else await new Promise(done => setTimeout(done, 10))
        }
      }),
    )
    await first.evaluate(person => tab.app.signInWithPassword(person), grace)
    await Promise.all(writing)
    const isGrace = (email: string) => {
      const auth = tab.app.auth$.value
      return auth.status === 'signed-in' && auth.user.primaryEmail === email
    }
    await Promise.all(tabs.map(page => page.waitForFunction(isGrace, grace.email)))
    const writes = requests.filter(({ line }) => line === 'PATCH /users/me')
    const asAnother = writes.filter(({ headers, body }) => {
      const { display_name: meant } = JSON.parse(body) as { display_name: string }
      return meant !== `by ${readAccessToken(headers.get('x-stack-access-token')!)?.userId}`
    })
    expect(writes.length).toBeGreaterThanOrEqual(6 * others.length)
    expect(asAnother).toEqual([])
    expectPairs()
  })
})
