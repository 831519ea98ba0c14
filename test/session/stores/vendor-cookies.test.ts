import { cookieTokens, createClientApp, requestTokens, type CookieWrite, type Tokens, type TokenStore } from 'rxauth'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { CookieJar } from '../../tabs'
import { ada } from '../../world'
import { accessTokenText } from '../access-token-text'

const projectId = '6f7f1d05-4a4b-4d77-8b7b-7ab4b1c9b2a1'
const page = 'https://app.example.com/'
const plain = `stack-refresh-${projectId}`
const custom = `stack-refresh-${projectId}--custom-C5RPTRBDCNQ6WY2EDHQ6W`
const mine: Tokens = { accessToken: accessTokenText(), refreshToken: 'ours' }

const before = Object.getOwnPropertyDescriptor(globalThis, 'location')
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'location')
  if (before) Object.defineProperty(globalThis, 'location', before)
})

/** The value of a newer kit's refresh cookie in a browser. */
function structured(token: unknown, at?: number): string {
  return encodeURIComponent(JSON.stringify({ refresh_token: token, updated_at_millis: at }))
}

interface Kept {
  readonly name: string
  readonly value: string
  readonly domain?: string
  readonly partitioned?: boolean
}

interface Session {
  readonly projectId: string
  readonly refreshToken: string
  readonly accessToken: string | null
  readonly at: number
}

/** The cookies of the vendor's kits of either era for a session. */
const written = ({ projectId, refreshToken, accessToken, at }: Session): (readonly [string, readonly Kept[]])[] => [
  ['2.8.18', [{ name: `stack-refresh-${projectId}`, value: refreshToken }]],
  ['2.8.86', [{ name: `__Host-stack-refresh-${projectId}--default`, value: structured(refreshToken, at) }]],
  ['2.8.86 on plain http', [{ name: `stack-refresh-${projectId}--default`, value: structured(refreshToken, at) }]],
  [
    '2.8.86 with a domain',
    [
      {
        name: `stack-refresh-${projectId}--custom-C5RPTRBDCNQ6WY2EDHQ6W`,
        value: structured(refreshToken, at),
        domain: 'example.com',
      },
    ],
  ],
  [
    '2.8.108',
    [
      { name: `__Host-hexclave-refresh-${projectId}--default`, value: structured(refreshToken, at), partitioned: true },
      { name: 'hexclave-access', value: encodeURIComponent(JSON.stringify([refreshToken, accessToken])) },
    ],
  ],
  [
    '2.8.108 with a domain',
    [
      {
        name: `hexclave-refresh-${projectId}--custom-C5RPTRBDCNQ6WY2EDHQ6W`,
        value: structured(refreshToken, at),
        domain: 'example.com',
        partitioned: true,
      },
    ],
  ],
  [
    'the same name in both jars of a browser',
    [
      { name: `__Host-stack-refresh-${projectId}--default`, value: structured(refreshToken, at) },
      { name: `__Host-stack-refresh-${projectId}--default`, value: structured(refreshToken, at), partitioned: true },
    ],
  ],
]

const left = written({ projectId, refreshToken: 'theirs', accessToken: accessTokenText(), at: 1000 })

function setAll(page: { set(cookie: string): void }, cookies: readonly Kept[]): void {
  for (const { name, value, domain, partitioned } of cookies)
    page.set(
      `${name}=${value}; path=/; secure${domain ? `; domain=${domain}` : ''}${partitioned ? '; partitioned' : ''}`,
    )
}

function visit(cookies: readonly Kept[] = [], options: { readonly domain?: string } = {}) {
  Object.defineProperty(globalThis, 'location', { value: new URL(page), configurable: true })
  const jar = new CookieJar(virtualClock())
  const ofPage = jar.on(page)
  setAll(ofPage, cookies)
  expect(jar.all).toHaveLength(cookies.length)
  const source = cookieTokens(options) as (context: object) => TokenStore
  return { jar, ofPage, store: source({ projectId, clock: virtualClock(), host: { cookies: ofPage } }) }
}

describe.each(left)("cookies of the vendor's kit, %s,", (_, cookies) => {
  // Promise: vendor-cookies
  it('are a session', () => {
    expect(visit(cookies).store.read()).toMatchObject({ refreshToken: 'theirs' })
  })

  // Promise: vendor-cookies
  it.each([{}, { domain: 'example.com' }])('are gone once tokens are written, with %j', options => {
    const { store, jar } = visit(cookies, options)
    expect(store.replace(store.read() as Tokens, mine)).toBe(true)
    expect(store.read()).toEqual(mine)
    expect(jar.all.map(({ name }) => name).sort()).toEqual(['stack-access', plain])
  })

  // Promise: vendor-cookies
  it.each([{}, { domain: 'example.com' }])('are gone after a sign-out, with %j', options => {
    const { store, jar } = visit(cookies, options)
    expect(store.replace(store.read() as Tokens, null)).toBe(true)
    expect(jar.all).toEqual([])
  })

  // Promise: vendor-cookies
  it('are read, and deleted, by a server', async () => {
    const { jar, ofPage } = visit(cookies)
    // A server that can set several cookies of one name, by appending headers.
    const write = ({ name, value, options }: CookieWrite) => {
      const { maxAge, path, secure, domain, partitioned } = options
      ofPage.set(
        `${name}=${encodeURIComponent(value)}; max-age=${maxAge}; path=${path}${secure ? '; secure' : ''}${domain ? `; domain=${domain}` : ''}${partitioned ? '; partitioned' : ''}`,
      )
    }
    const request = { headers: { cookie: ofPage.get(), host: 'app.example.com', 'x-forwarded-proto': 'https' } }
    const store = (requestTokens(request, write) as (context: object) => TokenStore)({ projectId })
    expect(await store.read()).toMatchObject({ refreshToken: 'theirs' })
    expect(await store.replace(await store.read(), mine)).toBe(true)
    expect(jar.all.map(({ name }) => name).sort()).toEqual(['stack-access', plain])
  })
})

