import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryTokens } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import * as v from 'valibot'
import { call } from '../../src/transport/call'
import { endpoint } from '../../src/transport/endpoint'
import { fetchFromOrigin } from '../../src/transport/same-origin'
import { accessTokenText } from '../session/access-token-text'
import { credentialsOf } from '../tabs'
import { ada, world } from '../world'
import { exchange, owner, watch, type Reply } from './exchange'

const read = endpoint('GET /things', { access: 'client' })
const write = endpoint('POST /things', { access: 'client', body: { password: v.string() } })
const form = endpoint('POST /form', { access: 'client', body: { password: v.string() }, sentAs: 'form' })
const input = { password: 'correct horse' }
const tokens = { accessToken: 'access', refreshToken: 'refresh' }
const home = 'https://auth.example.com'

/** The outcome of a call on a network with these answers, and the URLs that were fetched. */
async function outcome(replies: readonly Reply[], which: 'read' | 'write' | 'form' = 'write') {
  const { transport, clock, sent } = exchange(replies, { tokens })
  const done =
    which === 'read'
      ? watch<unknown>(call(transport, read, {}, { owner }))
      : watch<unknown>(call(transport, which === 'form' ? form : write, input, { owner }))
  await clock.advance(60_000)
  return { ...done, sent, addresses: sent.map(({ url }) => url) }
}

const redirect = (status: number, location: string): Reply => ({ status, headers: { location }, body: '' })

describe('a redirect to another origin', () => {
  // Promise: redirects
  it.each([
    ['another host', 'https://evil.example/api/v1/things', 'https://evil.example'],
    ['another port', 'https://auth.example.com:8443/', 'https://auth.example.com:8443'],
    ['another scheme', 'http://auth.example.com/api/v1/things', 'http://auth.example.com'],
    ['another host without a scheme', '//evil.example/', 'https://evil.example'],
    ['no origin', 'data:text/plain,here', 'data:'],
  ])('is refused by name and not followed: %s', async (_, location, to) => {
    for (const status of [301, 302, 303, 307, 308])
      for (const which of ['read', 'write', 'form'] as const) {
        const { error, addresses } = await outcome([redirect(status, location)], which)
        expect(error).toMatchObject({ code: 'REDIRECT_REFUSED', status, details: { from: home, to } })
        expect((error as Error).message).toContain(`${home} redirects this request to ${to}`)
        expect(addresses).toHaveLength(1)
      }
  })

  it('is refused after one to the same origin, too', async () => {
    const { error, addresses } = await outcome([redirect(308, '/there'), redirect(308, 'https://evil.example/')])
    expect(error).toMatchObject({ code: 'REDIRECT_REFUSED', details: { to: 'https://evil.example' } })
    expect(addresses).toEqual([`${home}/api/v1/things`, `${home}/there`])
  })

  // Promise: redirects
  it('that a browser hides is refused, with an error that says so', async () => {
    const opaque = () =>
      Object.defineProperties(new Response(null), { type: { value: 'opaqueredirect' }, status: { value: 0 } })
    await expect(
      fetchFromOrigin(() => Promise.resolve(opaque()), `${home}/x`, { method: 'GET' }),
    ).rejects.toMatchObject({
      code: 'REDIRECT_REFUSED',
      details: { from: home, to: null },
      status: undefined,
      message: expect.stringContaining('the browser hides') as string,
    })
  })

  it('that fetch has followed all the same is refused', async () => {
    const followed = (url: string) =>
      Object.defineProperties(new Response('{}'), { redirected: { value: true }, url: { value: url } })
    const fetching = (url: string) => fetchFromOrigin(() => Promise.resolve(followed(url)), `${home}/x`, {})
    await expect(fetching('https://evil.example/')).rejects.toMatchObject({
      code: 'REDIRECT_REFUSED',
      details: { from: home, to: 'https://evil.example' },
    })
    expect((await fetching(`${home}/y`)).url).toBe(`${home}/y`)
  })

  it("is not a request that the app's own fetch sends elsewhere", async () => {
    const proxied = Object.defineProperties(new Response('{}'), { url: { value: 'https://proxy.example/' } })
    expect(await fetchFromOrigin(() => Promise.resolve(proxied), `${home}/x`, {})).toBe(proxied)
  })
})

