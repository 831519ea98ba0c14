import { build } from 'esbuild'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { ClientApp } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import type { Platform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { launchChromium } from './chromium'

const root = join(__dirname, '../..')
const mary = 'mary@example.com'

interface OwnWindow {
  readonly app: ClientApp
  /** What the last sign-in came to, as text. */
  outcome: string
  /** What the page sees of the window that it has opened, from time to time. */
  readonly seenClosed: boolean[]
}
declare const own: OwnWindow

/** Every page of the app: a sign-in in a window of its own, and its end. */
const script = `
  import { createClientApp, cookieTokens } from 'rxauth'
  const seenClosed = []
  const openWindow = (url, features) => {
    const popup = window.open(url, '_blank', features)
    setInterval(() => seenClosed.push(popup.closed), 50)
    return popup
  }
  const app = createClientApp({ ...config, tokens: cookieTokens(), host: { openWindow }, onUnhandled: console.error })
  const told = result => JSON.stringify(result.ok === false ? { failed: result.error.code } : result)
  globalThis.own = { app, outcome: '', seenClosed }
  if (location.pathname.startsWith('/handler'))
    app.handleOAuthCallback().then(result => (own.outcome = told(result)), error => (own.outcome = error.code))
  document.querySelector('#popup').onclick = () =>
    app.signInWithOAuthPopup({ provider: 'github' }).then(
      result => (own.outcome = told(result)),
      error => (own.outcome = error.code + ': ' + error.message),
    )
  document.querySelector('#leave').onclick = () =>
    app.signInWithOAuth({ provider: 'github' }).catch(error => (own.outcome = error.code))
`
const html = `<!doctype html><title>app</title><button id="popup">Popup</button><button id="leave">Leave</button>
<script type="module" src="/app.js"></script>`

let browser: Browser
let pages: Server
let address: string
let server: { readonly url: string; close(): Promise<void> }
let platform: Platform
/** Whether the provider cuts windows off from each other. */
let isCutOff = false
let context: BrowserContext
let exchanges: number

beforeAll(async () => {
  platform = createPlatform({
    seed: { project: { config: { oauthProviders: [{ id: 'github', type: 'shared' }] } } },
  })
  server = await listen({ fetch: answer }, { port: 0 })
  const { projectId, publishableClientKey } = platform.options
  const { outputFiles } = await build({
    stdin: {
      contents: `const config = ${JSON.stringify({ projectId, publishableClientKey, baseUrl: server.url })}\n${script}`,
      resolveDir: root,
    },
    alias: { rxauth: join(root, 'dist/index.js') },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  })
  pages = createServer(({ url = '' }, response) => {
    const isScript = url === '/app.js'
    response
      .writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      .end(isScript ? outputFiles[0]!.text : html)
  })
  await new Promise<void>(listening => pages.listen(0, '127.0.0.1', listening))
  address = `http://localhost:${(pages.address() as AddressInfo).port}/`
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  await server.close()
  pages.closeAllConnections()
  pages.close()
})

beforeEach(async () => {
  exchanges = 0
  context = await browser.newContext()
  context.setDefaultTimeout(30_000)
})

afterEach(() => context.close())

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (request.method === 'POST' && pathname.endsWith('/auth/oauth/token')) exchanges++
  const response = await platform.fetch(request)
  if (!isCutOff || !pathname.startsWith('/oauth-provider/')) return response
  const headers = new Headers(response.headers)
  headers.set('cross-origin-opener-policy', 'same-origin')
  return new Response(response.body, { status: response.status, headers })
}

async function open(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return page
}

async function popupOf(page: Page): Promise<Page> {
  const [popup] = await Promise.all([context.waitForEvent('page'), page.click('#popup')])
  await popup.waitForURL(/oauth-provider/)
  return popup
}

async function allow(page: Page, email = mary): Promise<void> {
  await page.fill('input[name=email]', email)
  const radio = page.locator('input[name=who][value=""]')
  await radio.check()
  await page.click('button[value=allow]')
}

const outcomeOf = async (page: Page) => {
  await page.waitForFunction(() => own?.outcome !== '')
  return page.evaluate(() => own.outcome)
}

describe.each([
  ['', false],
  [' whose provider cuts it off from the page', true],
])('a window%s', (_, cutOff) => {
  beforeEach(() => {
    isCutOff = cutOff
  })

  it('signs the page in that has opened it, and closes', async () => {
    const page = await open()
    const popup = await popupOf(page)
    const closed = popup.waitForEvent('close')
    await allow(popup)
    expect(JSON.parse(await outcomeOf(page))).toMatchObject({ ok: true, value: { next: '/' } })
    await closed
    expect(exchanges).toBe(1)
    const email = await page.evaluate(async () => (await own.app.user$.get())?.primaryEmail)
    expect(email).toBe(mary)
    // The page did see it closed long before, and did not believe it.
    expect(await page.evaluate(() => own.seenClosed.slice(0, -1).includes(true))).toBe(cutOff)
  })

  it('that the person closes is ABORTED', async () => {
    const page = await open()
    const popup = await popupOf(page)
    await popup.close()
    await page.bringToFront()
    expect(await outcomeOf(page)).toMatch(/^ABORTED: .*closed/)
  })

  it('in which the person refuses tells the page, and closes', async () => {
    const page = await open()
    const popup = await popupOf(page)
    const closed = popup.waitForEvent('close')
    await popup.click('button[value=refuse]')
    expect(await outcomeOf(page)).toBe('{"failed":"OAUTH_PROVIDER_ACCESS_DENIED"}')
    await closed
  })

  it('goes on by itself when the page that has opened it is gone', async () => {
    const page = await open()
    const popup = await popupOf(page)
    await page.close()
    await allow(popup)
    await popup.waitForURL(/handler/)
    expect(JSON.parse(await outcomeOf(popup))).toMatchObject({ status: 'handled', result: { ok: true } })
    expect(exchanges).toBe(1)
  })
})

it('a page that leaves comes back signed in, with nothing in its address', async () => {
  isCutOff = true
  const page = await open()
  await page.click('#leave')
  await page.waitForURL(/oauth-provider/)
  await allow(page)
  await page.waitForURL(/handler/)
  expect(JSON.parse(await outcomeOf(page))).toMatchObject({ status: 'handled', result: { ok: true } })
  expect(page.url()).toBe(`${address}handler/oauth-callback`)
  const cookies = await context.cookies()
  expect(cookies.filter(({ name }) => name.startsWith('stack-oauth-outer-'))).toEqual([])
  await page.reload()
  expect(JSON.parse(await outcomeOf(page))).toMatchObject({ status: 'ignored' })
  expect(await page.evaluate(async () => (await own.app.user$.get())?.primaryEmail)).toBe(mary)
})

it('a page that the person comes back to instead can be used again', async () => {
  isCutOff = false
  const page = await open()
  await page.click('#leave')
  await page.waitForURL(/oauth-provider/)
  await page.goBack()
  await page.waitForURL(address)
  // Restored as it was left, it has been told; loaded anew, there is nothing to tell.
  expect(['ABORTED', '']).toContain(await page.evaluate(() => own.outcome))
  await page.click('#leave')
  await page.waitForURL(/oauth-provider/)
})
