import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { createClientApp, memoryTokens, orThrow, type ClientApp, type TokenStore } from 'rxauth'
import { totpCode } from '../../src/core/totp'
import { runs } from '../runs'
import { artifacts, type Running } from './example'
import { axeAddress } from './shared'

/** Long, since the machine may be slow; no wait takes longer than its condition. */
const patience = 60_000

/** The factor by which pages are slowed down, to find tests that need a fast machine: `RXAUTH_SLOWNESS=8`. */
const slowness = Number(process.env['RXAUTH_SLOWNESS'] ?? 1)

/** The milliseconds by which writes take longer, to find tests that leave a page too early: `RXAUTH_LATENCY=2000`. */
const latencyMillis = Number(process.env['RXAUTH_LATENCY'] ?? 0)

export const password = 'correct horse battery'

let people = 0
export const newEmail = () => `person-${++people}-${process.pid}@example.com`

export const heading = (on: Page, name: string | RegExp) => on.getByRole('heading', { name, exact: true })
export const button = (on: Page, name: string | RegExp) => on.getByRole('button', { name, exact: true })
export const link = (on: Page, name: string) => on.getByRole('link', { name, exact: true })
export const problem = (on: Page, text: string | RegExp) => on.getByRole('alert').filter({ hasText: text })
/** What the page says of something that went well. */
export const told = (on: Page, text: string | RegExp) => on.getByRole('status').filter({ hasText: text })
export const field = (on: Page, label: string) => on.getByLabel(label, { exact: true })

/** The user whom the bar at the top shows. */
export const account = (on: Page, name: string | RegExp = /^Account: /) =>
  on.getByRole('banner').getByRole('button', { name, exact: true })

/** A browser context of its own, with nothing of another user in it. */
export async function newPerson(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(patience)
  if (slowness > 1)
    context.on('page', page => {
      void context
        .newCDPSession(page)
        .then(session => session.send('Emulation.setCPUThrottlingRate', { rate: slowness }))
    })
  if (latencyMillis > 0)
    await context.route('**/api/v1/**', async route => {
      if (/^(POST|PUT|PATCH|DELETE)$/.test(route.request().method()))
        await new Promise(resolve => setTimeout(resolve, latencyMillis))
      await route.fallback().catch(() => undefined)
    })
  return context
}

/** Makes an account by the form, and goes on to the start page; returns its address. */
export async function signUp(on: Page, address: string, email = newEmail()): Promise<string> {
  await on.goto(new URL('/handler/sign-up', address).href)
  await fillSignUp(on, email)
  await heading(on, 'Check your e-mail').waitFor()
  await link(on, 'Continue').click()
  await heading(on, 'Welcome').waitFor()
  return email
}

/** Fills the sign-up form that is open, and sends it. */
export async function fillSignUp(on: Page, email: string): Promise<void> {
  await field(on, 'E-mail address').fill(email)
  await field(on, 'Password').fill(password)
  await button(on, 'Create account').click()
}

/** An account with a session elsewhere, for tests that do not test the sign-up. */
export interface Account {
  readonly email: string
  readonly app: ClientApp
  readonly tokens: TokenStore
}

/** A kit of the example's project outside of a browser. */
export function kitElsewhere({ platform: baseUrl, projectId, publishableClientKey }: Running) {
  const tokens = memoryTokens()
  return { app: createClientApp({ baseUrl, projectId, publishableClientKey, tokens }), tokens }
}

export async function newAccount(running: Running): Promise<Account> {
  const { app, tokens } = kitElsewhere(running)
  const email = newEmail()
  const verificationCallbackUrl = new URL('/handler/email-verification', running.address).href
  orThrow(await app.signUpWithPassword({ email, password, verificationCallbackUrl }))
  return { email, app, tokens }
}

/** An account that is signed in in this browser already, which opens the address. */
export async function newcomer(on: Page, running: Running, address?: string): Promise<Account> {
  const account = await newAccount(running)
  await plantSession(on, account.tokens, running)
  if (address !== undefined) await on.goto(address)
  return account
}

/** Opens the address, and waits for the page with this title. */
export async function visit(on: Page, address: string, title: string | RegExp): Promise<void> {
  await on.goto(address)
  await heading(on, title).waitFor()
}

/** Presses it, and waits for what is shown then. */
export async function press(pressed: Locator, shown: Locator): Promise<void> {
  await pressed.click()
  await shown.waitFor()
}

/** Fills each field by its label, presses the button of this name, and waits for what is shown then. */
export async function submit(
  on: Page,
  fields: Readonly<Record<string, string>>,
  name: string,
  ...shown: readonly Locator[]
): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await field(on, label).fill(value)
  await button(on, name).click()
  await see(...shown)
}

/** Waits for each of them. */
export async function see(...shown: readonly Locator[]): Promise<void> {
  for (const each of shown) await each.waitFor()
}

type Of = Pick<Running, 'address' | 'projectId'>

