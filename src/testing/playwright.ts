import { test as base } from '@playwright/test'
import type {
  BrowserContext,
  Page,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test'
import { requestTokens, systemClock } from 'rxauth'
import { createPlatform, type Mailbox, type Platform, type PlatformOptions } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { TestTime, type TestClock } from './clock'
import { Passkeys, type TestPasskeys } from './passkeys'
import { withSteadyKeys } from './steady-keys'

export { backendClock } from './backends'
export type { TestClock } from './clock'
export type { Duration } from './duration'
export type { TestPasskeys } from './passkeys'

/** Options for `use` in a project of Playwright. */
export interface PlatformFixtureOptions {
  /** The platform's URL in the app under test: its `baseUrl`. Default `http://localhost:8102`. */
  readonly platformUrl: string
  /** The options of each test's platform. */
  readonly platformOptions: PlatformOptions
  /**
   * The port of each test's platform, for a backend that calls it. Then tests run one after the other (`workers: 1`), and all
   * platforms sign with the same keys, which a backend may keep. Default 0: any free port.
   */
  readonly platformPort: number
}

/** The fixtures of a test. */
export interface PlatformFixtures {
  /** A platform for this test alone, which answers the browser's requests to `platformUrl`. */
  readonly platform: Platform
  /** Signs the browser context in without a form: a session of the user with this address, in the cookies of the app. */
  readonly signIn: (email: string) => Promise<void>
  /** A page of another browser context, signed in as this user: for tests with two users. */
  readonly signedInPage: (email: string) => Promise<Page>
  /** The mails to an address, and its `next()` mail. */
  readonly mailbox: (email: string) => Mailbox
  /** Moves the time of the platform, of all pages and of backends in step: `clock.sleep('8h')`. */
  readonly clock: TestClock
  /** The device behind `navigator.credentials` of all pages, and its user: `passkeys.user = 'refuses'`. */
  readonly passkeys: TestPasskeys
}

/** The things beside a test's platform. */
interface Stage {
  readonly url: string
  readonly time: TestTime
  /** Present if the test asks for it. */
  passkeys?: Passkeys
}

/** Routes requests for the app's platform URL to the platform of the test, whose time applies to the pages too. */
async function connect(context: BrowserContext, platformUrl: string, { url, time, passkeys }: Stage): Promise<void> {
  const { origin } = new URL(platformUrl)
  await time.join(context)
  await passkeys?.join(context)
  await context.route(
    address => address.origin === origin,
    route => route.continue({ url: url + route.request().url().slice(origin.length) }),
  )
}

/** Sets the cookies that `cookieTokens()` reads on a page of the app. */
async function putTokens(context: BrowserContext, platform: Platform, email: string, appUrl: string): Promise<void> {
  const tokens = (await platform.tokensFor(email)).read()
  const cookies: Parameters<BrowserContext['addCookies']>[0][number][] = []
  const { protocol, host, origin } = new URL(appUrl)
  const source = requestTokens(
    { headers: { host, 'x-forwarded-proto': protocol.slice(0, -1) }, url: origin },
    cookie => {
      const { maxAge, secure } = cookie.options
      const expires = maxAge === undefined ? -1 : systemClock.now() / 1000 + maxAge
      cookies.push({ name: cookie.name, value: cookie.value, url: origin, expires, secure, sameSite: 'Lax' })
    },
  )
  const store =
    typeof source === 'function'
      ? source({ projectId: platform.options.projectId, clock: systemClock, host: {} })
      : source
  await store.replace(null, tokens)
  await context.addCookies(cookies)
}

/**
 * Playwright's `test` with a fresh platform for each test, on the network of its browser.
 *
 * Each test has its own users, mail and faults, so tests run in parallel against one build of the app. The app needs no
 * change: the platform of the test answers requests to `platformUrl`. `signIn` needs an app that keeps tokens in cookies
 * (`cookieTokens()`); the rest works with every app.
 *
 * @example
 * test.use({ platformOptions: { seed: { users: [{ email: 'ada@example.com', displayName: 'Ada' }] } } })
 *
 * test('greets', async ({ page, signIn }) => {
 *   await signIn('ada@example.com')
 *   await page.goto('/')
 *   await page.getByText('Ada').waitFor()
 * })
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PlatformFixtures & PlatformFixtureOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<PlatformFixtures & PlatformFixtureOptions>({
  platformUrl: ['http://localhost:8102', { option: true }],
  platformOptions: [{}, { option: true }],
  platformPort: [0, { option: true }],

  platform: [
    async ({ context, platformUrl, platformOptions, platformPort: port }, use) => {
      const time = new TestTime(platformOptions.clock, systemClock)
      const platform = createPlatform({ ...platformOptions, clock: time.clock })
      if (port > 0) await withSteadyKeys(platform)
      const served = await listen({ fetch: request => time.gate.through(() => platform.fetch(request)) }, { port })
      const stage = { url: served.url, time }
      await connect(context, platformUrl, stage)
      stages.set(platform, stage)
      await use(platform)
      await served.close()
      platform.dispose()
    },
    // Otherwise a page of a test without our fixtures would reach whatever runs at that address.
    { auto: true },
  ],

  signIn: async ({ context, platform, baseURL }, use) => {
    await use(email => putTokens(context, platform, email, required(baseURL)))
  },

  signedInPage: async ({ browser, platform, platformUrl, baseURL }, use) => {
    const contexts: BrowserContext[] = []
    await use(async email => {
      const context = await browser.newContext({ baseURL: required(baseURL) })
      contexts.push(context)
      await connect(context, platformUrl, stageOf(platform))
      await putTokens(context, platform, email, required(baseURL))
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },

  mailbox: async ({ platform }, use) => {
    await use(email => platform.mailbox(email))
  },

  clock: async ({ platform }, use, { config }) => {
    const { time } = stageOf(platform)
    await time.install(config.workers)
    await use(time)
    await time.end()
  },

  passkeys: async ({ context, platform }, use) => {
    const passkeys = (stageOf(platform).passkeys = new Passkeys(platform))
    await passkeys.join(context)
    await use(passkeys)
  },
})

const stages = new WeakMap<Platform, Stage>()

function stageOf(platform: Platform): Stage {
  const stage = stages.get(platform)
  if (!stage)
    throw new Error('the fixture `platform` was replaced: the other fixtures need the one of rxauth/playwright')
  return stage
}

function required(baseURL: string | undefined): string {
  if (baseURL === undefined)
    throw new Error('signIn needs the URL of the app: set `use: { baseURL }` in playwright.config.ts')
  return baseURL
}
