import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { listen, type Listening } from 'rxauth/platform/node'
import { ada, keysFor, wireWorld } from '../wire-world'

const open: Listening[] = []
afterEach(() => Promise.all(open.splice(0).map(server => server.close())))

async function overHttp() {
  const world = wireWorld()
  const server = await listen(world.platform, { port: 0 })
  open.push(server)
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/v1${path}`, {
      ...init,
      headers: { ...keysFor(world.platform, 'client'), ...(init.headers as Record<string, string>) },
    })
  return { ...world, server, send }
}

describe('a platform that listens', () => {
  it('answers the same over HTTP as in process', async () => {
    const { send, server, platform } = await overHttp()
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const signedIn = await send('/auth/password/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ada.email, password: ada.password }),
    })
    const { access_token } = (await signedIn.json()) as { access_token: string }
    const me = await send('/users/me', { headers: { 'x-stack-access-token': access_token } })
    expect(await me.json()).toMatchObject({ id: ada.id })
    const claims = JSON.parse(atob(access_token.split('.')[1]!)) as { iss: string }
    expect(claims.iss).toBe(`${server.url}/api/v1/projects/${platform.options.projectId}`)
  })

  // Promise: confirmation-age
  it('sends the time of its own clock, once', async () => {
    const { send, server, platform, clock } = await overHttp()
    await clock.advance(86_400_000)
    const expected = new Date(clock.now()).toUTCString()
    platform.faults.next('GET /users/me', { status: 503 })
    // The first is refused by a proxy, the second by the platform. A second header would be joined to the first.
    for (const status of [503, 400]) {
      const answer = await send('/users/me')
      expect([answer.status, answer.headers.get('date')]).toEqual([status, expected])
    }
    for (const path of ['/api/v1/projects/current', '/api/v1/nowhere'])
      expect((await platform.fetch(new Request(`${server.url}${path}`))).headers.get('date')).toBe(expected)
  })

  it('sends the same headers with a refusal', async () => {
    const { send } = await overHttp()
    const refused = await send('/users/me', { headers: { 'x-stack-override-error-status': 'true' } })
    expect([refused.status, refused.headers.get('x-stack-actual-status')]).toEqual([200, '400'])
    expect(refused.headers.get('x-stack-known-error')).toBe('CANNOT_GET_OWN_USER_WITHOUT_USER')
    const preflight = await send('/users/me', { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('content-type'), await preflight.text()]).toEqual([200, null, ''])
  })

  it('sends the body that a function around the platform puts in place of its own', async () => {
    const { platform } = wireWorld()
    const upper: typeof platform.fetch = async request => {
      const answer = await platform.fetch(request)
      return new Response((await answer.text()).toUpperCase(), answer)
    }
    const server = await listen({ fetch: upper }, { port: 0 })
    open.push(server)
    expect(await (await fetch(`${server.url}/health`)).text()).toBe('{"STATUS":"OK"}')
  })

  it('breaks the connection if the answer is lost', async () => {
    const { send, platform } = await overHttp()
    platform.faults.next('GET /projects/current', { loseResponse: true })
    await expect(send('/projects/current')).rejects.toThrow('fetch failed')
    expect((await send('/projects/current')).status).toBe(200)
  })

  it('stops waiting for a client that has disconnected', async () => {
    const { send, platform } = await overHttp()
    platform.faults.next('GET /projects/current', { delayMillis: 1_000_000 })
    const abort = new AbortController()
    const answer = send('/projects/current', { signal: abort.signal })
    abort.abort()
    await expect(answer).rejects.toThrow('abort')
  })

  it('names a port that is in use, and what to do', async () => {
    const { server, platform } = await overHttp()
    const port = Number(new URL(server.url).port)
    await expect(listen(platform, { port })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use: stop what listens there, or choose another port (0 takes a free one)`,
    )
  })

  it.each([
    ['', 'the host to listen on is empty: name an address such as 127.0.0.1'],
    // An address of documentation, which no machine has.
    ['203.0.113.1', '"203.0.113.1" is no address of this machine: listen on 127.0.0.1, or on 0.0.0.0'],
  ])('says why it cannot listen on "%s"', async (host, reason) => {
    await expect(listen(wireWorld().platform, { port: 0, host })).rejects.toThrow(reason)
  })

  const hasIpv6 = Object.values(networkInterfaces()).some(each => each?.some(({ address }) => address === '::1'))
  it.each(['::1', '[::1]'])('is reached at the address %s, or says that the machine does not have it', async host => {
    const listening = listen(wireWorld().platform, { port: 0, host })
    if (!hasIpv6) {
      await expect(listening).rejects.toThrow('"::1" is no address of this machine')
      return
    }
    const server = await listening
    open.push(server)
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  it('keeps idle connections for longer than clients do, since a request on a closing connection fails', async () => {
    const { send } = await overHttp()
    expect((await send('/projects/current')).headers.get('keep-alive')).toBe('timeout=65')
  })

  it('closes at once, connections that are kept alive included', async () => {
    const { server } = await overHttp()
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await new Promise(resolve => socket.once('connect', resolve))
    const ended = new Promise(resolve => socket.once('close', resolve))
    await server.close()
    await ended
    await expect(fetch(server.url)).rejects.toThrow('fetch failed')
  })
})
