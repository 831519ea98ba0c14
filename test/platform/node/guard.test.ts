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

  it.each<[options: ListenOptions, host: string, status: number]>([
    [{ allowedHosts: ['Auth.test'] }, 'auth.test:8102', 200],
    [{ allowedHosts: ['Auth.test'] }, 'other.test:8102', 403],
    // Any IP address if the platform listens on all interfaces, but no name.
    [{ host: '0.0.0.0' }, '192.168.1.5:8102', 200],
    [{ host: '0.0.0.0' }, 'evil.example', 403],
  ])('with %j as %s answers %i', async (options, host, status) => {
    const { platform, send } = await listening(options)
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

  const foreign = ['https://evil.example', 'http://localhost.evil.example', 'http://127.evil.example']
  const own = ['http://localhost:3000', 'https://app.localhost', 'http://127.0.0.1:5173', 'http://[::1]:3000']
  const allowing: ListenOptions = { allowedOrigins: ['https://app.test'] }
  // It is always a client, and of a foreign origin nothing more.
  it.each<[from: Record<string, string>, status: number, options?: ListenOptions]>([
    ...[...foreign, 'capacitor://localhost', 'null'].map(
      origin => [{ origin }, 403] as [Record<string, string>, number],
    ),
    ...own.map(origin => [{ origin, 'sec-fetch-site': 'cross-site' }, 200] as [Record<string, string>, number]),
    [{ origin: 'https://app.test' }, 200, allowing],
    [{ origin: 'https://APP.test' }, 200, allowing],
    [{ origin: 'https://app.test:8443' }, 403, allowing],
    [{ origin: 'http://app.test' }, 403, allowing],
    [{ origin: 'https://evil.example' }, 403, allowing],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
    // A followed link, and a typed address.
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
    [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
    [{ 'sec-fetch-site': 'same-site' }, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{}, 200],
  ])('that sends %j: %i, with the options %j', async (from, status, options = {}) => {
    expect(await asking(from, options)).toEqual({ client: 200, guarded: all(status) })
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
