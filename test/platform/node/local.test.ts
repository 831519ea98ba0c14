import { listen, type Listening, type ListenOptions } from 'rxauth/platform/node'
import { eventsOf } from '../console/local-world'
import { wireWorld } from '../wire-world'
import { sendRaw } from './raw'

const open: Listening[] = []
afterEach(() => Promise.all(open.splice(0).map(server => server.close())))

async function listening(options: ListenOptions = {}) {
  const world = wireWorld()
  const server = await listen(world.platform, { port: 0, ...options })
  open.push(server)
  const local = { ...server, url: server.url.replace('0.0.0.0', '127.0.0.1') }
  const { port } = new URL(server.url)
  const send = (line: string, headers: Readonly<Record<string, string>> = {}, body?: string) =>
    sendRaw(local, line, headers, body)
  return { ...world, port, server, send }
}

const session = 'POST /__local__/session'
const mails = 'GET /__local__/mails'
const json = { 'content-type': 'application/json' }

describe('the addresses for the console', () => {
  it.each([
    ['localhost', 201],
    ['app.localhost', 201],
    ['127.0.0.1', 201],
    ['[::1]', 201],
    ['192.168.1.5', 403],
    ['auth.test', 403],
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
  ])('on the host %s answers %i, on any address of the platform', async (host, status) => {
    const { send, port } = await listening({ host: '0.0.0.0', allowedHosts: ['auth.test'] })
    expect((await send(session, { ...json, host: `${host}:${port}` }, '{}')).status).toBe(status)
  })

  it.each([
    ['its own page', 'http://localhost:PORT', 201],
    ['another page of this machine', 'http://localhost:3000', 403],
    ['its own port under another name', 'http://127.0.0.1:PORT', 403],
    ['another scheme', 'https://localhost:PORT', 403],
    ['an origin that is allowed to use the keys', 'https://app.test', 403],
    ['a foreign page', 'https://evil.example', 403],
    ['a page without an origin', 'null', 403],
  ])('is for %s: %s answers %i', async (_, origin, status) => {
    const { send, port } = await listening({ allowedOrigins: ['https://app.test'] })
    const headers = { ...json, host: `localhost:${port}`, origin: origin.replace('PORT', port) }
    expect((await send(session, headers, '{}')).status).toBe(status)
  })

  it.each([{ host: 'evil.example' }, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])(
    'do not reset the platform for a foreign page or host, nor for a form: %j',
    async headers => {
      const { send, platform } = await listening()
      await platform.seed({ users: [{ email: 'grace@example.com' }] })
      const before = platform.snapshot()
      expect((await send('POST /__local__/reset', { ...json, ...headers }, '{}')).status).toBe(403)
      expect((await send('POST /__local__/reset', { 'content-type': 'text/plain' }, '{}')).status).toBe(415)
      expect(platform.snapshot()).toEqual(before)
    },
  )

  it.each([
    ['none', 200],
    ['same-origin', 200],
    ['same-site', 403],
    ['cross-site', 403],
  ])('cannot be loaded by another site: %s answers %i', async (site, status) => {
    const { send } = await listening()
    for (const dest of ['empty', 'image', 'document', 'iframe'])
      expect((await send(mails, { 'sec-fetch-site': site, 'sec-fetch-dest': dest })).status).toBe(status)
  })

  it('refuses in plain text before the platform handles the request', async () => {
    const { send, platform } = await listening()
    await platform.seed({})
    const refused = await send(session, { ...json, origin: 'https://evil.example' }, '{}')
    expect(refused.text).toBe('What the console of a local platform uses is for its own page only.')
    const { projects } = platform.snapshot() as { projects: { internal: { users: object } } }
    expect(Object.keys(projects.internal.users)).toEqual([])
  })

  it('streams events over HTTP, and releases a client that has disconnected', async () => {
    const { server, ask } = await listening()
    const leaves = new AbortController()
    const response = await fetch(`${server.url}/__local__/events`, { signal: leaves.signal })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const events = eventsOf(response)
    expect((await events.next())!.type).toBe('hello')
    await ask('GET /projects/current')
    expect((await events.until('request')).request.path).toBe('/api/v1/projects/current')
    leaves.abort()
    await expect(events.next()).rejects.toThrow('abort')
    await ask('GET /projects/current')
    const again = eventsOf(await fetch(`${server.url}/__local__/events`))
    expect((await again.next())!.type).toBe('hello')
    await server.close()
    await expect(again.next()).rejects.toThrow('terminated')
  })
})
