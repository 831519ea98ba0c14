import { requestTokens, type CookieWrite, type RequestLike, type Tokens, type TokenStore } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { stringifyCookie } from 'next/dist/compiled/@edge-runtime/cookies'
import { CookieJar } from '../../tabs'
import { accessTokenText } from '../access-token-text'

/** As Express, Fastify and Next.js write a cookie; it throws at a domain that is none. */
const { serialize } = jest.requireActual<{ serialize(name: string, value: string, options: object): string }>(
  'next/dist/compiled/cookie',
)

const projectId = '6f7f1d05-4a4b-4d77-8b7b-7ab4b1c9b2a1'
const own = `stack-refresh-${projectId}`
const mine: Tokens = { accessToken: accessTokenText({ padding: 'x'.repeat(2_500) }), refreshToken: 'ours' }
/** Eight labels. */
const deep = 'a.b.c.d.e.f.example.com'

const names = (count: number, kind = 'custom-x') =>
  Array.from({ length: count }, (_, index) => `stack-refresh-${projectId}--${kind}${index}`)

const theirs = (token: string) => encodeURIComponent(JSON.stringify({ refresh_token: token, updated_at_millis: 1 }))

/** The text of `Set-Cookie` as in the guide. */
function cookieText({ name, value, options }: CookieWrite): string {
  const { maxAge, path, secure, domain, partitioned } = options
  const where = `Path=${path}${domain ? `; Domain=${domain}` : ''}${partitioned ? '; Partitioned' : ''}`
  return `${name}=${encodeURIComponent(value)}; Max-Age=${maxAge}; ${where}; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** The same as Next.js writes it, with a date beside the age. */
function longText({ name, value, options }: CookieWrite): string {
  return stringifyCookie({ name, value, ...options, expires: new Date(0) })
}

const bytesOf = (written: readonly CookieWrite[], text: (cookie: CookieWrite) => string) =>
  written.reduce((sum, cookie) => sum + `Set-Cookie: ${text(cookie)}\r\n`.length, 0)

/** The store of a request, and the cookies that its answer sets. */
function answered(request: RequestLike) {
  const written: CookieWrite[] = []
  const source = requestTokens(request, cookie => void written.push(cookie)) as (context: object) => TokenStore
  return { store: source({ projectId }), written }
}

/** A browser at a host: its cookies, and what an answer to its next request makes of them. */
function browserAt(host: string) {
  const jar = new CookieJar(virtualClock())
  const page = jar.on(`https://${host}/`)
  const request = () => ({ headers: { host, cookie: page.get(), 'x-forwarded-proto': 'https' } })
  return {
    jar,
    set: page.set,
    request,
    read: () => answered(request()).store.read(),
    signOut() {
      const { store, written } = answered(request())
      expect(store.replace(store.read() as Tokens | null, null)).toBe(true)
      for (const cookie of written) page.set(cookieText(cookie))
      return written
    },
  }
}

/** Where a cookie of another kit may be, as attributes. */
const places: Readonly<Record<string, (host: string) => string>> = {
  'the host': () => '',
  'the partitioned jar of the host': () => '; partitioned',
  'the host and below': host => `; domain=${host}`,
  'the parent domain': host => `; domain=${host.split('.').slice(1).join('.')}`,
  'the domain of the site': () => '; domain=example.com',
  'the partitioned jar of that domain': () => '; domain=example.com; partitioned',
}

const pairs = Object.keys(places).flatMap((one, index, all) => all.slice(index + 1).map(other => [one, other] as const))

