import { cookieTokens, createClientApp, memoryTokens, rememberSession, requestTokens, storageTokens } from 'rxauth'
import type { CookieWrite, Tokens, TokenSource, TokenStore } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { cookieLine } from '../../src/session/requests/set-cookies'
import { leavePages, showPage } from '../page'
import { browser, credentialsOf } from '../tabs'
import { ada, grace, world } from '../world'

const home = 'https://app.example.com/'

function oneBrowser(options?: Parameters<typeof browser>[0]) {
  const one = browser(options)
  const inTime = async <T>(promise: Promise<T>) => {
    promise.catch(() => undefined)
    await one.clock.advance(10_000)
    return one.clock.settled(promise)
  }
  const nameOf = (name: string) => name.replace(`-${one.platform.options.projectId}`, '')
  /** How long each cookie lasts. */
  const kinds = () =>
    Object.fromEntries(one.jar.all.map(({ name, expiresAt }) => [nameOf(name), expiresAt === null ? 'brief' : 'lasts']))
  /** Another kit renews the session: its cookie lasts for a year. */
  const renewElsewhere = () => {
    const page = one.jar.on(home)
    const [, name, value] = /(stack-refresh-[^=]+)=([^;]+)/.exec(page.get()) ?? []
    page.set(`${name}=${value}; path=/; max-age=31536000; samesite=lax`)
  }
  const emailIn = async (tab: ReturnType<typeof one.tab>) => (await inTime(tab.app.user$.get()))?.primaryEmail
  return { ...one, inTime, kinds, nameOf, renewElsewhere, emailIn }
}

const brief = { 'rxauth-witness': 'brief', 'rxauth-brief': 'lasts', 'stack-access': 'brief', 'stack-refresh': 'brief' }
const lasting = { 'stack-access': 'lasts', 'stack-refresh': 'lasts' }

afterEach(leavePages)

// Promise: remember-session
describe('the choice', () => {
  it('holds for the sign-in, for refreshes of every tab, and until the sign-out', async () => {
    const { tab, inTime, kinds, clock } = oneBrowser()
    const [one, other] = [tab(), tab()]
    await inTime(rememberSession(one.app, false))
    await inTime(one.app.signInWithPassword(credentialsOf(ada)))
    expect(kinds()).toEqual(brief)
    await clock.advance(600_000)
    await inTime(other.app.accessToken())
    expect(kinds()).toEqual(brief)
    await inTime(other.app.signOut())
    expect(kinds()).toEqual({})
    await inTime(one.app.signInWithPassword(credentialsOf(ada)))
    expect(kinds()).toEqual(lasting)
  })

  it('counts for the session that is there, both ways, and a rotated refresh token keeps it', async () => {
    const { tab, inTime, kinds, clock, jar, emailIn } = oneBrowser({ rotation: { graceMillis: 0 } })
    const one = tab()
    await inTime(one.app.signInWithPassword(credentialsOf(ada)))
    expect(kinds()).toEqual(lasting)
    await inTime(rememberSession(one.app, false))
    expect(kinds()).toEqual(brief)
    await clock.advance(600_000)
    await inTime(one.app.accessToken())
    expect(kinds()).toEqual(brief)
    expect(await emailIn(tab())).toBe(ada.email)
    await inTime(rememberSession(one.app, true))
    expect(kinds()).toEqual(lasting)
    one.kill()
    jar.end()
    expect(await emailIn(tab())).toBe(ada.email)
  })

  it.each([
    ['at once', <T>(value: T) => value],
    ['later', async <T>(value: T) => Promise.resolve(value)],
  ] as const)(
    'leaves tokens that an app keeps in its own form in that form, also if it reads them %s',
    async (_, when) => {
      const { tab, inTime, jar, emailIn } = oneBrowser()
      const turned = (tokens: Tokens | null) =>
        tokens && { ...tokens, refreshToken: (tokens.refreshToken ?? '').split('').reverse().join('') }
      const own: TokenSource = context => {
        const inner = (cookieTokens() as (given: typeof context) => TokenStore)(context)
        return {
          ...inner,
          read: () => when(turned(inner.read() as Tokens | null)),
          replace: (expected, next) => inner.replace(turned(expected), turned(next)),
        }
      }
      const one = tab({ tokens: own })
      await inTime(one.app.signInWithPassword(credentialsOf(ada)))
      const refreshToken = () => /stack-refresh-[^=]+=([^;]+)/.exec(jar.on(home).get())?.[1]
      const kept = refreshToken()
      await inTime(rememberSession(one.app, false))
      expect(refreshToken()).toBe(kept)
      expect(await emailIn(tab({ tokens: own }))).toBe(ada.email)
    },
  )

  it('of a page that is left for a provider holds for the page that comes back', async () => {
    const { tab, inTime, kinds } = oneBrowser()
    const before = tab()
    await inTime(rememberSession(before.app, false))
    before.kill()
    await inTime(tab().app.signInWithPassword(credentialsOf(ada)))
    expect(kinds()).toEqual(brief)
  })

  it('is shared with subdomains as the session is', async () => {
    const { cookieTokens } = await import('rxauth')
    const { tab, inTime, jar } = oneBrowser()
    const one = tab({ tokens: cookieTokens({ domain: 'example.com' }) })
    await inTime(rememberSession(one.app, false))
    await inTime(one.app.signInWithPassword(credentialsOf(ada)))
    expect(new Set(jar.all.map(({ domain, isHostOnly }) => `${domain} ${isHostOnly}`))).toEqual(
      new Set(['example.com false']),
    )
  })
})

