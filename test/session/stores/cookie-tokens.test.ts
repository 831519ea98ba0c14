import { cookieTokens, type Host, type Tokens, type TokenStore } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { BehaviorSubject } from 'rxjs'
import { CookieJar } from '../../tabs'
import { accessTokenText } from '../access-token-text'
import { projectId, tokens } from '../cookie-world'

const refreshName = `stack-refresh-${projectId}`

const home = 'https://app.example.com/'

const others: Tokens = { accessToken: accessTokenText({ sub: 'user-2' }), refreshToken: 'refresh-2' }

const year = 31_536_000_000

const day = 86_400_000

interface Options {
  readonly domain?: string
  readonly address?: string
  readonly visible$?: BehaviorSubject<boolean>
  readonly location?: string
}

function page({ domain, address = home, visible$ }: Options = {}) {
  const clock = virtualClock()
  const jar = new CookieJar(clock)
  const calls = { reads: 0, writes: [] as string[] }
  const real = jar.on(address)
  const cookies = {
    get() {
      calls.reads++
      return real.get()
    },
    set(text: string) {
      calls.writes.push(text)
      real.set(text)
    },
  }
  const open = (): TokenStore => {
    const source = cookieTokens(domain === undefined ? {} : { domain })
    const host: Host = { cookies, ...(visible$ && { visible$ }) }
    return (source as Exclude<typeof source, TokenStore>)({ projectId, clock, host })
  }
  const names = () => calls.writes.map(text => text.slice(0, text.indexOf('=')))
  return { clock, jar, calls, cookies: real, store: open(), open, names }
}

/** As the vendor's kit writes in a browser: js-cookie 3, only `path=/` and `expires`. */
function vendorWrites(cookies: NonNullable<Host['cookies']>, { accessToken, refreshToken }: Tokens): void {
  const encode = (value: string) =>
    encodeURIComponent(value).replace(/%(2[346BF]|3[AC-F]|40|5[BDE]|60|7[BCD])/g, decodeURIComponent)
  const expires = (millis: number) => new Date(Date.UTC(2026, 0, 1) + millis).toUTCString()
  cookies.set(`${refreshName}=${encode(refreshToken!)}; expires=${expires(year)}; path=/`)
  cookies.set(`stack-access=${encode(JSON.stringify([refreshToken, accessToken]))}; expires=${expires(day)}; path=/`)
}

/** As the vendor's kit reads. */
function vendorReads(cookies: NonNullable<Host['cookies']>): Tokens {
  const jar = new Map(
    cookies
      .get()
      .split('; ')
      .map(part => [part.slice(0, part.indexOf('=')), decodeURIComponent(part.slice(part.indexOf('=') + 1))]),
  )
  const refreshToken = jar.get(refreshName) ?? jar.get('stack-refresh') ?? null
  const pair = jar.get('stack-access')
  const [owner, accessToken] = pair?.startsWith('["') ? (JSON.parse(pair) as string[]) : []
  return { refreshToken, accessToken: owner === refreshToken ? (accessToken ?? null) : null }
}

