import { build, type Plugin } from 'esbuild'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createPlatform, type Platform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { tokenVerifier } from 'rxauth/server'
import { button, heading, link, newEmail, newPerson, password, press, submit, visit, see } from './person'
import { openChromium } from './shared'

/*
 * A zoneless app of Angular 21, compiled in the page, over the built entry: a router with a guard, a backend of its own behind
 * the interceptor, resources in a template.
 */

const root = join(__dirname, '../..')

let browser: Browser
let platform: Platform
let service: { readonly url: string; close(): Promise<void> }
let pages: Server
let address: string
let email: string
/** The requests to the backend, each with its header. */
let asked: string[]
let context: BrowserContext
/** Errors of all pages, and what they print. */
let printed: string[]

beforeAll(async () => {
  platform = createPlatform({ wire: '2026' })
  service = await listen(platform, { port: 0 })
  const script = await bundledApp()
  const verify = tokenVerifier({ ...platform.options, baseUrl: service.url })
  pages = createServer((request, response) => {
    if (request.url === '/app.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    else if (request.url?.startsWith('/api/')) void answer(request, response, verify)
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          '<!doctype html><base href="/"><title>Notes</title><notes-app></notes-app><script type="module" src="/app.js"></script>',
        )
  })
  await new Promise<void>(listening => pages.listen(0, '127.0.0.1', listening))
  address = `http://localhost:${(pages.address() as AddressInfo).port}`
  browser = await openChromium()
})

afterAll(async () => {
  await browser.close()
  pages.closeAllConnections()
  pages.close()
  await service.close()
})

beforeEach(async () => {
  email = newEmail()
  const team = { displayName: 'Ops', members: [{ email }] }
  await platform.seed({ users: [{ email, password, displayName: 'Ada' }], teams: [team] }, { onlyMissing: true })
  asked = []
  printed = []
  context = await newPerson(browser)
  context.on('page', page => {
    page.on('console', message => printed.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', error => printed.push(String(error)))
  })
})

afterEach(async () => {
  await context.close()
  const own = /^(info|debug|log): |Angular is running in development mode/
  expect(printed.filter(line => !own.test(line))).toEqual([])
})

/** The app with Angular of the workspace, and the built rxauth. */
async function bundledApp(): Promise<string> {
  const { projectId, publishableClientKey } = platform.options
  const config = { projectId, publishableClientKey, baseUrl: service.url }
  const angular21: Plugin = {
    name: 'angular-21',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^(@angular\/|rxauth)/ }, async ({ path, kind, pluginData }) => {
        if (path === 'rxauth') return { path: join(root, 'dist/index.js') }
        if (path === 'rxauth/angular') return { path: join(root, 'dist/angular.js') }
        if (pluginData === 'resolved') return undefined
        return resolve(path, { kind, resolveDir: join(root, 'test/angular-21'), pluginData: 'resolved' })
      })
    },
  }
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/angular/app/main.ts')],
    plugins: [angular21],
    banner: { js: `const config = ${JSON.stringify(config)}` },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['development'],
  })
  return outputFiles[0]!.text
}

async function answer(request: IncomingMessage, response: ServerResponse, verify: ReturnType<typeof tokenVerifier>) {
  const { authorization = '' } = request.headers
  asked.push(`${request.method} ${request.url} ${authorization.split(' ')[0]}`)
  const { user } = await verify.request(new Request(address, { headers: { authorization } }))
  response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
  response.end(JSON.stringify({ owner: user ? user.user?.primaryEmail : 'a guest' }))
}

async function signIn(page: Page) {
  await submit(page, { 'E-mail': email, Password: password }, 'Sign in')
}

/** At the notes, signed in. */
async function signedIn(): Promise<Page> {
  const page = await context.newPage()
  await visit(page, `${address}/notes?tab=2`, 'Sign in')
  await signIn(page)
  await heading(page, 'Notes').waitFor()
  return page
}

describe('a zoneless Angular app', () => {
  it('signs in at the page of its guard, and shows the page that was asked for', async () => {
    const page = await signedIn()
    expect(page.url()).toBe(`${address}/notes?tab=2`)
    await see(page.getByText('Signed in as Ada'), page.getByText('Name: Ada'), page.getByText('Teams: 1'))
    await page.reload()
    await page.getByText('Name: Ada').waitFor()
  })

  it('sends the token to its own backend', async () => {
    const page = await signedIn()
    await press(button(page, 'Load'), page.getByText(`Notes of: ${email}`))
    expect(asked).toEqual(['GET /api/notes Bearer'])
  })

  it('sends none to another origin', async () => {
    const page = await signedIn()
    const elsewhere = address.replace('localhost', '127.0.0.1')
    await submit(page, { 'Notes from': `${elsewhere}/api/notes` }, 'Load', page.getByText('Notes of: a guest'))
    expect(asked).toEqual(['GET /api/notes '])
  })

  it('shows the name that another tab has given', async () => {
    const page = await signedIn()
    const other = await context.newPage()
    await other.goto(`${address}/notes`)
    await submit(other, { 'New name': 'Countess' }, 'Rename', other.getByText('Signed in as Countess'))
    await see(page.getByText('Signed in as Countess'), page.getByText('Name: Countess'))
  })

  it('redirects both tabs to the sign-in at a sign-out, and back', async () => {
    const page = await signedIn()
    const other = await context.newPage()
    await visit(other, `${address}/notes`, 'Notes')
    await button(page, 'Sign out').click()
    for (const each of [page, other]) await heading(each, 'Sign in').waitFor()
    expect(new URL(page.url()).searchParams.get('after_auth_return_to')).toBe('/notes?tab=2')
    await page.getByText('signed-out').waitFor()
    await signIn(other)
    await heading(other, 'Notes').waitFor()
  })

  it('navigates in the page', async () => {
    const page = await context.newPage()
    await visit(page, address, 'Home')
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
    await press(link(page, 'Notes'), heading(page, 'Sign in'))
    await signIn(page)
    await heading(page, 'Notes').waitFor()
    expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true)
  })
})