/** Sets the cookie that a sign-in in this browser would set. */
export async function plantSession(on: Page, tokens: TokenStore, { address, projectId }: Of): Promise<void> {
  const { refreshToken } = (await tokens.read())!
  await on.context().addCookies([{ name: `stack-refresh-${projectId}`, value: refreshToken!, url: address }])
}

/** From the sign-in form that is open: the address, then the password. */
export async function signIn(on: Page, email: string, secret = password): Promise<void> {
  await field(on, 'E-mail address').fill(email)
  await button(on, 'Continue').click()
  await field(on, 'Password').fill(secret)
  await button(on, 'Sign in').click()
}

export async function signOut(on: Page): Promise<void> {
  await account(on).click()
  await on.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(on, 'Sign in').waitFor()
}

/** Types a code into its six boxes. */
export async function typeCode(on: Page, label: string, code: string): Promise<void> {
  await on.getByLabel(`${label}: 1 of 6`).click()
  await on.keyboard.type(code)
}

/** Types what an authenticator shows, once more if its half minute has ended before the code has arrived. */
export async function typeDigits(on: Page, label: string, secret: Uint8Array, path: string): Promise<void> {
  for (;;) {
    const code = await totpCode(secret, Date.now())
    const sent = on.waitForRequest(
      request => /^(POST|PATCH)$/.test(request.method()) && new URL(request.url()).pathname.endsWith(path),
    )
    const [request] = await Promise.all([sent, typeCode(on, label, code)])
    if ((await request.response())?.ok()) return
    if (code === (await totpCode(secret, Date.now()))) throw new Error('the code of this half minute was refused')
    await problem(on, 'Wrong code.').waitFor()
  }
}

/** Presses the button, and the one of the dialog that opens. */
export async function confirm(on: Page, asking: Locator, answer: string): Promise<void> {
  await asking.click()
  await on.getByRole('dialog').getByRole('button', { name: answer, exact: true }).click()
}

/**
 * Does it, and waits for the answer to the write that it sends to the platform: pages show some changes before that, and a
 * page that is left for another one cuts the request off.
 */
export async function answered(on: Page, method: string, path: string, act: () => Promise<void>): Promise<void> {
  const sent = on.waitForRequest(
    request => request.method() === method && new URL(request.url()).pathname.endsWith(path),
  )
  const [request] = await Promise.all([sent, act()])
  const response = await request.response()
  if (!response?.ok()) throw new Error(`${method} ${path} was answered ${response?.status() ?? 'nothing'}`)
}

/** Waits for the end of all animations but endless ones, such as that of a skeleton. */
async function settled(on: Page): Promise<void> {
  await on.evaluate(async () => {
    const nextFrame = () => new Promise(resolve => requestAnimationFrame(resolve))
    // A new element begins to fade in with the frame after the next one.
    await nextFrame()
    await nextFrame()
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** Waits until nothing of the page is loading. */
export async function loaded(on: Page): Promise<void> {
  await on.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
}

/** Advances the clock of the page by five seconds, after which stores with subscribers are old enough to load again. */
export async function passFiveSeconds(on: Page): Promise<void> {
  await on.evaluate(() => {
    const [wall, monotonic] = [Date.now, performance.now.bind(performance)]
    Date.now = () => wall() + 5_100
    performance.now = () => monotonic() + 5_100
  })
}

/** Puts axe into the page, as text only where the page loads no scripts: without a network, or by its own policy. */
async function addAxe(on: Page): Promise<void> {
  if (await on.evaluate(() => 'axe' in globalThis)) return
  try {
    await on.addScriptTag({ url: await axeAddress() })
  } catch {
    await on.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'))
  }
}

/** The violations that axe finds on the page. */
export async function violations(on: Page): Promise<unknown> {
  await settled(on)
  await addAxe(on)
  return on.evaluate(async () => {
    const { run } = Reflect.get(globalThis, 'axe') as typeof axe
    // Otherwise it describes every element that passes, too.
    const { violations } = await run({ resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))
  })
}

/** Saves a picture of the page: `RXAUTH_PICTURES=1`. */
export async function picture(on: Page, name: string): Promise<void> {
  if (process.env['RXAUTH_PICTURES']) await on.screenshot({ path: join(artifacts, `${name}.png`), fullPage: true })
}

/** Checks that the page is accessible, and no wider than the window. */
export async function look(on: Page, name: string): Promise<void> {
  const found = await violations(on)
  const tooWide = await on.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth))
  expect({ name, found, tooWide }).toEqual({ name, found: [], tooWide: 0 })
  await picture(on, name)
}

export const phone = { width: 360, height: 740 }
const desk = { width: 1440, height: 900 }

/**
 * Looks at the page at each size, by all rules, without a load in between. Dark and light
 * pages have the same elements: each run looks at a narrow one in the dark, the nightly run at both sizes in both.
 */
export async function lookEverywhere(on: Page, name: string, sizes = runs([phone], [desk, phone])): Promise<void> {
  for (const size of sizes)
    for (const colorScheme of runs<('dark' | 'light')[]>(['dark'], ['dark', 'light'])) {
      await on.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await on.setViewportSize(size)
      await look(on, `${name}-${colorScheme}-${size.width}`)
    }
}