describe('names, values and attributes', () => {
  it('keeps the refresh token a year and the pair a day, for the whole site, lax', () => {
    const { jar, store } = page()
    expect(store.replace(null, tokens)).toBe(true)
    const shared = {
      domain: 'app.example.com',
      isHostOnly: true,
      path: '/',
      isSecure: false,
      isPartitioned: false,
      partition: '',
    }
    expect(jar.all).toEqual([
      {
        ...shared,
        name: 'stack-access',
        value: `[%22refresh/1+=%22%2C%22${tokens.accessToken}%22]`,
        expiresAt: Date.UTC(2026, 0, 1) + day,
      },
      { ...shared, name: refreshName, value: 'refresh/1+=', expiresAt: Date.UTC(2026, 0, 1) + year },
    ])
  })

  it('writes max-age 31536000 and 86400, path=/ and samesite=lax', () => {
    const { calls, store } = page()
    void store.replace(null, tokens)
    expect(calls.writes.map(text => text.slice(text.indexOf(';')))).toEqual([
      '; path=/; max-age=86400; samesite=lax',
      '; path=/; max-age=31536000; samesite=lax',
    ])
  })

  it('says secure on https, when it sets and when it deletes', () => {
    const { calls, store } = page()
    const before = Object.getOwnPropertyDescriptor(globalThis, 'location')
    Object.defineProperty(globalThis, 'location', { value: { protocol: 'https:' }, configurable: true })
    try {
      void store.replace(null, tokens)
      void store.replace(tokens, null)
    } finally {
      Reflect.deleteProperty(globalThis, 'location')
      if (before) Object.defineProperty(globalThis, 'location', before)
    }
    expect(calls.writes).toHaveLength(4)
    for (const write of calls.writes) expect(write).toMatch(/; secure$/)
  })

  it('takes over a session of the vendor’s kit', () => {
    const { cookies, store } = page()
    vendorWrites(cookies, tokens)
    expect(store.read()).toEqual(tokens)
  })

  it('writes a session that the vendor’s kit takes over', () => {
    const { cookies, store } = page()
    void store.replace(null, tokens)
    expect(vendorReads(cookies)).toEqual(tokens)
  })

  it('signs a session of the vendor out for both', () => {
    const { cookies, jar, store } = page()
    vendorWrites(cookies, tokens)
    expect(store.replace(tokens, null)).toBe(true)
    expect(jar.all).toEqual([])
  })

  it('keeps an access token without refresh token', () => {
    const { open, store } = page()
    const alone = { ...tokens, refreshToken: null }
    void store.replace(null, alone)
    expect(open().read()).toEqual(alone)
  })

  it('keeps a refresh token without access token, and drops the pair that belonged to another', () => {
    const { jar, store } = page()
    void store.replace(null, tokens)
    const alone = { accessToken: null, refreshToken: 'refresh-3' }
    void store.replace(tokens, alone)
    expect(store.read()).toEqual(alone)
    expect(jar.all.map(({ name }) => name)).toEqual([refreshName])
  })

  it('reads the right cookies among others, with broken percent sequences and without values', () => {
    const { cookies, store } = page()
    for (const text of ['a=%E0%A4%A', 'stack-refresh-other=x', 'flag', '=y']) cookies.set(`${text}; path=/`)
    void store.replace(null, tokens)
    expect(store.read()).toEqual(tokens)
  })

  it('keeps projects of one site apart, though they share the pair cookie', () => {
    const { clock, cookies, store } = page()
    const source = cookieTokens() as (context: object) => TokenStore
    const other = source({ projectId: 'other', clock, host: { cookies } })
    void store.replace(null, tokens)
    void other.replace(null, others)
    expect(store.read()).toEqual({ accessToken: null, refreshToken: tokens.refreshToken })
    expect(other.read()).toEqual(others)
  })
})

describe('the pair', () => {
  it.each([
    ['of another refresh token', JSON.stringify(['refresh-0', tokens.accessToken])],
    ['bare, as old kits wrote it', tokens.accessToken!],
    ['that is no JSON', '["refresh'],
    ['without access token', JSON.stringify([tokens.refreshToken])],
    ['with a number', JSON.stringify([tokens.refreshToken, 7])],
  ])('is ignored %s', (_, value) => {
    const { cookies, store } = page()
    cookies.set(`${refreshName}=${encodeURIComponent(tokens.refreshToken!)}; path=/`)
    cookies.set(`stack-access=${encodeURIComponent(value)}; path=/`)
    expect(store.read()).toEqual({ accessToken: null, refreshToken: tokens.refreshToken })
  })

  // Promise: cookie-order
  it('is written before the refresh token and deleted after it', () => {
    const { names, store } = page()
    void store.replace(null, tokens)
    void store.replace(tokens, null)
    expect(names()).toEqual(['stack-access', refreshName, refreshName, 'stack-access'])
  })

  // Promise: cookie-order
  it('never shows tokens of two sessions to a reader between the two writes', () => {
    const { cookies, open, store } = page()
    void store.replace(null, tokens)
    const seen: unknown[] = []
    const { set } = cookies
    cookies.set = text => {
      set(text)
      seen.push(open().read())
    }
    void store.replace(tokens, others)
    void store.replace(others, null)
    expect(seen).toEqual([{ accessToken: null, refreshToken: tokens.refreshToken }, others, null, null])
  })

  it('is left out, and an older one dropped, if it is too long for a cookie', () => {
    const { jar, store } = page()
    void store.replace(null, tokens)
    const long = { ...tokens, accessToken: accessTokenText({ more: 'x'.repeat(4000) }) }
    expect(store.replace(tokens, long)).toBe(true)
    expect(jar.all.map(({ name }) => name)).toEqual([refreshName])
    expect(store.read()).toEqual({ accessToken: null, refreshToken: tokens.refreshToken })
  })
})

