import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Frame } from 'playwright-core'
import type { ClientApp, cookieTokens, Host, rememberSession } from 'rxauth'
import { createPlatform, type Platform } from 'rxauth/platform'
import { listen, type Listening } from 'rxauth/platform/node'
import { asUser, createServerApp, withSession, type ServerApp } from 'rxauth/server'
import { readyMade } from '../../src/cli/ready-made'
import { serveKitPage, type KitPage } from './kit-page'
import { openChromium } from './shared'

/*
 * A frame of one site in windows of others. Names below `localhost` are sites of their own, which Chromium trusts as https.
 */

const [ada] = readyMade.users
const credentials = { email: ada.email, password: ada.password }

interface Kit {
  readonly rememberSession: typeof rememberSession
  readonly open: (options?: Parameters<typeof cookieTokens>[0], host?: Host) => ClientApp
}
declare const kit: Kit

const script = `
import { cookieTokens, createClientApp, rememberSession } from 'rxauth'
const { hostname, host, protocol } = location
globalThis.kit = {
  rememberSession,
  open: (options, host = {}) => createClientApp({ ...config, tokens: cookieTokens(options), host, onUnhandled() {} }),
}
if (!hostname.startsWith('app.')) {
  const frame = document.createElement('iframe')
  frame.src = protocol + '//' + host.replace(/^[^.]*/, 'app')
  document.body.append(frame)
}`

let browser: Browser
let platform: Platform
let listening: Listening
let page: KitPage
let server: ServerApp
let site: Server
let port: number
/** The answers of the app's server. */
const said: string[] = []

beforeAll(async () => {
  platform = createPlatform({ seed: readyMade })
  listening = await listen(platform, { port: 0 })
  page = await serveKitPage(script, { platform, baseUrl: listening.url })
  server = createServerApp({ ...platform.serverOptions, partitioned: true })
  site = createServer((request, response) => void answer(request, response))
  await new Promise<void>(done => site.listen(0, '127.0.0.1', done))
  ;({ port } = site.address() as AddressInfo)
  browser = await openChromium()
})

afterAll(async () => {
  await browser.close()
  site.closeAllConnections()
  site.close()
  page.close()
  await listening.close()
})

/** The app's own server; other paths are pages. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new Headers()
  const text = async () => {
    switch (request.url) {
      case '/api/name':
        return asUser(server, request, async own => (await own.user$.get())?.displayName ?? 'signed out', headers)
      case '/api/greet':
        return asUser(server, request, async own => (await own.updateUser({ clientMetadata: 'greeted' })).id, headers)
      case '/api/sign-out':
        return asUser(server, request, async own => own.signOut().then(() => 'out'), headers)
      case '/api/renew': {
        const renewed = await withSession(server, request, () => new Response(''))
        for (const line of renewed.headers.getSetCookie()) headers.append('set-cookie', line)
        return 'renewed'
      }
      default: {
        const shown = await fetch(page.address.replace(/\/$/, request.url ?? '/'))
        headers.set('content-type', shown.headers.get('content-type') ?? '')
        return shown.text()
      }
    }
  }
  const [status, body] = await text().then(
    said => [200, said] as const,
    (error: unknown) => [400, (error as Error).message] as const,
  )
  if (request.url?.startsWith('/api/')) said.push(body)
  response.setHeaders(headers)
  response.writeHead(status).end(body)
}

async function frameIn(context: BrowserContext, name: string): Promise<Frame> {
  const shown = await context.newPage()
  await shown.goto(`http://${name}.localhost:${port}/`)
  if (name === 'app') return shown.mainFrame()
  const frame = await shown.waitForSelector('iframe')
  const inner = (await frame.contentFrame())!
  await inner.waitForFunction(() => 'kit' in globalThis)
  return inner
}

/** The code of what a call in the frame throws, or its value. */
const signIn = (frame: Frame, options: object, isBrief = false) =>
  frame.evaluate(
    async ([given, input, brief]) => {
      const app = kit.open(given)
      try {
        if (brief) await kit.rememberSession(app, false)
        return (await app.signInWithPassword(input)).ok
      } catch (error) {
        return (error as { code: string }).code
      }
    },
    [options, credentials, isBrief] as const,
  )

const emailIn = (frame: Frame) =>
  frame.evaluate(async () => (await kit.open({ partitioned: true }).user$.get())?.primaryEmail ?? null)

const ask = (frame: Frame, path: string, origin = '') =>
  frame.evaluate(
    async url => (await fetch(url, { method: 'POST', credentials: 'include', mode: 'no-cors' })).text(),
    `${origin}${path}`,
  )

