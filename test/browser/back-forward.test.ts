import { chromium, type Browser, type Page } from 'playwright-core'
import { systemClock, type ClientApp } from 'rxauth'
import { createPlatform, type Platform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { wait } from '../../src/core/clock'
import { chromiumOptions } from './chromium'
import { serveKitPage, type KitPage } from './kit-page'

const ada = { email: 'ada@example.com', password: 'correct horse', displayName: 'Ada' }

/** The globals of the page. */
interface Shown {
  readonly app: ClientApp
  /** The name on the page in each frame since it was shown again; the last one first seen there. */
  readonly frames: string[]
  /** How often it has come back from the cache. */
  readonly returns: number
}
declare const page: Shown

/** The page shows the user's name and writes down what each frame shows; `/away` is another page, without the kit. */
const script = `
  import { createClientApp, cookieTokens, storageTokens } from 'rxauth'
  if (location.pathname !== '/away') {
    // A page in the cache gets no event of the storage, and none later for what it has missed.
    let isAway = false
    addEventListener('pagehide', () => (isAway = true))
    addEventListener('storage', event => isAway && event.stopImmediatePropagation(), true)
    const isStorage = location.pathname === '/storage'
    const app = createClientApp({ ...config, tokens: isStorage ? storageTokens(localStorage) : cookieTokens() })
    const name = document.querySelector('h1')
    app.user$.subscribe(user => (name.textContent = user ? user.displayName : 'signed out'))
    const page = (globalThis.page = { app, frames: [], returns: 0 })
    const look = () => {
      page.frames.push(name.textContent)
      if (page.frames.length < 20) requestAnimationFrame(look)
    }
    addEventListener('pageshow', ({ persisted }) => {
      isAway = false
      if (!persisted) return
      page.returns++
      page.frames.length = 0
      look()
    })
  }
`

let browser: Browser
let pages: KitPage
let platform: Platform
let server: { readonly url: string; close(): Promise<void> }

beforeAll(async () => {
  platform = createPlatform({ seed: { users: [ada] } })
  server = await listen(platform, { port: 0 })
  pages = await serveKitPage(script, { platform, baseUrl: server.url, body: '<h1></h1>' })
  // Playwright turns the cache off, and headless Chromium may have none.
  browser = await chromium.launch({
    ...(await chromiumOptions()),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
})

afterAll(async () => {
  await browser.close()
  await server.close()
  pages.close()
})

/**
 * Leaves the page, runs `meanwhile` in another tab, and comes back. Where this browser keeps no page in its cache, the page
 * gets the events of one that is kept.
 */
async function leaveAndReturn(one: Page, meanwhile: () => Promise<void>): Promise<void> {
  const isKept = await keepsPages()
  const tell = (type: string) =>
    one.evaluate(name => void dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type)
  if (isKept) await one.goto(new URL('away', pages.address).href)
  else await tell('pagehide')
  await meanwhile()
  // A hidden page has a frame a second.
  await one.bringToFront()
  if (isKept) await one.goBack({ waitUntil: 'commit' })
  else await tell('pageshow')
  await one.waitForFunction(() => page.returns === 1 && page.frames.length === 20)
}

let keeps: Promise<boolean> | undefined

/** Whether this browser has the cache: a page without any script comes back from it. */
function keepsPages(): Promise<boolean> {
  const find = async () => {
    const other = await browser.newPage()
    await other.goto(`${pages.address}away`)
    await other.goto(`${pages.address}away?other`)
    // A page that comes back from it does not load.
    await other.goBack({ waitUntil: 'commit' })
    const type = await other.evaluate(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).type,
    )
    await other.close()
    // A page that is loaded again is a navigation of its own.
    return type === 'navigate'
  }
  return (keeps ??= find())
}

describe.each(['cookies', 'storage'])('a page with its tokens in %s that comes back from the cache', store => {
  const open = async () => {
    const context = await browser.newContext()
    const [one, other] = [await context.newPage(), await context.newPage()]
    await one.goto(pages.address + store)
    await one.evaluate(({ email, password }) => page.app.signInWithPassword({ email, password }), ada)
    await one.waitForFunction(() => document.querySelector('h1')!.textContent === 'Ada')
    await other.goto(pages.address + store)
    await other.waitForFunction(() => document.querySelector('h1')!.textContent === 'Ada')
    return { context, one, other }
  }

  // Promise: back-forward-page
  it('shows 0 frames with the old name after a sign-out elsewhere', async () => {
    const { context, one, other } = await open()
    // By another page of the origin, without a message between tabs, which would end a page in the cache.
    const signOut = () => {
      localStorage.clear()
      for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; path=/; max-age=0`
    }
    await leaveAndReturn(one, async () => {
      await other.evaluate(signOut)
      // Chromium writes a cookie a moment after the page has set it, and until then another page reads the old one.
      while ((await context.cookies()).length > 0) await wait(systemClock, 5)
    })
    expect(await one.evaluate(() => [...new Set(page.frames)])).toEqual(['signed out'])
    await context.close()
  })

  it('shows the name in every frame if nothing has happened', async () => {
    const { context, one } = await open()
    await leaveAndReturn(one, () => Promise.resolve())
    expect(await one.evaluate(() => [...new Set(page.frames)])).toEqual(['Ada'])
    await context.close()
  })
})
