import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { createClientApp, memoryTokens, orThrow } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { listen, type Listening } from 'rxauth/platform/node'
import { isLoopbackAddress } from '../../../src/platform/node/guard'
import { leavePages, showPage } from '../../page'
import { sendRaw } from '../node/raw'
import { toAnswer } from '../wire-world'

const ada = { email: 'ada@example.com', displayName: 'Ada', password: 'correct horse' }
const alan = { email: 'alan@example.com', totpSecret: 'bG9jYWwgc2VjcmV0' }
const home = 'http://localhost:3000/notes?filter=all#top'

const closing: { close(): unknown }[] = []
afterEach(async () => {
  leavePages()
  for (const each of closing.splice(0)) await each.close()
})

function world(options: Parameters<typeof createPlatform>[0] = {}) {
  const domains = [{ domain: 'https://app.example.com', handlerPath: '/auth' }]
  const platform = createPlatform({
    seed: { users: [ada, alan, { displayName: 'No address' }], project: { config: { domains } } },
    ...options,
  })
  closing.push({ close: () => platform.dispose() })
  const get = async (path: string, init?: RequestInit) =>
    toAnswer(await platform.fetch(new Request(`${platform.options.baseUrl}${path}`, { redirect: 'manual', ...init })))
  /** Where `/as` leads for this person. */
  const linkFor = async (user: string, to = home) =>
    (await get(`/as/${user}?${new URLSearchParams({ to }).toString()}`)).headers.get('location') ?? ''
  return { platform, get, linkFor }
}

/** The app's magic-link page at this address. */
async function openLink({ platform }: Pick<ReturnType<typeof world>, 'platform'>, href: string) {
  showPage({ location: { href } })
  const app = createClientApp({ ...platform.options, tokens: memoryTokens() })
  const result = await app.signInWithMagicLink({ code: new URL(href).searchParams.get('code') ?? '' })
  const email = (await app.user$.get())?.primaryEmail
  app.dispose()
  return { result, email }
}

// Promise: sign-in-as
describe('the address of a person', () => {
  it('asks for no second factor, and takes the id and another case of the address', async () => {
    const one = world()
    expect((await openLink(one, await one.linkFor(alan.email))).email).toBe(alan.email)
    expect((await openLink(one, await one.linkFor('ADA%40example.com'))).email).toBe(ada.email)
    const { result } = await openLink(one, await one.linkFor(ada.email))
    const id = result.ok ? result.value.userId : ''
    expect((await openLink(one, await one.linkFor(id))).email).toBe(ada.email)
  })

  it('uses the handler path of a trusted domain', async () => {
    const link = new URL(await world().linkFor(ada.email, 'https://app.example.com/notes'))
    expect(link.origin + link.pathname).toBe('https://app.example.com/auth/magic-link-callback')
    expect(link.searchParams.get('after_auth_return_to')).toBe('https://app.example.com/notes')
  })

  const hosts = ['//evil.example', 'https://evil.example', '@evil.example', '\\\\evil.example']
  it.each(hosts)('stays at the app, whatever its handler path is: %s', async handlerPath => {
    const domains = [{ domain: 'https://app.example.com', handlerPath }]
    const one = world({ seed: { users: [ada], project: { config: { domains } } } })
    expect(new URL(await one.linkFor(ada.email, 'https://app.example.com/')).origin).toBe('https://app.example.com')
  })

  it('means the person who signs in with it, else whose it is, and not one who has only noted it', async () => {
    const one = world({ seed: { users: [] } })
    const server = createServerApp(one.platform.serverOptions)
    closing.push({ close: () => server.dispose() })
    const grace = orThrow(await server.createUser({ primaryEmail: 'grace@example.com' }))
    await server.createContactChannelById({ userId: grace.id, value: ada.email })
    const meant = async () => (await openLink(one, await one.linkFor(ada.email))).result
    expect(await meant()).toMatchObject({ value: { userId: grace.id } })
    for (const primaryEmailAuthEnabled of [false, true]) {
      const { id } = orThrow(await server.createUser({ primaryEmail: ada.email, primaryEmailAuthEnabled }))
      expect(await meant()).toMatchObject({ value: { userId: id } })
    }
  })

  it.each([
    'https://evil.example/',
    'https://app.example.com.evil.example/',
    'https://app.example.com@evil.example/',
    '//evil.example/',
    '/notes',
    'javascript:alert(1)//localhost',
    'http://localhost:3000@evil.example/',
  ])('is refused for the page %s, with the reason and without a code', async to => {
    const { get } = world()
    const { status, headers, text } = await get(`/as/${ada.email}?${new URLSearchParams({ to }).toString()}`)
    expect([status, headers.get('location')]).toEqual([400, null])
    expect(text).toMatch(/does not trust|is no address/)
  })

  it('of an unknown person is 404 with the nearest one', async () => {
    const { status, text } = await world().get('/as/ad@example.com')
    expect(status).toBe(404)
    expect(text).toContain('"ad@example.com"')
    expect(text).toContain('Did you mean ada@example.com?')
    expect((await world().get('/as/%E0%A4%A')).status).toBe(404)
  })

  it('of an unknown person is compared with a thousand others, and a long text with none', async () => {
    const users = Array.from({ length: 1001 }, (_, index) => ({ email: `${index}.user@example.com` }))
    const { get } = world({ seed: { users } })
    expect((await get('/as/999.usr@example.com')).text).toContain('Did you mean 999.user@example.com?')
    expect((await get('/as/1000.usr@example.com')).text).not.toContain('Did you mean 1000.')
    const min = jest.spyOn(Math, 'min')
    expect((await get(`/as/${'x'.repeat(200)}`)).status).toBe(404)
    expect(min.mock.calls.length).toBeLessThan(1000)
    min.mockRestore()
  })

  it('is made in process, too, and rejects as it is refused', async () => {
    const { platform } = world()
    const link = await platform.signInLink(ada.email, { to: home })
    expect((await openLink({ platform }, link)).email).toBe(ada.email)
    await expect(platform.signInLink('lin@example.com', { to: home })).rejects.toThrow('No user has')
    await expect(platform.signInLink(ada.email, { to: 'https://evil.example' })).rejects.toThrow('does not trust')
  })
})