describe('the cookie of older kits, stack-refresh', () => {
  const legacy = { accessToken: null, refreshToken: 'legacy-1' }

  it('is read if there is none of the project', () => {
    const { cookies, store } = page()
    cookies.set('stack-refresh=legacy-1; path=/')
    expect(store.read()).toEqual(legacy)
    void store.replace(legacy, tokens)
    cookies.set('stack-refresh=legacy-1; path=/')
    expect(store.read()).toEqual(tokens)
  })

  it.each([
    ['taken over', tokens],
    ['signed out', null],
  ])('is deleted when its session is %s', (_, next) => {
    const { cookies, jar, store } = page()
    cookies.set('stack-refresh=legacy-1; path=/')
    expect(store.replace(legacy, next)).toBe(true)
    expect(jar.all.map(({ name }) => name)).not.toContain('stack-refresh')
    expect(store.read()).toEqual(next)
  })

  it('is left to an older app of the site while the project has a session of its own, and deleted with that', () => {
    const { cookies, jar, store } = page()
    const others = () => jar.all.filter(({ name }) => name === 'stack-refresh').map(({ value }) => value)
    void store.replace(null, tokens)
    cookies.set('stack-refresh=of-another-app; path=/')
    const refreshed = { ...tokens, accessToken: accessTokenText({ iat: 1 }) }
    expect(store.replace(tokens, refreshed)).toBe(true)
    expect(others()).toEqual(['of-another-app'])
    expect(store.replace(refreshed, null)).toBe(true)
    expect([store.read(), others()]).toEqual([null, []])
  })

  it('is deleted when an access token alone replaces the session: it would be read as its refresh token', () => {
    const { cookies, store } = page()
    void store.replace(null, tokens)
    cookies.set('stack-refresh=of-another-app; path=/')
    const alone = { ...tokens, refreshToken: null }
    expect(store.replace(tokens, alone)).toBe(true)
    expect(store.read()).toEqual(alone)
  })
})

describe('domain', () => {
  it('shares the session with the subdomains, and deletes it for all of them', () => {
    const { jar, open, store } = page({ domain: 'example.com' })
    void store.replace(null, tokens)
    expect(jar.all.map(({ domain, isHostOnly }) => ({ domain, isHostOnly }))).toEqual(
      Array(2).fill({ domain: 'example.com', isHostOnly: false }),
    )
    expect(jar.on('https://www.example.com/').get()).toContain(refreshName)
    void open().replace(tokens, null)
    expect(jar.all).toEqual([])
  })

  it('loses its invisible ends, as a variable may have them: a browser drops a cookie with a line break', () => {
    const { calls, store } = page({ domain: '\uFEFF.Example.com\u200B\r\n' })
    expect(store.replace(null, tokens)).toBe(true)
    expect(calls.writes.filter(text => text.endsWith('; domain=example.com')).length).toBeGreaterThan(1)
    expect(() => cookieTokens({ domain: '"example.com"' })).toThrow(/domain is in quotes/)
    expect(() => cookieTokens({ domain: 5 as never })).toThrow(/domain takes text/)
  })

  it('replaces cookies of the host alone, so that none outlives a refresh or a sign-out', () => {
    const { cookies, jar, store } = page({ domain: 'example.com' })
    vendorWrites(cookies, tokens)
    const refreshed = { ...tokens, accessToken: accessTokenText({ iat: 1 }) }
    expect(store.replace(tokens, refreshed)).toBe(true)
    expect(store.read()).toEqual(refreshed)
    expect(store.replace(refreshed, null)).toBe(true)
    expect(jar.all).toEqual([])
  })

  it('does not report as written what the browser refuses', () => {
    const { store } = page({ domain: 'elsewhere.example' })
    expect(store.replace(null, tokens)).toBe(false)
  })
})

