import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { ClientApp } from 'rxauth'
import { createPlatform, type Platform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { runs } from '../runs'
import { serveKitPage, type KitPage } from './kit-page'
import { openChromium } from './shared'

const mary = 'mary@example.com'

interface OwnWindow {
  readonly app: ClientApp
  /** The outcome of the last sign-in, as text. */
  outcome: string
  /** The window that the page has opened. */
  readonly popup: { readonly closed: boolean }
}
declare const own: OwnWindow

/** Every page of the app: a sign-in in a window of its own, and its end. */
const script = `
  import { createClientApp, cookieTokens, systemClock } from 'rxauth'
  const openWindow = (url, features) => (own.popup = window.open(url, '_blank', features))
  // On a busy machine another page may take its time to answer.
  const setTimeout = (run, millis, options) => systemClock.setTimeout(run, millis * patience, options)
  const clock = { ...systemClock, setTimeout }
  const host = { openWindow }
  const app = createClientApp({ ...config, tokens: cookieTokens(), host, clock, onUnhandled: console.error })
  let giveUp
  const told = result => JSON.stringify(result.ok === false ? { failed: result.error.code } : result)
  globalThis.own = { app, outcome: '', popup: null }
  if (location.pathname.startsWith('/handler'))
    app.handleOAuthCallback().then(result => (own.outcome = told(result)), error => (own.outcome = error.code))
  document.querySelector('#popup').onclick = () => {
    giveUp = new AbortController()
    app.signInWithOAuthPopup({ provider: 'github' }, { signal: giveUp.signal }).then(
      result => (own.outcome = told(result)),
      error => (own.outcome = error.code),
    )
  }
  document.querySelector('#cancel').onclick = () => giveUp.abort()
  document.querySelector('#leave').onclick = () =>
    app.signInWithOAuth({ provider: 'github' }).catch(error => (own.outcome = error.code))
`
const body = '<button id="popup">Popup</button><button id="cancel">Cancel</button><button id="leave">Leave</button>'

let browser: Browser
let pages: KitPage
let server: { readonly url: string; close(): Promise<void> }
let platform: Platform
/** Whether the platform separates windows from their opener, as the hosted one does. */
let isCutOff = true
let context: BrowserContext
let exchanges: number

beforeAll(async () => {
  platform = createPlatform({
    seed: { project: { config: { oauthProviders: [{ id: 'github', type: 'shared' }] } } },
  })
  server = await listen({ fetch: answer }, { port: 0 })
  pages = await serveKitPage(script, { platform, baseUrl: server.url, body })
  browser = await openChromium()
})

afterAll(async () => {
  await browser.close()
  await server.close()
  pages.close()
})

beforeEach(async () => {
  exchanges = 0
  context = await browser.newContext()
  context.setDefaultTimeout(30_000)
  await context.addInitScript('globalThis.patience = 10')
})

afterEach(() => context.close())

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (request.method === 'POST' && pathname.endsWith('/auth/oauth/token')) exchanges++
  const response = await platform.fetch(request)
  if (isCutOff) return response
  const headers = new Headers(response.headers)
  headers.delete('cross-origin-opener-policy')
  return new Response(response.body, { status: response.status, headers })
}

async function open(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(pages.address)
  return page
}

async function popupOf(page: Page): Promise<Page> {
  const [popup] = await Promise.all([context.waitForEvent('page'), page.click('#popup')])
  await popup.waitForURL(/oauth-provider/)
  return popup
}

async function allow(page: Page, email = mary): Promise<void> {
  // The field of a new account shows once its choice is made.
  await page.check('input[name=who][value=""]')
  await page.fill('input[name=email]', email)
  await page.click('button[value=allow]')
}

const outcomeOf = async (page: Page) => {
  await page.waitForFunction(() => own?.outcome !== '')
  return page.evaluate(() => own.outcome)
}

const windows: readonly (readonly [what: string, cutOff: boolean])[] = [
  ['', true],
  [' that no header cuts off from the page', false],
]

describe.each(runs(windows.slice(0, 1), windows))('a window%s', (_, cutOff) => {
  beforeEach(() => {
    isCutOff = cutOff
  })
  afterEach(() => {
    isCutOff = true
  })

  it('signs the page in that has opened it, and closes', async () => {
    const page = await open()
    const popup = await popupOf(page)
    // To the page the window has looked closed for long, which is no sign of its end.
    await page.waitForFunction(cut => own.popup.closed === cut, cutOff)
    const closed = popup.waitForEvent('close')
    await allow(popup)
    expect(JSON.parse(await outcomeOf(page))).toMatchObject({ ok: true, value: { next: '/' } })
    await closed
    expect(exchanges).toBe(1)
    const email = await page.evaluate(async () => (await own.app.user$.get())?.primaryEmail)
    expect(email).toBe(mary)
  })

  it('that the person gives up by a button of the page is ABORTED', async () => {
    const page = await open()
    const popup = await popupOf(page)
    await page.waitForFunction(cut => own.popup.closed === cut, cutOff)
    const closed = popup.waitForEvent('close')
    await page.click('#cancel')
    expect(await outcomeOf(page)).toBe('ABORTED')
    // The page cannot close the window, so it stays open, and the user may go on in it.
    if (cutOff) await allow(popup)
    await closed
    await page.waitForFunction(
      async signedIn => ((await own.app.user$.get())?.primaryEmail !== undefined) === signedIn,
      cutOff,
    )
    expect(exchanges).toBe(cutOff ? 1 : 0)
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
    await context.addInitScript('globalThis.patience = 1')
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
  const page = await open()
  await page.click('#leave')
  await page.waitForURL(/oauth-provider/)
  await allow(page)
  await page.waitForURL(/handler/)
  expect(JSON.parse(await outcomeOf(page))).toMatchObject({ status: 'handled', result: { ok: true } })
  expect(page.url()).toBe(`${pages.address}handler/oauth-callback`)
  const cookies = await context.cookies()
  expect(cookies.filter(({ name }) => name.startsWith('stack-oauth-outer-'))).toEqual([])
  await page.reload()
  expect(JSON.parse(await outcomeOf(page))).toMatchObject({ status: 'ignored' })
  expect(await page.evaluate(async () => (await own.app.user$.get())?.primaryEmail)).toBe(mary)
})

it('a page that the person comes back to instead can be used again', async () => {
  const page = await open()
  await page.click('#leave')
  await page.waitForURL(/oauth-provider/)
  await page.goBack({ waitUntil: 'commit' })
  await page.waitForURL(pages.address)
  // A restored page has got the outcome; a reloaded one has none to get.
  expect(['ABORTED', '']).toContain(await page.evaluate(() => own.outcome))
  await page.click('#leave')
  await page.waitForURL(/oauth-provider/)
})
