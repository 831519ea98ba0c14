import { cookieTokens, type Tokens, type TokenStore } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { CookieJar } from '../../tabs'
import { accessTokenText } from '../access-token-text'

const projectId = '6f7f1d05-4a4b-4d77-8b7b-7ab4b1c9b2a1'
const first: Tokens = { accessToken: accessTokenText(), refreshToken: 'refresh-1' }
const second: Tokens = { accessToken: accessTokenText({ sub: 'user-2' }), refreshToken: 'refresh-2' }

const before = Object.getOwnPropertyDescriptor(globalThis, 'location')
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'location')
  if (before) Object.defineProperty(globalThis, 'location', before)
})

/** The pages of one browser. Each call goes to a page, and returns the store of the app there. */
function visits() {
  const clock = virtualClock()
  const jar = new CookieJar(clock)
  const visit = (address: string, domain?: string): TokenStore => {
    Object.defineProperty(globalThis, 'location', { value: new URL(address), configurable: true })
    const source = cookieTokens(domain === undefined ? {} : { domain }) as (context: object) => TokenStore
    return source({ projectId, clock, host: { cookies: jar.on(address) } })
  }
  return { jar, visit }
}

interface Row {
  readonly at: string
  readonly domain?: string
  /** The pages that see the session. */
  readonly seen: readonly string[]
  readonly hidden: readonly string[]
}

const rows: readonly Row[] = [
  { at: 'https://example.com/', seen: ['https://example.com/deep/er'], hidden: ['https://app.example.com/'] },
  {
    at: 'https://app.example.com/',
    seen: ['https://app.example.com:8443/'],
    hidden: ['https://example.com/', 'https://b.app.example.com/'],
  },
  {
    at: 'https://app.example.com/',
    domain: 'example.com',
    seen: ['https://example.com/', 'https://b.example.com/'],
    hidden: ['https://example.org/', 'https://anexample.com/'],
  },
  {
    at: 'https://app.example.com/',
    domain: 'app.example.com',
    seen: ['https://b.app.example.com/'],
    hidden: ['https://example.com/'],
  },
  {
    at: 'https://pr-7.preview.example.com/',
    domain: 'preview.example.com',
    seen: ['https://pr-8.preview.example.com/'],
    hidden: ['https://example.com/', 'https://app.example.com/'],
  },
  { at: 'https://pr-7.preview.example.com/', seen: [], hidden: ['https://pr-8.preview.example.com/'] },
  // A cookie set on https is not sent on http; one set on http on this machine has to work in Safari too: not secure.
  { at: 'https://app.example.com/', seen: [], hidden: ['http://app.example.com/'] },
  { at: 'http://localhost:3000/', seen: ['http://localhost:8102/'], hidden: ['http://127.0.0.1:3000/'] },
  { at: 'http://127.0.0.1:3000/', seen: ['http://127.0.0.1:3000/'], hidden: ['http://localhost:3000/'] },
]

describe('the pages that see a session', () => {
  it.each(rows)('of $at, domain $domain', ({ at, domain, seen, hidden }) => {
    const { jar, visit } = visits()
    expect(visit(at, domain).replace(null, first)).toBe(true)
    expect(jar.all.map(({ isSecure }) => isSecure)).toEqual(Array(2).fill(at.startsWith('https:')))
    for (const address of [at, ...seen]) expect([address, visit(address).read()]).toEqual([address, first])
    for (const address of hidden) expect([address, visit(address).read()]).toEqual([address, null])
    expect(visit(at, domain).replace(first, null)).toBe(true)
    expect(jar.all).toEqual([])
  })
})

it('a page that shares no session of its own leaves the shared one to the others when it refreshes', () => {
  const { jar, visit } = visits()
  const [shared, alone] = ['https://www.example.com/', 'https://app.example.com/']
  void visit(shared, 'example.com').replace(null, first)
  const refreshed = { ...first, accessToken: accessTokenText({ iat: 7 }) }
  expect(visit(alone).replace(first, refreshed)).toBe(true)
  expect(visit(alone).read()).toEqual(refreshed)
  expect(visit(shared).read()).toEqual({ ...first, accessToken: null })
  expect(visit(alone).replace(refreshed, null)).toBe(true)
  expect(jar.all).toEqual([])
})

describe('a copy left by another domain option', () => {
  const at = 'https://app.example.com/'
  const options = [undefined, 'example.com', 'app.example.com']

  it.each(options.flatMap(was => options.map(is => [was, is] as const)))(
    'of %s, now %s: neither hides a refresh, nor comes back after a sign-out',
    (was, is) => {
      const { jar, visit } = visits()
      expect(visit(at, was).replace(null, first)).toBe(true)
      const refreshed = { ...first, accessToken: accessTokenText({ iat: 7 }) }
      expect(visit(at, is).replace(first, refreshed)).toBe(true)
      expect(visit(at, is).read()).toEqual(refreshed)
      expect(visit(at, is).replace(refreshed, second)).toBe(true)
      expect(visit(at, is).read()).toEqual(second)
      expect(visit(at, is).replace(second, null)).toBe(true)
      expect(jar.all).toEqual([])
    },
  )

  it.each(options.flatMap(was => options.map(is => [was, is] as const)))(
    'of %s, now %s: is gone after a sign-out at once',
    (was, is) => {
      const { jar, visit } = visits()
      void visit(at, was).replace(null, first)
      expect(visit(at, is).replace(first, null)).toBe(true)
      expect(jar.all).toEqual([])
    },
  )

  it.each(['.example.com', 'Example.COM', ''])('is not a cookie that "%s" itself has written, in any spelling', is => {
    const { jar, visit } = visits()
    void visit(at, 'app.example.com').replace(null, first)
    expect(visit(at, is).replace(first, second)).toBe(true)
    expect(visit(at, is).read()).toEqual(second)
    const written = is === '' ? { domain: 'app.example.com', isHostOnly: true } : { domain: 'example.com' }
    expect(jar.all).toEqual(Array(2).fill(expect.objectContaining(written)))
  })
})

it('a write of another tab during a write is not taken for such a copy', () => {
  const { jar, visit } = visits()
  const at = 'https://app.example.com/'
  const other = visit(at)
  void other.replace(null, first)
  const cookies = jar.on(at)
  let isOthersTurn = true
  const source = cookieTokens() as (context: object) => TokenStore
  const store = source({
    projectId,
    clock: virtualClock(),
    host: {
      cookies: {
        get: cookies.get,
        set(text: string) {
          cookies.set(text)
          if (!text.startsWith('stack-refresh') || !isOthersTurn) return
          isOthersTurn = false
          void other.replace(other.read() as Tokens, second)
        },
      },
    },
  })
  expect(store.replace(first, { ...first, accessToken: accessTokenText({ iat: 7 }) })).toBe(false)
  expect([store.read(), other.read()]).toEqual([second, second])
})