describe('compare-and-set', () => {
  it('refuses, and writes nothing, if another session is in the cookies', () => {
    const { calls, store } = page()
    void store.replace(null, tokens)
    calls.writes.length = 0
    expect(store.replace(others, null)).toBe(false)
    expect(store.replace(null, others)).toBe(false)
    expect(calls.writes).toEqual([])
  })

  it('refuses malformed tokens and writes nothing', () => {
    const { calls, store } = page()
    expect(() => store.replace(null, { accessToken: 'undefined', refreshToken: null })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    )
    expect(calls.writes).toEqual([])
  })
})

it('throws when it is used outside a browser, not when it is made', () => {
  const source = cookieTokens() as (context: object) => TokenStore
  const store = source({ projectId, clock: virtualClock(), host: {} })
  const refused = expect.objectContaining({
    code: 'TOKENS_UNAVAILABLE',
    message: expect.stringContaining('requestTokens'),
  })
  expect(() => store.read()).toThrow(refused)
  expect(() => store.replace(null, tokens)).toThrow(refused)
})

describe('the poll', () => {
  it.each([
    [99, 0],
    [100, 1],
  ])('%i ms after a change by another writer it has emitted %i times', async (millis, times) => {
    const { clock, open, store } = page()
    let told = 0
    const watching = store.changes$!.subscribe(() => told++)
    void open().replace(null, tokens)
    await clock.advance(millis)
    expect(told).toBe(times)
    watching.unsubscribe()
  })

  it('emits once per change, not once per read', async () => {
    const { clock, open, store } = page()
    let told = 0
    const watching = store.changes$!.subscribe(() => told++)
    void open().replace(null, tokens)
    await clock.advance(1000)
    expect(told).toBe(1)
    watching.unsubscribe()
  })

  it('emits nothing after reads of cookies that are as before', async () => {
    const { clock, store } = page()
    void store.replace(null, tokens)
    let told = 0
    const watching = store.changes$!.subscribe(() => told++)
    void store.read()
    await clock.advance(1000)
    expect(told).toBe(0)
    watching.unsubscribe()
  })

  it('reads ten times a second while watched, never writes, and not at all before and after', async () => {
    const { calls, clock, store } = page()
    await clock.advance(1000)
    expect(calls.reads).toBe(0)
    const watching = store.changes$!.subscribe()
    calls.reads = 0
    await clock.advance(1000)
    expect(calls.reads).toBe(10)
    watching.unsubscribe()
    await clock.advance(1000)
    expect(calls).toEqual({ reads: 10, writes: [] })
  })

  it('and all reads of the store write no cookie: no marker, no renewed attribute', async () => {
    const { calls, clock, jar, store } = page()
    void store.replace(null, tokens)
    const written = calls.writes.length
    const watching = store.changes$!.subscribe(() => void store.read())
    for (let second = 0; second < 10; second++) {
      await clock.advance(1000)
      expect(store.read()).toEqual(tokens)
    }
    expect([calls.writes.length - written, jar.all.map(({ name }) => name)]).toEqual([0, ['stack-access', refreshName]])
    watching.unsubscribe()
  })

  it('pauses while the page is hidden and reads at once when it is shown again', async () => {
    const visible$ = new BehaviorSubject(true)
    const { calls, clock, open, store } = page({ visible$ })
    let told = 0
    const watching = store.changes$!.subscribe(() => told++)
    visible$.next(false)
    void open().replace(null, tokens)
    calls.reads = 0
    await clock.advance(1000)
    expect([calls.reads, told]).toEqual([0, 0])
    visible$.next(true)
    expect([calls.reads, told]).toEqual([1, 1])
    await clock.advance(1000)
    expect(calls.reads).toBe(11)
    watching.unsubscribe()
    expect(visible$.observed).toBe(false)
  })

  it('begins paused on a page that is hidden', async () => {
    const { calls, clock, store } = page({ visible$: new BehaviorSubject(false) })
    const watching = store.changes$!.subscribe()
    calls.reads = 0
    await clock.advance(1000)
    expect(calls.reads).toBe(0)
    watching.unsubscribe()
  })
})
