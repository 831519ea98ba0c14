import { listen, type Listening, type ListenOptions } from 'rxauth/platform/node'
import { ada, keysFor, wireWorld } from '../wire-world'
import { sendRaw } from './raw'

const open: Listening[] = []
afterEach(() => Promise.all(open.splice(0).map(server => server.close())))

async function listening(options: ListenOptions = {}) {
  const { platform } = wireWorld()
  const server = await listen(platform, { port: 0, ...options })
  open.push(server)
  const local = { ...server, url: server.url.replace('0.0.0.0', '127.0.0.1') }
  const send = (line: string, headers: Readonly<Record<string, string>>) => sendRaw(local, line, headers)
  const { port } = new URL(server.url)
  return { platform, port, send }
}

const client = 'GET /api/v1/projects/current'
const mailbox = 'GET /mailbox'
const users = 'GET /api/v1/users'

describe('the host that a request names', () => {
  // Promise: unknown-host
  it.each([
    ['localhost', 200],
    ['app.localhost', 200],
    ['127.0.0.1', 200],
    ['127.1.2.3', 200],
    ['[::1]', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['192.168.1.5', 403],
    ['auth.test', 403],
  ])('as %s answers %i', async (host, status) => {
    const { platform, port, send } = await listening()
    const seen: string[] = []
    platform.requests$.subscribe({ next: ({ path }) => seen.push(path) })
    const named = { ...keysFor(platform, 'client'), host: `${host}:${port}` }
    const answers = [await send(client, named), await send(mailbox, named), await send('GET /health', named)]
    expect(answers.map(answer => answer.status)).toEqual([status, status, status])
    expect(seen.length > 0).toBe(status === 200)
    if (status === 403) expect(answers[0]!.text).toContain('allowedHosts')
  })

  it('may be one that is configured', async () => {
    const { platform, port, send } = await listening({ allowedHosts: ['Auth.test'] })
    for (const [host, status] of [
      ['auth.test', 200],
      ['other.test', 403],
    ] as const)
      expect((await send(client, { ...keysFor(platform, 'client'), host: `${host}:${port}` })).status).toBe(status)
  })

  it('may be any IP address if the platform listens on all interfaces, but no name', async () => {
    const { platform, send } = await listening({ host: '0.0.0.0' })
    for (const [host, status] of [
      ['192.168.1.5:8102', 200],
      ['evil.example', 403],
    ] as const)
      expect((await send(client, { ...keysFor(platform, 'client'), host })).status).toBe(status)
  })

  it.each(['http://auth.test', 'auth.test:80', 'auth.test/', '', 'a b'])('is not configured as %j', async host => {
    await expect(listen(wireWorld().platform, { port: 0, allowedHosts: [host] })).rejects.toThrow('is no host')
  })
})

describe('a web page', () => {
  const internal = {
    'x-stack-access-type': 'admin',
    'x-stack-project-id': 'internal',
    'x-stack-super-secret-admin-key': 'this-super-secret-admin-key-is-for-local-development-only',
  }

  async function asking(from: Readonly<Record<string, string>>, options: ListenOptions = {}) {
    const { platform, send } = await listening(options)
    const status = async (line: string, headers: Readonly<Record<string, string>> = {}) =>
      (await send(line, { ...headers, ...from })).status
    const developer = {
      ...keysFor(platform, 'client'),
      'x-stack-development-override-key': internal['x-stack-super-secret-admin-key'],
      'x-stack-access-type': 'server',
    }
    const { accessToken } = (await platform.tokensFor(ada.email)).read()!
    return {
      client: await status(client, keysFor(platform, 'client')),
      guarded: [
        await status(mailbox),
        await status(users, keysFor(platform, 'server')),
        await status(users, keysFor(platform, 'admin')),
        await status(users, internal),
        await status(users, developer),
        await status('HEAD /__local__/changes', { authorization: `Bearer ${accessToken}` }),
      ],
    }
  }
  const all = (status: number) => Array.from({ length: 6 }, () => status)

  it.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://127.evil.example',
    'capacitor://localhost',
    'null',
  ])('of %s is a client and nothing more', async origin => {
    expect(await asking({ origin })).toEqual({ client: 200, guarded: all(403) })
  })

  it.each(['http://localhost:3000', 'https://app.localhost', 'http://127.0.0.1:5173', 'http://[::1]:3000'])(
    'of %s may do everything',
    async origin => {
      expect(await asking({ origin, 'sec-fetch-site': 'cross-site' })).toEqual({ client: 200, guarded: all(200) })
    },
  )

  it.each([
    ['https://app.test', 200],
    ['https://APP.test', 200],
    ['https://app.test:8443', 403],
    ['http://app.test', 403],
    ['https://evil.example', 403],
  ])('of %s with an option for https://app.test: %i', async (origin, status) => {
    const options = { allowedOrigins: ['https://app.test'] }
    expect(await asking({ origin }, options)).toEqual({ client: 200, guarded: all(status) })
  })

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
    // A followed link, and a typed address.
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
    [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
    [{ 'sec-fetch-site': 'same-site' }, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{}, 200],
  ])('that sends %j instead of an origin: %i', async (from, status) => {
    expect(await asking(from)).toEqual({ client: 200, guarded: all(status) })
  })

  it('of the same site as a configured host is foreign', async () => {
    const { send } = await listening({ allowedHosts: ['auth.test'] })
    const ask = async (site: string) => (await send(mailbox, { host: 'auth.test', 'sec-fetch-site': site })).status
    expect([await ask('same-site'), await ask('same-origin')]).toEqual([403, 200])
    expect((await send(mailbox, { host: 'auth.test', origin: 'http://auth.test' })).status).toBe(200)
  })

  it.each(['app.test', 'https://app.test/', '*'])('has no origin such as %j', async origin => {
    await expect(listen(wireWorld().platform, { port: 0, allowedOrigins: [origin] })).rejects.toThrow('is no origin')
  })
})