// Promise: remember-session
describe('a session that ends with its browser', () => {
  it('is over in the next one, also where another kit has made its cookie last, and is deleted and revoked', async () => {
    const { tab, inTime, kinds, jar, renewElsewhere, emailIn, requests, platform } = oneBrowser()
    const one = tab()
    await inTime(rememberSession(one.app, false))
    await inTime(one.app.signInWithPassword(credentialsOf(ada)))
    renewElsewhere()
    expect(await emailIn(one)).toBe(ada.email)
    const elsewhere = createClientApp({ ...platform.options, tokens: await platform.tokensFor(ada.email) })
    one.kill()
    jar.end()
    requests.length = 0
    const next = tab()
    expect(await emailIn(next)).toBeUndefined()
    expect(kinds()).toEqual({})
    expect(requests).toContain('DELETE /auth/sessions/current')
    const sessions = await inTime(elsewhere.sessions$.get())
    expect(sessions.map(({ isCurrentSession }) => isCurrentSession)).toEqual([true])
    elsewhere.dispose()
    await inTime(next.app.signInWithPassword(credentialsOf(grace)))
    expect(kinds()).toEqual(lasting)
    expect(await emailIn(next)).toBe(grace.email)
  })

  it('takes no later session of another kit with it', async () => {
    const { tab, inTime, jar, signIn, emailIn } = oneBrowser()
    const one = tab()
    await inTime(rememberSession(one.app, false))
    await inTime(one.app.signInWithPassword(credentialsOf(ada)))
    one.kill()
    jar.end()
    // As the vendor's kit writes it, which leaves the mark of the session before.
    const [mark] = jar.all
    await signIn(grace)
    jar.on(home).set(`${mark!.name}=${mark!.value}; path=/; max-age=1000`)
    expect(await emailIn(tab())).toBe(grace.email)
  })

  it('is seen in no tab between the writes of a choice', async () => {
    const { tab, inTime, platform } = oneBrowser()
    const held: (string | undefined)[] = []
    const one = tab({
      wrap: host => ({
        ...host,
        cookies: {
          get: () => host.cookies!.get(),
          set(text) {
            host.cookies!.set(text)
            held.push(requested(host.cookies!.get(), platform.options.projectId))
          },
        },
      }),
    })
    await inTime(rememberSession(one.app, false))
    await inTime(one.app.signInWithPassword(credentialsOf(ada)))
    held.length = 0
    for (const lasts of [true, false, true]) await inTime(rememberSession(one.app, lasts))
    expect(held.length).toBeGreaterThan(6)
    expect(held).not.toContain(undefined)
  })
})

