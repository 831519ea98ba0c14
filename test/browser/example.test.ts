import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { launchChromium } from './chromium'
import { artifacts, runExample } from './example'
import type { Program } from './example'

/** The machine that runs this may be slow; nothing waits for longer than it takes. */
const patience = 30_000

let program: Program
let browser: Browser
let address: string
let context: BrowserContext
let page: Page
let people = 0

beforeAll(async () => {
  await mkdir(artifacts, { recursive: true })
  program = runExample('start.mjs')
  address = (await program.printed(/^Page +(\S+)$/m))[1]!
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  program.kill('SIGTERM')
  await program.ended
})

beforeEach(async () => {
  context = await browser.newContext()
  context.setDefaultTimeout(patience)
  page = await context.newPage()
})

afterEach(() => context.close())

const heading = (name: string, on = page) => on.getByRole('heading', { name, exact: true })
const password = 'correct horse battery'

async function openForm(on = page): Promise<void> {
  await on.goto(address)
  await heading('Sign in', on).waitFor()
}

/** Fills the form in as a person does; gives the address of the new account. */
async function signUp(on = page): Promise<string> {
  const email = `person-${++people}@example.com`
  await openForm(on)
  await on.getByRole('button', { name: 'Create an account' }).click()
  await heading('Create an account', on).waitFor()
  await on.getByLabel('E-mail').fill(email)
  await on.getByLabel('Password').fill(password)
  await on.getByRole('button', { name: 'Create an account' }).click()
  await heading('Your account', on).waitFor()
  return email
}

/** Holds the platform's answers back; the returned function lets them through. */
async function hold(method: string, path: string): Promise<() => void> {
  let release: () => void = () => undefined
  const released = new Promise<void>(resolve => (release = resolve))
  const isHeld = (route: Route) => route.request().method() === method
  await page.route(`**${path}`, async route => {
    if (isHeld(route)) await released
    await route.continue().catch(() => undefined)
  })
  return release
}

async function violations(): Promise<unknown> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const run = Reflect.get(globalThis, 'axe') as {
      run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
    }
    return (await run.run()).violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))
  })
}

