import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import type * as Rxauth from 'rxauth'
import { openChromium } from './shared'

describe('a redirect of the API', () => {
  const servers: Server[] = []
  let browser: Browser

  beforeAll(async () => {
    browser = await openChromium()
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

  it('carries no password and no token to another origin, however much that allows', async () => {
    const seen: string[] = []
    const elsewhere = await listen((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      const allowed = ['origin', 'headers', 'methods'].map(what => [`access-control-allow-${what}`, '*'] as const)
      response.writeHead(200, Object.fromEntries(allowed)).end('{}')
    })
    const { outputFiles } = await build({
      entryPoints: ['src/index.ts'],
      bundle: true,
      format: 'iife',
      globalName: 'rxauth',
      write: false,
    })
    const asked: string[] = []
    const home = await listen((request, response) => {
      if (request.url === '/kit.js') response.end(outputFiles[0]!.text)
      else if (request.url === '/') response.end('<!doctype html><script src="/kit.js"></script>')
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