/** The refresh token that a server finds in these cookies. */
function requested(cookie: string, projectId: string): string | undefined {
  const source = requestTokens({ headers: { cookie, host: 'app.example.com' } })
  const store = typeof source === 'function' ? source({ projectId } as never) : source
  return (store.read() as { readonly refreshToken?: string } | null)?.refreshToken
}

// Promise: remember-session
describe('a server', () => {
  const writes = (cookies: readonly CookieWrite[], nameOf: (name: string) => string) =>
    Object.fromEntries(cookies.map(({ name, options: { maxAge } }) => [nameOf(name), maxAge]))

  async function request(cookie: string, { platform }: Pick<ReturnType<typeof browser>, 'platform'>, given = {}) {
    const set: CookieWrite[] = []
    const server = createServerApp(platform.serverOptions)
    const headers = { cookie, ...given }
    const own = server.withTokens(requestTokens(new Request(home, { headers }), write => set.push(write)))
    return { own, set }
  }

  /** A browser whose session is over, and whose cookie another kit has kept. */
  async function overBrowser() {
    const one = oneBrowser()
    const tab = one.tab()
    await one.inTime(rememberSession(tab.app, false))
    await one.inTime(tab.app.signInWithPassword(credentialsOf(ada)))
    one.renewElsewhere()
    tab.kill()
    one.jar.end()
    return one
  }

  it('that renews the session keeps its kind', async () => {
    const one = oneBrowser()
    const { app } = one.tab()
    await one.inTime(rememberSession(app, false))
    await one.inTime(app.signInWithPassword(credentialsOf(ada)))
    await one.clock.advance(600_000)
    const { own, set } = await request(one.jar.on(home).get(), one)
    await one.inTime(own.accessToken())
    expect(writes(set, one.nameOf)).toEqual({ 'stack-access': undefined, 'stack-refresh': undefined })
  })

  it('begins a session of either kind', async () => {
    const one = oneBrowser()
    const { own, set } = await request('', one)
    await one.inTime(rememberSession(own, false))
    await one.inTime(own.signInWithPassword(credentialsOf(ada)))
    expect(writes(set, one.nameOf)).toEqual({
      'rxauth-witness': undefined,
      'rxauth-brief': 31_536_000,
      'stack-access': undefined,
      'stack-refresh': undefined,
    })
  })

  it('puts no tokens of a header into the cookies of a session that is over', async () => {
    const one = await overBrowser()
    const held = await one.platform.tokensFor(grace.email)
    const { accessToken } = held.read() as Tokens
    const { own, set } = await request(one.jar.on(home).get(), one, { authorization: `Bearer ${accessToken}` })
    expect((await one.inTime(own.user$.get()))?.primaryEmail).toBe(grace.email)
    expect(set).toEqual([])
  })

  it('ignores a session that is over, and deletes its cookies', async () => {
    const one = await overBrowser()
    const { own, set } = await request(one.jar.on(home).get(), one)
    expect(await one.inTime(own.user$.get())).toBeNull()
    expect(writes(set, one.nameOf)).toEqual({ 'rxauth-brief': 0, 'stack-access': 0, 'stack-refresh': 0 })
  })
})