describe('the example', () => {
  it('signs up, shows the user, and changes the name in every place before the answer comes', async () => {
    const email = await signUp()
    await page.getByRole('navigation').getByText(email).waitFor()
    expect(await page.title()).toBe('Your account · rxauth example')
    const release = await hold('PATCH', '/users/me')
    await page.getByLabel('Display name', { exact: true }).last().fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('navigation').getByText('Ada Lovelace').waitFor()
    await heading('Ada Lovelace').waitFor()
    await page.getByText('Saving…').waitFor()
    expect(await page.getByText('Saved.').count()).toBe(0)
    release()
    await page.getByText('Saved.').waitFor()
    await heading('Ada Lovelace').waitFor()
    await page.reload()
    await heading('Ada Lovelace').waitFor()
  })

  it('takes the name back, keeps what was typed and says so when the platform cannot be reached', async () => {
    const email = await signUp()
    await page.route('**/users/me', route => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await page.getByRole('textbox', { name: 'Display name' }).fill('Nobody')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: 'The platform cannot be reached.' }).waitFor()
    await page.getByRole('navigation').getByText(email).waitFor()
    expect(await page.getByRole('textbox', { name: 'Display name' }).inputValue()).toBe('Nobody')
  })

  it('signs the other tab out within 200 ms', async () => {
    const email = await signUp()
    const second = await context.newPage()
    await second.goto(address)
    await second.getByRole('navigation').getByText(email).waitFor()
    // Both pages tell the time by the machine's clock: the one when the button was pressed, the other when its form appeared.
    await page.evaluate(() => {
      addEventListener('click', () => Object.assign(globalThis, { pressedAt: Date.now() }), {
        capture: true,
        once: true,
      })
    })
    await second.evaluate(() => {
      const look = new MutationObserver(() => {
        if (document.querySelector('h1')?.textContent !== 'Sign in') return
        look.disconnect()
        Object.assign(globalThis, { signedOutAt: Date.now() })
      })
      look.observe(document, { subtree: true, childList: true })
    })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading('Sign in', second).waitFor()
    await heading('Sign in').waitFor()
    const pressedAt = await page.evaluate(() => Reflect.get(globalThis, 'pressedAt') as number)
    const signedOutAt = await second.evaluate(() => Reflect.get(globalThis, 'signedOutAt') as number)
    expect(signedOutAt - pressedAt).toBeLessThan(200)
    await second.getByText('You have signed out in another tab.').waitFor()
    await page.getByText('You are signed out.').waitFor()
  })

  it('keeps the last known user offline, with a note that goes when the network returns', async () => {
    const email = await signUp()
    await context.setOffline(true)
    await page.getByText(/^Offline\. Showing what was known at \d/).waitFor()
    await page.getByRole('navigation').getByText(email).waitFor()
    await context.setOffline(false)
    await page.getByText('Showing what was known').waitFor({ state: 'detached' })
    await page.getByRole('navigation').getByText(email).waitFor()
  })

  it('keeps the last known user when the platform breaks, until asked to try again', async () => {
    const email = await signUp()
    let isBroken = true
    await page.route('**/users/me', route =>
      isBroken ? route.fulfill({ status: 200, body: '{"id"' }) : route.continue(),
    )
    await page.getByRole('textbox', { name: 'Display name' }).fill('Ada')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^The platform cannot be reached\. Showing what was known at \d/).waitFor()
    await page.getByRole('navigation').getByText(email).waitFor()
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Showing what was known').waitFor({ state: 'detached' })
    await page.getByRole('navigation').getByText(email).waitFor()
  })

  it('says when the platform cannot be reached, and goes on when asked to', async () => {
    await signUp()
    let isBroken = true
    await page.route('**/users/me', route =>
      isBroken ? route.fulfill({ status: 200, body: '{"id"' }) : route.continue(),
    )
    await page.reload()
    await page.getByText('The platform cannot be reached.').waitFor()
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading('Your account').waitFor()
  })

  it('shows a skeleton after a reload, never the sign-in form, and then the user', async () => {
    const email = await signUp()
    await page.addInitScript(() => {
      const headings = new Set<string | null>()
      Object.assign(globalThis, { headings })
      new MutationObserver(() => {
        for (const found of document.querySelectorAll('h1')) headings.add(found.textContent)
      }).observe(document, { subtree: true, childList: true })
    })
    const release = await hold('GET', '/users/me')
    await page.reload()
    await page.getByRole('article', { name: 'Loading' }).waitFor()
    expect(await violations()).toEqual([])
    await page.screenshot({ path: join(artifacts, 'not-known-yet.png') })
    release()
    await page.getByRole('navigation').getByText(email).waitFor()
    expect(await page.evaluate(() => [...(Reflect.get(globalThis, 'headings') as Set<string>)])).toEqual([
      'One moment…',
      'Your account',
    ])
  })

  it('says in words what is wrong, and brings the focus there', async () => {
    const email = await signUp()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading('Sign in').waitFor()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('wrong horse battery')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: 'Wrong e-mail or password.' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('password')
    expect(await violations()).toEqual([])
    await page.screenshot({ path: join(artifacts, 'wrong-password.png') })

    await page.getByRole('button', { name: 'Create an account' }).click()
    expect(await page.locator('#problem').textContent()).toBe('')
    await page.getByLabel('Password').fill('short')
    await page.getByLabel('E-mail').fill('another@example.com')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('alert').filter({ hasText: 'use at least 8 characters' }).waitFor()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('alert').filter({ hasText: 'There is an account with this e-mail already.' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('email')
  })

  it('can be used with the keyboard alone', async () => {
    const email = `person-${++people}@example.com`
    const { keyboard } = page
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent)
    await openForm()
    expect(await focused()).toBe('email')
    for (const key of ['Tab', 'Tab', 'Tab']) await keyboard.press(key)
    expect(await focused()).toBe('Create an account')
    await keyboard.press('Enter')
    expect(await focused()).toBe('email')
    await keyboard.type(email)
    await keyboard.press('Tab')
    await keyboard.type(password)
    await keyboard.press('Enter')
    await heading('Your account').waitFor()
    expect(await focused()).toBe('Your account')
    await keyboard.press('Tab')
    expect(await focused()).toBe('display-name')
    await keyboard.type('Ada')
    await keyboard.press('Enter')
    await heading('Ada').waitFor()
    expect(await focused()).toBe('display-name')
    await keyboard.press('Shift+Tab')
    expect(await focused()).toBe('Sign out')
    await keyboard.press('Enter')
    await heading('Sign in').waitFor()
    expect(await focused()).toBe('email')
  })

  it.each([
    ['light', 'wide', 1100, 800],
    ['light', 'narrow', 360, 740],
    ['dark', 'wide', 1100, 800],
    ['dark', 'narrow', 360, 740],
  ] as const)('is accessible and fits, %s and %s', async (colorScheme, name, width, height) => {
    const take = (state: string) =>
      page.screenshot({ path: join(artifacts, `${state}-${colorScheme}-${name}.png`), fullPage: true })
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height })
    await openForm()
    expect(await violations()).toEqual([])
    expect(await overflow()).toBeLessThanOrEqual(0)
    await take('signed-out')
    await signUp()
    await page
      .getByRole('textbox', { name: 'Display name' })
      .fill('Augusta Ada King, Countess of Lovelace, mathematician')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await violations()).toEqual([])
    expect(await overflow()).toBeLessThanOrEqual(0)
    await take('signed-in')
    await context.setOffline(true)
    await page.getByText(/^Offline\./).waitFor()
    expect(await violations()).toEqual([])
    expect(await overflow()).toBeLessThanOrEqual(0)
    await take('offline')
  })
})
