import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { createServerApp } from 'rxauth/server'
import { runNode } from './example'
import type { Program } from './example'
import { button, heading, link, newPerson } from './person'
import { openChromium } from './shared'

/*
 * The app of docs/guides/next.md as `next build` and `next start` run it, with the built kit. As in a real deployment, the
 * build knows public values only; address and secret key reach the server when it starts.
 */

const root = join(__dirname, '../..')
const next = join(root, 'node_modules/next/dist/bin/next')
const password = 'correct horse battery'

const platform = createPlatform({
  seed: {
    users: [
      { email: 'ada@example.com', password, displayName: 'Ada' },
      { email: 'grace@example.com', password, displayName: 'Grace' },
      { email: 'alan@example.com', password },
    ],
  },
})
const backend = createServerApp(platform.serverOptions)
const closing: (() => Promise<unknown>)[] = []
let server: Program
let address: string
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  const served = await listen(platform, { port: 0 })
  closing.push(() => served.close())
  await mkdir(join(root, '.tmp'), { recursive: true })
  const folder = await mkdtemp(join(root, '.tmp/next-'))
  closing.push(() => rm(folder, { recursive: true }))
  await cp(join(root, 'test/next'), folder, { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/rxauth'))

  const env = {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_PUBLIC_BROWSER_STACK_API_URL: served.url,
    NEXT_PUBLIC_STACK_PROJECT_ID: platform.options.projectId,
  }
  const build = runNode([next, 'build'], env, folder)
  if ((await build.ended).code !== 0) throw new Error(build.output())

  const { secretServerKey } = platform.serverOptions
  server = runNode(
    [next, 'start', '--port', '0'],
    { ...env, STACK_API_URL: served.url, STACK_SECRET_SERVER_KEY: secretServerKey },
    folder,
  )
  closing.unshift(async () => {
    server.kill('SIGTERM')
    await server.ended
  })
  address = (await server.printed(/Local: +(http\S+)/))[1]!
  browser = await openChromium()
  closing.unshift(() => browser.close())
})

afterAll(async () => {
  for (const close of closing) await close()
})

beforeEach(async () => {
  context = await newPerson(browser)
  page = await context.newPage()
})

afterEach(() => context.close())

async function signIn(email: string): Promise<void> {
  await page.goto(address)
  await page.getByPlaceholder('E-mail').fill(email)
  await page.getByPlaceholder('Password').fill(password)
  await button(page, 'Sign in').click()
  await button(page, 'Sign out').waitFor()
}

/** The server's answer to a navigation: the text of the page before its scripts run. */
async function loaded(path: string): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const response = await page.goto(new URL(path, address).href)
  const html = (await response?.text()) ?? ''
  return { status: response?.status(), text: html.replace(/<script[^]*?<\/script>|<!--[^]*?-->|<[^>]*>/g, '') }
}

/** The answer to a request by a script of the page. */
async function asked(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
  return page.evaluate(async url => {
    const response = await fetch(url)
    return { status: response.status, body: (await response.json()) as unknown }
  }, path)
}

describe('the Next.js guide, in a browser', () => {
  it('greets the user of the cookies when a page is loaded, and when the router goes to it', async () => {
    await signIn('ada@example.com')
    await link(page, 'Account').click()
    await heading(page, 'Hello Ada').waitFor()
    expect(await loaded('/account')).toEqual({ status: 200, text: 'Hello AdaRename' })
    expect((await page.reload())?.status()).toBe(200)
    await heading(page, 'Hello Ada').waitFor()
  })

  it('offers to sign in where a page is loaded without cookies, or after a sign-out', async () => {
    const signedOut = { status: 200, text: 'Sign in first' }
    expect(await loaded('/account')).toEqual(signedOut)
    await signIn('ada@example.com')
    await button(page, 'Sign out').click()
    await button(page, 'Sign in').waitFor()
    expect(await loaded('/account')).toEqual(signedOut)
  })

  it('answers each browser as its own user', async () => {
    const other = await newPerson(browser)
    await signIn('ada@example.com')
    const first = page
    page = await other.newPage()
    await signIn('grace@example.com')
    expect((await loaded('/account')).text).toContain('Hello Grace')
    await first.reload()
    page = first
    expect((await loaded('/account')).text).toContain('Hello Ada')
    await other.close()
  })

  it('answers a request to the route handler with 401 while signed out, and with the user otherwise', async () => {
    await page.goto(address)
    expect(await asked('/api/me')).toEqual({ status: 401, body: { error: 'signed out' } })
    await signIn('ada@example.com')
    expect(await asked('/api/me')).toMatchObject({ status: 200, body: { name: 'Ada' } })
  })

  it.each(['Bearer mine', 'Bearer', 'Basic YTpi'])('answers a request with %j with 401', async authorization => {
    const response = await fetch(`${address}/api/me`, { headers: { authorization } })
    expect(response.status).toBe(401)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  it('changes the user in a server action', async () => {
    await signIn('alan@example.com')
    await loaded('/account')
    await page.getByPlaceholder('New name').fill('Alan Turing')
    await button(page, 'Rename').click()
    await heading(page, 'Hello Alan Turing').waitFor()
  })

  it('shows the page signed out when the account is gone, and the route handler deletes its cookies', async () => {
    const userId = '5b0e5c0a-6a55-4c0e-9d0e-0d3c2a6f1e77'
    await platform.seed({ users: [{ id: userId, email: 'gone@example.com', password }] }, { onlyMissing: true })
    await signIn('gone@example.com')
    await page.goto('about:blank')
    await backend.deleteUserById({ userId })
    expect(await loaded('/account')).toMatchObject({ status: 200, text: 'Sign in first' })
    expect(await context.cookies()).not.toEqual([])
    expect(await asked('/api/me')).toMatchObject({ status: 401 })
    expect(await context.cookies()).toEqual([])
  })

  it('prints no error', () => {
    expect(server.output()).not.toMatch(/error/i)
  })
})