describe('the answer to a request with many cookies of other kits', () => {
  // Promise: cookies-limited
  it.each([
    ['a sign-out', null],
    ['a renewal', { ...mine, accessToken: accessTokenText({ padding: 'x'.repeat(2_500), iat: 7 }) }],
    ['a sign-in', { ...mine, refreshToken: 'new' }],
  ])('has at most 200 headers and 40 KB, also if the session changes again: %s', (_, next) => {
    for (const all of [names(150), names(150, 'x'.repeat(400)), names(2_000), names(30, 'custom-'.padEnd(490, 'x'))]) {
      const cookie = [`${own}=ours`, ...all.map(name => `${name}=${theirs('old')}`)].join('; ')
      const { store, written } = answered({ headers: { cookie, host: deep, 'x-forwarded-proto': 'https' } })
      expect(store.replace(store.read() as Tokens, next)).toBe(true)
      const ownNames = ['stack-access', own].sort()
      expect(written.slice(0, 2).map(({ name }) => name)).toEqual(expect.arrayContaining(ownNames))
      expect(written.length).toBeGreaterThan(30)
      expect(store.replace(next, { ...mine, refreshToken: 'newer' })).toBe(true)
      expect(written.length).toBeLessThanOrEqual(200)
      for (const text of [cookieText, longText]) expect(bytesOf(written, text)).toBeLessThanOrEqual(40_000)
    }
  })

  // Promise: cookies-limited
  it('deletes each name at the host before it looks elsewhere', () => {
    for (const count of [60, 90, 150]) {
      const cookie = [`${own}=ours`, ...names(count).map(name => `${name}=${theirs('old')}`)].join('; ')
      const { store, written } = answered({ headers: { cookie, host: deep } })
      void store.replace(store.read() as Tokens, null)
      const at = (place: object) =>
        written.filter(({ options: { domain, partitioned } }) => {
          const where = { ...(domain !== undefined && { domain }), ...(partitioned && { partitioned }) }
          return JSON.stringify(where) === JSON.stringify(place)
        })
      expect(at({}).filter(({ name }) => name.includes('--'))).toHaveLength(count)
      const [first, ...others] = new Set(written.filter(({ options }) => options.domain).map(({ name }) => name))
      expect(first).toBe(names(1)[0])
      if (at({ partitioned: true }).length < count) expect(others).toEqual([])
    }
  })

  // Promise: cookies-limited
  it.each(
    pairs.flatMap(([one, other]) => ['www.example.com', 'shop.app.example.com', deep].map(host => [one, other, host])),
  )('ends the session of 20 names at %s and at %s: %s', (one, other, host) => {
    const { jar, read, set, signOut } = browserAt(host)
    set(`${own}=ours; path=/; secure`)
    for (const name of names(20))
      for (const place of [one, other]) set(`${name}=${theirs('old')}; path=/; secure${places[place]!(host)}`)
    signOut()
    expect(read()).toBeNull()
    expect(jar.all).toEqual([])
  })

  // Promise: cookies-limited
  it.each(Object.keys(places))('is followed by others that delete the rest, wherever that is: %s', place => {
    const { jar, read, set, signOut } = browserAt(deep)
    for (const name of names(110)) set(`${name}=${theirs('old')}; path=/; secure${places[place]!(deep)}`)
    let answers = 0
    for (; jar.all.length > 0; answers++) {
      const before = jar.all.length
      expect(read()).toMatchObject({ refreshToken: 'old' })
      expect(signOut().length).toBeLessThanOrEqual(200)
      expect(jar.all.length).toBeLessThan(before)
    }
    expect(answers).toBeLessThanOrEqual(110)
  })

  // Promise: cookies-limited
  it('deletes them once, and again only where its function has thrown', () => {
    const cookie = [`${own}=ours`, ...names(3).map(name => `${name}=${theirs('old')}`)].join('; ')
    let isRendering = true
    const written: string[] = []
    const source = requestTokens({ headers: { cookie, host: 'example.com' } }, ({ name }) => {
      if (isRendering) throw new Error('cookies can be set in an action only')
      written.push(name)
    }) as (context: object) => TokenStore
    const store = source({ projectId })
    void store.replace(store.read() as Tokens, null)
    isRendering = false
    void store.replace(null, mine)
    const deletions = written.filter(name => name.includes('--'))
    expect(new Set(deletions)).toEqual(new Set(names(3)))
    void store.replace(mine, null)
    expect(written.filter(name => name.includes('--'))).toEqual(deletions)
    expect(written.slice(-2)).toEqual([own, 'stack-access'])
  })

  // Promise: cookies-limited
  it.each([
    ['my_app.example.com', ['example.com']],
    ['example.com.', []],
    ['a b.example.com', ['example.com']],
    ['a;b.example.com', ['example.com']],
    [`${'x'.repeat(64)}.example.com`, ['example.com']],
    ['a..example.com', ['example.com']],
    ['münchen.de', []],
    ['[::1]:3000', []],
    ['App.Example.com:8080', ['app.example.com', 'example.com']],
  ])('begins a session at %s, though the framework refuses a text that is no domain', (host, domains) => {
    const [name = ''] = names(1)
    const set: string[] = []
    const source = requestTokens({ headers: { cookie: `${own}=ours; ${name}=${theirs('old')}`, host } }, cookie => {
      serialize(cookie.name, cookie.value, { ...cookie.options })
      set.push(cookie.options.domain ?? '')
    }) as (context: object) => TokenStore
    const store = source({ projectId })
    expect(store.replace(store.read() as Tokens, { ...mine, refreshToken: 'next' })).toBe(true)
    expect([...new Set(set)].filter(Boolean)).toEqual(domains)
  })

  // Promise: cookies-limited
  it.each(['(x)', 'a b', 'a"b', 'ü', `${'x'.repeat(500)}.`, ''])(
    'neither reads nor deletes a name that no kit has written: %j',
    kind => {
      const cookie = [`${own}=ours`, `stack-refresh-${projectId}--${kind}=${theirs('old')}`].join('; ')
      const { store, written } = answered({ headers: { cookie } })
      void store.replace(store.read() as Tokens, null)
      expect(written.map(({ name }) => name)).toEqual([own, 'stack-access'])
      const [, ofIt = ''] = cookie.split('; ')
      expect(answered({ headers: { cookie: ofIt } }).store.read()).toBeNull()
    },
  )
})
