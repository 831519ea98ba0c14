import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import type * as Rxauth from 'rxauth'
import { openChromium } from './shared'

const servers: Server[] = []
let browser: Browser
let kit: string

beforeAll(async () => {
  browser = await openChromium()
  const { outputFiles } = await build({
    entryPoints: ['src/index.ts'],
    bundle: true,
    format: 'iife',
    globalName: 'rxauth',
    write: false,
  })
  kit = outputFiles[0]!.text
})

afterAll(async () => {
  await browser.close()
  for (const server of servers) server.close()
})

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

describe('a redirect of the API', () => {
  it('carries no password and no token to another origin, however much that allows', async () => {
    const seen: string[] = []
    const elsewhere = await listen((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      const allowed = ['origin', 'headers', 'methods'].map(what => [`access-control-allow-${what}`, '*'] as const)
      response.writeHead(200, Object.fromEntries(allowed)).end('{}')
    })
    const asked: string[] = []
    const home = await listen((request, response) => {
      if (request.url === '/kit.js') response.end(kit)
      else if (request.url === '/') response.end('<!doctype html><script src="/kit.js"></script>')
      else if (request.url === '/favicon.ico') response.end()
      else {
        asked.push(`${request.method} ${request.url}`)
        response.writeHead(307, { location: `${elsewhere}/stolen` }).end()
      }
    })
    const page = await browser.newPage()
    await page.goto(home)
    const error = await page.evaluate(async () => {
      const { createClientApp, memoryTokens } = (globalThis as unknown as { rxauth: typeof Rxauth }).rxauth
      const app = createClientApp({
        projectId: 'the-project',
        publishableClientKey: 'pck_the-key',
        baseUrl: location.origin,
        tokens: memoryTokens(),
      })
      try {
        await app.signInWithPassword({ email: 'ada@example.com', password: 'correct horse' })
        return undefined
      } catch (thrown) {
        const { code, details } = thrown as Rxauth.AuthError
        return { code, details }
      }
    })
    expect(error).toEqual({ code: 'REDIRECT_REFUSED', details: { from: home, to: null } })
    expect(asked).toEqual(['POST /api/v1/auth/password/sign-in'])
    expect(seen).toEqual([])
  })
})

describe('a redirect of the page', () => {
  /** Loads `path` with this head, and goes to pages of the app in turn. */
  async function go(head: string, path: string, urls: Rxauth.UrlOptions, pages: readonly Rxauth.Page[]) {
    const home = await listen((request, response) => {
      const isScript = request.url === '/kit.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? kit : `<!doctype html><script src="/kit.js"></script>${head}`)
    })
    const page = await browser.newPage()
    await page.goto(home + path)
    const seen: string[] = []
    for (const name of pages) {
      const left = page.waitForURL(url => url.href !== `${home}${seen.at(-1) ?? path}`)
      await page.evaluate(
        ([options, to]) => {
          const { createClientApp, memoryTokens } = (globalThis as unknown as { rxauth: typeof Rxauth }).rxauth
          const project = { projectId: 'the-project', publishableClientKey: 'pck_the-key', baseUrl: location.origin }
          const app = createClientApp({ ...project, tokens: memoryTokens(), urls: options })
          app.redirectTo(to).catch((error: unknown) => (document.title = String(error)))
        },
        [urls as Rxauth.HandlerUrls, name] as const,
      )
      await left
      seen.push(page.url().replace(home, ''))
    }
    await page.close()
    return seen
  }

  // Promise: base-element
  it('stays at the origin of the page, whatever its <base>', async () => {
    const asked: string[] = []
    const elsewhere = await listen((request, response) => {
      asked.push(`${request.url}`)
      response.end('stolen')
    })
    // After the script, so that only what follows is resolved by it.
    const pages = ['signIn', 'home'] as const
    expect(await go(`<base href="${elsewhere}/dir/">`, '/inbox', { home: './home' }, pages)).toEqual([
      '/handler/sign-in?after_auth_return_to=%2Finbox',
      '/handler/home',
    ])
    expect(asked).toEqual([])
  })

  it.each(['#', '#!'])('goes to a route behind %s and back', async hash => {
    const urls = { handler: `/app/${hash}/auth` }
    const back = new URLSearchParams({ after_auth_return_to: `/app/${hash}/inbox?a=1` }).toString()
    expect(await go('', `/app/${hash}/inbox?a=1`, urls, ['signIn', 'signUp', 'afterSignUp'])).toEqual([
      `/app/${hash}/auth/sign-in?${back}`,
      `/app/${hash}/auth/sign-up?${back}`,
      `/app/${hash}/inbox?a=1`,
    ])
  })
})