describe('a redirect to the same origin', () => {
  // Promise: redirects
  it.each([307, 308])('with %i is followed with method, headers and body, as for a trailing slash', async status => {
    for (const location of ['/api/v1/things/', `${home}/api/v1/things/`, 'things/']) {
      const { value, sent } = await outcome([redirect(status, location), {}])
      expect(value).toMatchObject({ ok: true })
      const [first, second] = sent
      expect(second!.url).toBe(`${home}/api/v1/things/`)
      expect([second!.init.method, second!.body]).toEqual(['POST', first!.body])
      expect([...second!.headers]).toEqual([...first!.headers])
    }
  })

  it.each([301, 302, 303])('with %i is followed by a GET, and is a failure of anything else', async status => {
    expect((await outcome([redirect(status, '/there'), {}], 'read')).addresses).toHaveLength(2)
    const { error, addresses } = await outcome([redirect(status, '/there'), {}])
    expect(error).toMatchObject({ code: 'REQUEST_FAILED', status })
    expect(addresses).toHaveLength(1)
  })

  it('is not followed by a form', async () => {
    const { error, addresses } = await outcome([redirect(308, '/there'), {}], 'form')
    expect(error).toMatchObject({ code: 'REQUEST_FAILED', status: 308 })
    expect(addresses).toHaveLength(1)
  })

  it('again and again ends after five', async () => {
    const { error, addresses } = await outcome([redirect(308, '/there')])
    expect(error).toMatchObject({ code: 'REQUEST_FAILED', status: 308 })
    expect(addresses).toHaveLength(6)
  })

  it.each(['https://', ''])('without a valid URL (%j) is a failure', async location => {
    const { error } = await outcome([location === '' ? { status: 308, body: '' } : redirect(308, location)])
    expect(error).toMatchObject({ code: 'REQUEST_FAILED', status: 308 })
  })
})

describe('on a real network', () => {
  const servers: Server[] = []

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function listen(answer: (request: IncomingMessage) => readonly [status: number, location: string]) {
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      const [status, location] = answer(request)
      response.writeHead(status, { location }).end()
    })
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return { seen, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  // Promise: redirects
  it('nothing of a sign-in, a refresh or a read reaches the origin that a redirect names', async () => {
    const elsewhere = await listen(() => [200, ''])
    const platform = await listen(() => [307, `${elsewhere.base}/api/v1/stolen`])
    const { newApp } = await world()
    // Nothing here waits: no answer is repeated.
    const options = { baseUrl: platform.base, fetch: globalThis.fetch, clock: virtualClock() }
    const expired = { accessToken: accessTokenText({ exp: 1 }), refreshToken: 'refresh-of-ada' }
    const valid = { accessToken: accessTokenText({ exp: 4e9 }), refreshToken: 'refresh-of-ada' }
    for (const asked of [
      () => newApp(options).signInWithPassword(credentialsOf(ada)),
      () => newApp({ ...options, tokens: memoryTokens(expired) }).accessToken(),
      () => newApp({ ...options, tokens: memoryTokens(valid) }).user$.get(),
    ])
      await expect(asked()).rejects.toMatchObject({
        code: 'REDIRECT_REFUSED',
        details: { from: platform.base, to: elsewhere.base },
      })
    expect(platform.seen).toEqual([
      'POST /api/v1/auth/password/sign-in',
      'POST /api/v1/auth/oauth/token',
      'GET /api/v1/users/me',
    ])
    expect(elsewhere.seen).toEqual([])
  })
})
