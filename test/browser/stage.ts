import { mkdir } from 'node:fs/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { artifacts, startExample, type Running } from './example'
import { newPerson } from './person'
import { openChromium, type Mode, type Screens } from './shared'

/** The example of this file, on a platform of its own. */
export let running: Running
/** The user of this test, and the open tab. */
export let context: BrowserContext
export let page: Page
let browser: Browser
const others: BrowserContext[] = []

/** `RXAUTH_SCREENS=copied` runs the tests of the example against copies of its screens: `npm run nightly -- screens`. */
const ofRun: Screens = process.env['RXAUTH_SCREENS'] === 'copied' ? 'copied' : 'own'

/** Whether a backend says more than the platform does, such as the roles of members. */
export const hasBackend = ofRun === 'own'

/** `it` for what the example has beside its screens, such as a backend: a new app with copies of them has none of it. */
export function itInExample(...of: Parameters<typeof it>): void {
  if (hasBackend) it(...of)
}

/** Starts the example before the tests of a file; each test gets a user of its own. */
export function useExample({
  mode = 'production',
  options = [],
  screens = ofRun,
}: { readonly mode?: Mode; readonly options?: readonly string[]; readonly screens?: Screens } = {}): void {
  beforeAll(async () => {
    await mkdir(artifacts, { recursive: true })
    ;[running, browser] = await Promise.all([startExample(mode, options, screens), openChromium()])
  })

  afterAll(async () => {
    await browser.close()
    await running.stop()
  })

  beforeEach(async () => {
    context = await newPerson(browser)
    page = await context.newPage()
  })

  afterEach(async () => {
    await Promise.all([context, ...others.splice(0)].map(each => each.close()))
  })
}

/** Another user, in another browser, until the test ends. */
export async function otherPerson(options?: BrowserContextOptions): Promise<Page> {
  const other = await newPerson(browser, options)
  others.push(other)
  return other.newPage()
}

/** A path of the example as an address. */
export const at = (path: string) => new URL(path, running.address).href

/** Holds the platform's answers back; the returned function lets them through. */
export async function hold(method: string, path: string): Promise<() => void> {
  let release: () => void = () => undefined
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route(`**${path}`, async route => {
    if (route.request().method() === method) await released
    await route.continue().catch(() => undefined)
  })
  return release
}

/** Reads until it comes to what is wanted: some requests are sent beside what the page shows. */
export async function until<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (JSON.stringify(await read()) === JSON.stringify(wanted)) return
    await page.waitForTimeout(100)
  }
  expect(await read()).toEqual(wanted)
}