describe('of several cookies', () => {
  const at = (name: string, token: unknown, time?: number) => ({ name, value: structured(token, time) })
  const host = `__Host-stack-refresh-${projectId}--default`
  const other = `hexclave-refresh-${projectId}--default`

  it.each<[what: string, cookies: readonly Kept[], expected: string | null]>([
    ['the newest counts', [at(host, 'old', 1000), at(custom, 'new', 3000), at(other, 'middle', 2000)], 'new'],
    ['the newest counts in any order', [at(custom, 'new', 3000), at(host, 'old', 1000)], 'new'],
    ['one without a time is older than any with one', [at(host, 'timeless'), at(other, 'timed', 1)], 'timed'],
    ['one without a time is older in any order', [at(other, 'timed', 1), at(host, 'timeless')], 'timed'],
    ['one without a time counts where there is no other', [at(host, 'timeless')], 'timeless'],
    ['a plain one was written later', [at(host, 'new', 9e15), { name: plain, value: 'plain' }], 'plain'],
    ['an empty plain one does not count', [at(host, 'new', 1), { name: plain, value: '' }], 'new'],
    ["a newer kit's counts before the oldest", [at(host, 'new', 1), { name: 'stack-refresh', value: 'oldest' }], 'new'],
    ['a broken one does not count', [{ name: host, value: '%7B' }, at(other, 'good', 1)], 'good'],
    ['one with something else than a token does not count', [at(host, 7, 9), at(other, 'good', 1)], 'good'],
    ["another project's does not count", [at('stack-refresh-another--default', 'theirs', 1)], null],
    ['a name that only begins alike does not count', [at(`${plain}-x`, 'theirs', 1)], null],
  ])('%s', (_, cookies, expected) => {
    expect(visit(cookies).store.read()).toEqual(
      expected === null ? null : { accessToken: null, refreshToken: expected },
    )
  })

  it('leaves those of other projects alone', () => {
    const foreign = at('__Host-stack-refresh-another--default', 'theirs', 1)
    const { store, jar } = visit([foreign])
    expect(store.replace(null, mine)).toBe(true)
    expect(store.replace(mine, null)).toBe(true)
    expect(jar.all.map(({ name }) => name)).toEqual([foreign.name])
  })
})

// Promise: vendor-cookies
it.each(left.map(([era], index) => [era, index] as const))(
  "a page moves from the vendor's kit, %s, to this kit and back, signed in all the while",
  async (_, index) => {
    const clock = virtualClock()
    const platform = createPlatform({ clock, wire: '2026', seed: { users: [ada] } })
    const { projectId, ...options } = platform.options
    const { refreshToken, accessToken } = (await platform.tokensFor(ada.email)).read()!
    const theirs = () => written({ projectId, refreshToken: refreshToken!, accessToken, at: clock.now() })[index]![1]
    Object.defineProperty(globalThis, 'location', { value: new URL(page), configurable: true })
    const jar = new CookieJar(clock)
    const cookies = jar.on(page)
    const names = () => jar.all.map(({ name }) => name).sort()

    setAll(cookies, theirs())
    const app = createClientApp({ ...options, projectId, tokens: cookieTokens(), host: { cookies } })
    const statuses: string[] = []
    app.auth$.subscribe(({ status }) => statuses.push(status))
    await clock.advance(0)
    expect(app.auth$.value).toMatchObject({ status: 'signed-in', user: { primaryEmail: ada.email } })
    expect(names()).toEqual(['stack-access', `stack-refresh-${projectId}`])

    // As their kit writes: all other names of the refresh token are deleted.
    cookies.set(`stack-refresh-${projectId}=; path=/; max-age=0`)
    setAll(cookies, theirs())
    await clock.advance(100)
    expect(await clock.settled(app.accessToken())).not.toBeNull()
    expect(names()).toEqual([...theirs().map(({ name }) => name), 'stack-access'].sort())
    expect(statuses).toEqual(['unknown', 'signed-in'])

    await clock.settled(app.signOut())
    expect(jar.all).toEqual([])
    expect(statuses).toEqual(['unknown', 'signed-in', 'signed-out'])
  },
)
