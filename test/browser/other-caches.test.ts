import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { systemClock } from 'rxauth'
import { createPlatform, virtualClock, type Platform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { wait } from '../../src/core/clock'
import { readAccessToken } from '../../src/transport/access-token'
import { runs } from '../runs'
import type { CacheName, CachesPage, Sight } from './caches-page'
import { chromiumOptions } from './chromium'
import { serveKitPage, type KitPage } from './kit-page'

const rounds = Number(process.env['RXAUTH_ROUNDS'] ?? runs(1, 50))
const stepsOfRound = 12
const all: readonly CacheName[] = ['tanstack', 'swr', 'apollo', 'rtkQuery', 'dexie', 'storage']
const people = [
  { email: 'ada@example.com', password: 'correct horse' },
  { email: 'bob@example.com', password: 'battery staple' },
]

/** The globals of each page. */
declare const shown: CachesPage

const script = `
  import { openPage } from './test/browser/caches-page'
  if (location.pathname !== '/away') globalThis.shown = openPage(config, sight => report(sight))
`

let browser: Browser
let pages: KitPage
let platform: Platform
let server: { readonly url: string; close(): Promise<void> }
/** How long the platform and the backend take for the next answer. */
let latencyMillis = () => 0

beforeAll(async () => {
  platform = createPlatform({ seed: { users: people } })
  const slow = async (request: Request) => {
    await wait(systemClock, latencyMillis())
    return platform.fetch(request)
  }
  server = await listen({ fetch: slow }, { port: 0 })
  pages = await serveKitPage(script, { platform, baseUrl: server.url })
  // Playwright turns the back-forward cache off, and headless Chromium may have none.
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

/** The app's own backend: its text names the user of the token. */
async function answerNotes(context: BrowserContext): Promise<void> {
  await context.route('https://notes.example/**', async route => {
    const request = route.request()
    const token = /Bearer (.+)/.exec((await request.allHeaders())['authorization'] ?? '')?.[1]
    const notes = `notes of ${(token && readAccessToken(token)?.userId) || 'visitor'}`
    await wait(systemClock, latencyMillis())
    const isQuery = request.method() === 'POST'
    // The page may have cancelled it.
    await route
      .fulfill({
        headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
        contentType: isQuery ? 'application/json' : 'text/plain',
        body: isQuery ? JSON.stringify({ data: { notes } }) : notes,
      })
      .catch(() => undefined)
  })
}

const quiet = (work: Promise<unknown>) => work.catch(() => undefined)

/** A page gets the events of one that goes into the back-forward cache, or comes back from it. */
const tell = (page: Page, type: 'pagehide' | 'pageshow') =>
  quiet(page.evaluate(name => void dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type))

/** What a user or the browser does in a tab, by the random numbers of a seed. */
function actionsOf(context: BrowserContext, upTo: (limit: number) => number) {
  const pause = (millis: number) => wait(systemClock, upTo(millis))
  const load = (page: Page) => quiet(page.evaluate(() => shown.load()))
  const signIn = (page: Page) =>
    quiet(page.evaluate(input => void shown.app.signInWithPassword(input).catch(() => undefined), people[upTo(2)]!))
  const signOut = (page: Page) => quiet(page.evaluate(() => void shown.app.signOut().catch(() => undefined)))
  const change = (page: Page) => (upTo(4) > 0 ? signIn(page) : signOut(page))
  return {
    load,
    'load and sign in': (page: Page, other: Page) => load(page).then(() => signIn(other)),
    'sign in': signIn,
    'sign out': signOut,
    reload: (page: Page) => page.reload({ waitUntil: 'commit' }),
    async away(page: Page, other: Page) {
      await page.goto(`${pages.address}away`)
      await change(other)
      await pause(200)
      await page.goBack({ waitUntil: 'commit' })
    },
    async hidden(page: Page, other: Page) {
      await tell(page, 'pagehide')
      await change(other)
      await pause(200)
      await tell(page, 'pageshow')
    },
    async offline() {
      // One that gets no script shows nothing until it is loaded again.
      await Promise.all(context.pages().map(page => page.waitForFunction(() => document.readyState !== 'loading')))
      await context.setOffline(true)
      await pause(100)
      await context.setOffline(false)
    },
  }
}

interface Seen {
  readonly violations: readonly string[]
  /** The caches that have shown a text under its own user. */
  readonly right: ReadonlySet<CacheName>
  readonly frames: number
  /** The databases that are left of other users. */
  readonly kept: readonly string[]
}

/** Three tabs of one browser, which show the texts of the first user, and what their frames have shown so far. */
async function openTabs(options: string) {
  const violations = new Set<string>()
  const right = new Set<CacheName>()
  /** What has happened to the tabs. */
  const log: string[] = []
  const context = await browser.newContext()
  await context.exposeFunction('report', ({ of, owner, person }: Sight) => {
    if (owner === person) right.add(of)
    else violations.add(`${of} shows the text of ${owner} under ${person} after ${log.join(', ')}`)
  })
  context.on('weberror', error => violations.add(String(error.error())))
  await answerNotes(context)
  const tabs = [await context.newPage(), await context.newPage(), await context.newPage()] as const
  await Promise.all(tabs.map(tab => tab.goto(`${pages.address}?${options}`)))
  await tabs[0].evaluate(input => void shown.app.signInWithPassword(input), people[0]!)
  for (const tab of tabs) await tab.locator('#swr', { hasText: 'notes of' }).waitFor()
  return { context, tabs, violations, right, log }
}

/** One round: three tabs do what the seed says; how long it takes is the machine's. `without`: this binding is left out. */
async function round(seed: number, without?: CacheName): Promise<Seen> {
  const { random } = virtualClock(undefined, { seed })
  const upTo = (limit: number) => Math.floor(random() * limit)
  latencyMillis = () => upTo(3) * 40
  const options = `without=${without ?? ''}${seed % 2 ? '&own' : ''}${seed % 3 ? '' : '&keep'}`
  const { context, tabs, violations, right, log } = await openTabs(options)
  try {
    const actions = Object.entries(actionsOf(context, upTo))
    for (let step = 0; step < stepsOfRound && violations.size === 0; step++) {
      const index = upTo(3)
      const [name, act] = actions[upTo(actions.length)]!
      log.push(`${name} in ${index}`)
      await act(tabs[index]!, tabs[(index + 1) % 3]!)
      await wait(systemClock, upTo(150))
    }
    latencyMillis = () => 0
    for (const tab of tabs)
      await tab
        .locator('h1', { hasNotText: /^$|unknown/ })
        .waitFor()
        .catch(async () => {
          const auth = await quiet(tab.evaluate(() => JSON.stringify(shown.app.auth$.value)))
          violations.add(`${tab.url()} stays at ${String(auth)} after ${log.join(', ')}`)
        })
    const none = (timeout: number) =>
      tabs[0]
        .waitForFunction(async () => (await shown.kept()).length === 0, undefined, { timeout })
        .then(() => true)
        .catch(() => false)
    // A write that was under way at the last change may have made one again, which the next change deletes.
    if (!without && !(await none(5000))) {
      await tabs[0].evaluate(() => shown.app.signOut())
      await none(30_000)
    }
    const kept = await tabs[0].evaluate(() => shown.kept())
    const frames = await Promise.all(tabs.map(tab => tab.evaluate(() => Number(document.body.dataset['frames'] ?? 0))))
    return { violations: [...violations], right, frames: frames.reduce((sum, one) => sum + one, 0), kept }
  } finally {
    await context.close()
  }
}

describe('five caches and a storage, in each frame of three tabs', () => {
  // Promise: caches-show-one-user, owned-storage
  it('show no text of one user under another', async () => {
    const right = new Set<CacheName>()
    let frames = 0
    for (let seed = 1; seed <= rounds; seed++) {
      const seen = await round(seed)
      expect({ seed, violations: seen.violations, kept: seen.kept }).toEqual({ seed, violations: [], kept: [] })
      frames += seen.frames
      for (const name of seen.right) right.add(name)
    }
    expect([...right].sort()).toEqual([...all].sort())
    if (process.env['RXAUTH_ROUNDS']) process.stdout.write(`${rounds} rounds, ${frames} frames\n`)
  }, 3_600_000)

  // One in each run shows that the test can fail.
  // Promise: caches-show-one-user
  it.each(rounds < 10 ? all.slice(1, 2) : all)(
    'show or keep one within 100 rounds if the binding of %s is left out',
    async (name: CacheName) => {
      let seed = 0
      let isFound = false
      while (!isFound && seed < 100) {
        const { violations, kept } = await round(++seed, name)
        isFound = [...violations, ...kept.map(database => `dexie keeps ${database}`)].some(line =>
          line.startsWith(name),
        )
      }
      expect(isFound).toBe(true)
      if (process.env['RXAUTH_ROUNDS']) process.stdout.write(`${name}: round ${seed}\n`)
    },
    3_600_000,
  )

  // Promise: follow-identity-back-forward
  it('show those of the next user in a page that comes back from the back-forward cache', async () => {
    latencyMillis = () => 0
    const { context, tabs, violations } = await openTabs('own')
    const [page, other] = tabs
    const shows = async (id: string) => {
      for (const name of all) await page.locator(`#${name}`, { hasText: `notes of ${id}` }).waitFor()
    }
    // The sign-in is under way.
    await shows(await page.locator('h1', { hasNotText: /^$|unknown|signed-out/ }).innerText())
    await tell(page, 'pagehide')
    const next = await other.evaluate(async input => {
      await shown.app.signInWithPassword(input)
      return (await shown.app.user$.get())!.id
    }, people[1]!)
    expect(await page.locator('h1').innerText()).not.toBe(next)
    await tell(page, 'pageshow')
    await shows(next)
    expect([...violations]).toEqual([])
    await context.close()
  })
})