const kinds = async (context: BrowserContext) =>
  (await context.cookies()).map(({ name, expires, sameSite, secure }) => [
    name.replace(`-${platform.options.projectId}`, ''),
    expires === -1 ? 'brief' : 'lasts',
    sameSite,
    secure,
  ])

async function inContext(run: (context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await browser.newContext()
  try {
    await run(context)
  } finally {
    await context.close()
  }
}

// Promise: partitioned-cookies
describe('a page in a frame of another site', () => {
  it('keeps its session with partitioned cookies only, one for each site around it', async () => {
    await inContext(async context => {
      const inShop = await frameIn(context, 'shop')
      expect(await signIn(inShop, {})).toBe('TOKENS_UNAVAILABLE')
      expect(await signIn(inShop, { partitioned: true })).toBe(true)
      expect(await emailIn(await frameIn(context, 'shop'))).toBe(ada.email)
      expect(await emailIn(await frameIn(context, 'blog'))).toBeNull()
      expect(await emailIn(await frameIn(context, 'app'))).toBeNull()
    })
  })

  it('has its session renewed and ended by its server, in the kind that it has', async () => {
    await inContext(async context => {
      const inShop = await frameIn(context, 'shop')
      expect(await signIn(inShop, { partitioned: true }, true)).toBe(true)
      expect(await ask(inShop, '/api/name')).toBe('Ada Lovelace')
      const all = [
        ['rxauth-brief', 'lasts', 'None', true],
        ['rxauth-witness', 'brief', 'None', true],
        ['stack-access', 'brief', 'None', true],
        ['stack-refresh', 'brief', 'None', true],
      ]
      expect((await kinds(context)).sort()).toEqual(all)
      // The access token is lost.
      await inShop.evaluate(() => {
        document.cookie = 'stack-access=x; path=/; samesite=none; partitioned; secure'
      })
      expect(await ask(inShop, '/api/renew')).toBe('renewed')
      expect((await kinds(context)).sort()).toEqual(all)
      expect(await emailIn(inShop)).toBe(ada.email)
      expect(await ask(inShop, '/api/sign-out')).toBe('out')
      expect(await kinds(context)).toEqual([])
    })
  })

  it('has cookies that the site around it sends, and may not write by', async () => {
    await inContext(async context => {
      const inShop = await frameIn(context, 'shop')
      await signIn(inShop, { partitioned: true })
      said.length = 0
      for (const path of ['/api/name', '/api/greet'])
        await ask(inShop.parentFrame()!, path, `http://app.localhost:${port}`)
      await ask(inShop, '/api/greet')
      const refusal = expect.stringContaining('may not write with the session of the cookies') as string
      expect(said).toEqual(['Ada Lovelace', refusal, expect.stringMatching(/^[\da-f-]{36}$/)])
    })
  })

  it('gets the session of its own windows once the user allows it at a press', async () => {
    await inContext(async context => {
      const open = () => {
        const cookies = {
          get: () => document.cookie,
          set: (text: string) => void (document.cookie = `${text.replace('samesite=lax', 'samesite=none')}; secure`),
        }
        const app = kit.open({}, { cookies })
        app.user$.subscribe(user => (document.title = user?.primaryEmail ?? 'signed out'))
        Object.assign(globalThis, { app })
        document.body.appendChild(document.createElement('button')).onclick = () => document.requestStorageAccess()
      }
      const own = await frameIn(context, 'app')
      await own.evaluate(open)
      await own.evaluate(async input => {
        const { app } = globalThis as unknown as { readonly app: ClientApp }
        await app.signInWithPassword(input)
      }, credentials)
      const inShop = await frameIn(context, 'shop')
      await inShop.evaluate(open)
      await inShop.waitForFunction(() => document.title === 'signed out')
      await context.grantPermissions(['storage-access'])
      await inShop.click('button')
      await inShop.waitForFunction(email => document.title === email, ada.email)
    })
  })
})

// Promise: partitioned-cookies
it('a page by http elsewhere than on this machine says that it needs https', async () => {
  await inContext(async context => {
    const shown = await context.newPage()
    await shown.goto(`http://app.example:${port}/`)
    await shown.waitForFunction(() => 'kit' in globalThis)
    expect(await signIn(shown.mainFrame(), { partitioned: true })).toBe('TOKENS_UNAVAILABLE')
    expect(await kinds(context)).toEqual([])
  })
})