// Promise: remember-session
describe('a request of a server', () => {
  const answered = (set: readonly CookieWrite[]) =>
    set.filter(({ value }) => value !== '').map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)

  it('that only chooses has an answer with the choice, which holds for the sign-in of the next one', async () => {
    const one = oneBrowser()
    const { serverOptions } = one.platform
    const asked = (cookie: string) => {
      const set: CookieWrite[] = []
      const tokens = requestTokens(new Request(home, { headers: { cookie } }), write => set.push(write))
      return { set, app: createServerApp(serverOptions).withTokens(tokens) }
    }
    const before = asked('')
    await one.inTime(rememberSession(before.app, false))
    const after = asked(answered(before.set).join('; '))
    await one.inTime(after.app.signInWithPassword(credentialsOf(ada)))
    expect(after.set.find(({ name }) => name.startsWith('stack-refresh'))?.options.maxAge).toBeUndefined()
    const unmade = asked(answered(before.set).join('; '))
    await one.inTime(rememberSession(unmade.app, true))
    expect(answered(unmade.set)).toEqual([])
    expect(unmade.set.map(({ name }) => one.nameOf(name))).toContain('rxauth-witness')
  })

  it('that signs out and in again has an answer with a session that the next request finds', async () => {
    const one = oneBrowser()
    const { app } = one.tab()
    await one.inTime(rememberSession(app, false))
    await one.inTime(app.signInWithPassword(credentialsOf(ada)))
    const page = one.jar.on(home)
    const tokens = requestTokens(new Request(home, { headers: { cookie: page.get() } }), write =>
      page.set(cookieLine(write)),
    )
    const own = createServerApp(one.platform.serverOptions).withTokens(tokens)
    await one.inTime(own.signOut())
    await one.inTime(own.signInWithPassword(credentialsOf(grace)))
    expect(one.kinds()).toEqual(lasting)
    expect(await one.emailIn(one.tab())).toBe(grace.email)
  })

  it('that signs out ends the choice', async () => {
    const one = oneBrowser()
    const set: CookieWrite[] = []
    const tokens = requestTokens(new Request(home), write => set.push(write))
    const app = createServerApp(one.platform.serverOptions).withTokens(tokens)
    await one.inTime(rememberSession(app, false))
    await one.inTime(app.signInWithPassword(credentialsOf(ada)))
    set.length = 0
    await one.inTime(app.signOut())
    expect(answered(set)).toEqual([])
    await one.inTime(app.signInWithPassword(credentialsOf(ada)))
    expect(set.map(({ options: { maxAge } }) => maxAge)).toContain(31_536_000)
    expect(answered(set).join()).not.toContain('rxauth-')
  })
})

// Promise: remember-session
describe('storageTokens(localStorage)', () => {
  function page() {
    const items = new Map<string, string>()
    const localStorage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    }
    showPage({ localStorage, location: { href: home } })
    let jar = ''
    Object.defineProperty(document, 'cookie', {
      get: () => jar,
      set: (text: string) => (jar = /max-age=0/.test(text) ? '' : text.split(';')[0]!),
    })
    return { localStorage, items, endBrowser: () => void (jar = '') }
  }

  it('has both kinds, by the same marks, and a rotated refresh token keeps the kind', async () => {
    const { clock, platform, settled, newApp } = await world({ platform: { rotation: { graceMillis: 0 } } })
    const { localStorage, items, endBrowser } = page()
    const open = () => newApp({ ...platform.options, tokens: storageTokens(localStorage) })
    const one = open()
    await settled(rememberSession(one, false))
    await settled(one.signInWithPassword(credentialsOf(ada)))
    expect((await settled(open().user$.get()))?.primaryEmail).toBe(ada.email)
    await clock.advance(600_000)
    await settled(one.accessToken())
    endBrowser()
    expect(await settled(open().user$.get())).toBeNull()
    expect([...items.keys()]).toEqual([])
    await settled(one.signInWithPassword(credentialsOf(ada)))
    endBrowser()
    expect((await settled(open().user$.get()))?.primaryEmail).toBe(ada.email)
    await settled(rememberSession(one, false))
    await settled(rememberSession(one, true))
    endBrowser()
    expect((await settled(open().user$.get()))?.primaryEmail).toBe(ada.email)
    await settled(rememberSession(one, false))
    await settled(one.signOut())
    expect([...items.keys()]).toEqual([])
    expect(document.cookie).toBe('')
  })
})

describe('rememberSession', () => {
  it('adds nothing to a token store of the app, which may be frozen', async () => {
    const { newApp } = await world()
    const store = memoryTokens()
    newApp({ tokens: store })
    expect(Object.keys(store)).toEqual(['read', 'replace'])
  })

  it('says where sessions have one kind, where no cookie is kept, and what it takes', async () => {
    const { newApp, settled } = await world()
    await expect(settled(rememberSession(newApp({ tokens: memoryTokens() }), false))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'tokens' },
    })
    const { tab, inTime } = oneBrowser()
    await expect(inTime(rememberSession(tab().app, 'no' as never))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'lasts' },
    })
    const blocked = tab({ wrap: host => ({ ...host, cookies: { get: () => '', set: () => undefined } }) })
    await expect(inTime(rememberSession(blocked.app, false))).rejects.toMatchObject({ code: 'TOKENS_UNAVAILABLE' })
  })
})