// Promise: sign-in-as
it('the list has the address of each person, which works as it stands', async () => {
  const one = world()
  const { status, headers, text } = await one.get('/as?to=http://localhost:5173/')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const lines = text.split('\n').filter(line => line.startsWith('http'))
  expect(lines).toHaveLength(3)
  const { pathname, search } = new URL(lines[0]!)
  const { headers: found } = await one.get(pathname + search)
  expect((await openLink(one, found.get('location') ?? '')).email).toBe(ada.email)
})

// Promise: sign-in-as
describe('over HTTP', () => {
  /** An app that has the pages of these paths. */
  async function app(...pages: string[]) {
    const seen: string[] = []
    const server = createServer(({ url = '' }, answer) => {
      seen.push(url)
      answer.statusCode = pages.includes(url.split('?')[0] ?? '') ? 200 : 404
      answer.end()
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const close = () => new Promise(done => server.close(done))
    closing.push({ close })
    return { to: `http://localhost:${(server.address() as AddressInfo).port}/`, seen, close }
  }

  async function served(options: Parameters<typeof listen>[1] = {}) {
    const { platform } = world()
    const server = await listen(platform, { port: 0, ...options })
    closing.push(server)
    const local: Listening = { ...server, url: server.url.replace('0.0.0.0', '127.0.0.1') }
    const { port } = new URL(server.url)
    const host = `localhost:${port}`
    const ask = (to: string, headers: Readonly<Record<string, string>> = {}) =>
      sendRaw(local, `GET /as/${ada.email}?${new URLSearchParams({ to }).toString()}`, { host, ...headers })
    return { ask, slash: () => sendRaw(local, `GET /as/${ada.email}/`, { host }) }
  }

  const page = '/handler/magic-link-callback'

  it('leads to the app, which is asked for the page without the code', async () => {
    const { ask } = await served()
    const { to, seen } = await app(page)
    const { status, headers } = await ask(to)
    expect(status).toBe(303)
    expect(headers['location']).toContain('code=')
    expect(headers['cache-control']).toBe('no-store')
    expect(seen).toEqual([page])
  })

  it('leads to an app whose certificate Node does not know, or that ends the connection', async () => {
    const { ask } = await served()
    const server = createTcpServer(socket => socket.destroy())
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    closing.push(server)
    const { port } = server.address() as AddressInfo
    expect((await ask(`https://localhost:${port}/`)).status).toBe(303)
  })

  const crossSite = { 'sec-fetch-site': 'cross-site' }

  it('says which page the app lacks, and where no app is', async () => {
    const { ask } = await served()
    const { to, close } = await app('/')
    const lacking = await ask(to)
    expect(lacking.status).toBe(502)
    expect(lacking.text).toContain(page)
    expect(lacking.text).toMatch(/in React "npx rxauth add sign-in" writes it, and docs\/magic-link\.md/)
    await close()
    const gone = await ask(to)
    expect(gone.status).toBe(502)
    expect(gone.text).toContain('No app answers')
  })

  it.each([
    ['a host of another name', { host: 'evil.example' }],
    ['an allowed host that is not this machine', { host: 'auth.test' }],
    ['an address of the network', { host: '192.168.1.5' }],
    ['a link of another site', { ...crossSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    ['an image of another site', { ...crossSite, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a request of a foreign page', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
  ])('is refused for %s', async (_what, headers) => {
    const { ask } = await served({ host: '0.0.0.0', allowedHosts: ['auth.test'] })
    const { to, seen } = await app(page)
    expect((await ask(to, headers as Record<string, string>)).status).toBe(403)
    expect(seen).toEqual([])
  })

  it.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['192.168.1.5', false],
    ['::ffff:192.168.1.5', false],
    ['fe80::1', false],
    [undefined, false],
  ])('knows by its address whether %s is of this machine, whatever host it names', (address, isOwn) => {
    expect(isLoopbackAddress(address)).toBe(isOwn)
  })

  it.each([{ 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-site' }, { host: '127.0.0.1' }, {}])(
    'works with %j',
    async headers => {
      const { ask } = await served()
      expect((await ask((await app(page)).to, headers as Record<string, string>)).status).toBe(303)
    },
  )
})
