import { cookieTokens, createClientApp, rememberSession, requestTokens } from 'rxauth'
import type { AuthError, ClientApp, CookieWrite, Tokens, TokenStore } from 'rxauth'
import { asUser, createServerApp, currentUser, withSession } from 'rxauth/server'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { CookieJar, credentialsOf } from '../../tabs'
import { ada } from '../../world'
import { accessTokenText } from '../access-token-text'

const frame = 'https://app.example.com/'
const shop = 'https://shop.example.org/'
const blog = 'https://blog.example.net/'

const before = Object.getOwnPropertyDescriptor(globalThis, 'location')
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'location')
  if (before) Object.defineProperty(globalThis, 'location', before)
})

/** One browser, in which pages of the app are in windows of several sites. */
function windows() {
  const clock = virtualClock()
  const platform = createPlatform({ clock, seed: { users: [ada] } })
  const jar = new CookieJar(clock)
  const requests: string[] = []
  platform.requests$.subscribe(({ method, path }) => requests.push(`${method} ${path}`))
  const visit = (address: string) =>
    void Object.defineProperty(globalThis, 'location', { value: new URL(address), configurable: true })
  const texts: string[] = []
  const page = (
    around: string,
    options: Parameters<typeof cookieTokens>[0] = { partitioned: true },
    address = frame,
  ) => {
    visit(address)
    const { get, set } = jar.on(address, around)
    const write = (text: string) => {
      texts.push(text)
      set(text)
    }
    return createClientApp({
      ...platform.options,
      tokens: cookieTokens(options),
      host: { cookies: { get, set: write } },
      onUnhandled: () => undefined,
    })
  }
  const inTime = async <T>(promise: Promise<T>) => {
    promise.catch(() => undefined)
    await clock.advance(10_000)
    return clock.settled(promise)
  }
  const emailIn = async (app: ClientApp) => (await inTime(app.user$.get()))?.primaryEmail
  const places = () =>
    Object.fromEntries(
      jar.all.map(({ name, partition, expiresAt, isSecure }) => [
        name.replace(`-${platform.options.projectId}`, ''),
        `${partition}${isSecure ? '' : ' insecure'}${expiresAt === null ? ' brief' : ''}`,
      ]),
    )
  return { clock, platform, jar, page, inTime, emailIn, places, texts, requests }
}

// Promise: partitioned-cookies
describe('a page in a frame of another site', () => {
  it('keeps its session with the option only', async () => {
    const { page, inTime, emailIn, places, texts } = windows()
    await expect(inTime(page(shop, {}).signInWithPassword(credentialsOf(ada)))).rejects.toMatchObject({
      code: 'TOKENS_UNAVAILABLE',
    })
    texts.length = 0
    await inTime(page(shop).signInWithPassword(credentialsOf(ada)))
    expect(texts.filter(text => !text.endsWith('; samesite=none; partitioned; secure'))).toEqual([])
    expect(places()).toEqual({ 'stack-access': 'example.org', 'stack-refresh': 'example.org' })
    expect(await emailIn(page(shop))).toBe(ada.email)
  })

  it('has another session in a window of another site, and in one of its own', async () => {
    const { page, inTime, emailIn, jar } = windows()
    await inTime(page(shop).signInWithPassword(credentialsOf(ada)))
    expect([await emailIn(page(blog)), await emailIn(page(frame))]).toEqual([undefined, undefined])
    await inTime(page(frame).signInWithPassword(credentialsOf(ada)))
    await inTime(page(shop).signOut())
    expect(jar.all.map(({ partition }) => partition)).toEqual(['example.com', 'example.com'])
    expect(await emailIn(page(frame))).toBe(ada.email)
  })

  it('keeps the kind of a session that ends with the browser, and deletes all of its cookies', async () => {
    const { page, inTime, emailIn, places, jar, clock, requests } = windows()
    const app = page(shop)
    await inTime(rememberSession(app, false))
    await inTime(app.signInWithPassword(credentialsOf(ada)))
    await clock.advance(600_000)
    await inTime(app.accessToken())
    const brief = 'example.org brief'
    expect(places()).toEqual({
      ...{ 'rxauth-witness': brief, 'rxauth-brief': 'example.org', 'stack-access': brief, 'stack-refresh': brief },
    })
    app.dispose()
    // As another kit renews it.
    const [, cookie] = /(stack-refresh-[^;]+)/.exec(jar.on(frame, shop).get()) ?? []
    jar.on(frame, shop).set(`${cookie}; path=/; max-age=31536000; samesite=none; partitioned; secure`)
    jar.end()
    requests.length = 0
    expect(await emailIn(page(shop))).toBeUndefined()
    expect([places(), requests.at(-1)]).toEqual([{}, 'DELETE /auth/sessions/current'])
    const again = page(shop)
    await inTime(rememberSession(again, false))
    await inTime(again.signInWithPassword(credentialsOf(ada)))
    await inTime(again.signOut())
    expect(places()).toEqual({})
  })
})

// Promise: partitioned-cookies
describe('an app that gets the option, or loses it,', () => {
  it.each([
    [{}, { partitioned: true }],
    [{ partitioned: true }, {}],
    [{ partitioned: true }, { partitioned: true, domain: 'example.com' }],
    [{ domain: 'example.com' }, { partitioned: true }],
  ])('goes on with the session from before, of which no cookie is left: %j, then %j', async (was, now) => {
    const { page, inTime, emailIn, jar, clock } = windows()
    await inTime(page(frame, was).signInWithPassword(credentialsOf(ada)))
    const app = page(frame, now)
    expect(await emailIn(app)).toBe(ada.email)
    await clock.advance(600_000)
    await inTime(app.accessToken())
    expect(await emailIn(page(frame, now))).toBe(ada.email)
    await inTime(app.signOut())
    expect(jar.all).toEqual([])
  })
})

// Promise: partitioned-cookies
describe('by http', () => {
  it.each([
    ['http://app.example.com/', 'TOKENS_UNAVAILABLE'],
    ['http://localhost:3000/', ada.email],
  ])('a sign-in at %s: %s', async (address, expected) => {
    const { page, inTime, emailIn } = windows()
    const app = page(address, undefined, address)
    const signedIn = await inTime(
      app.signInWithPassword(credentialsOf(ada)).catch((error: unknown) => error as AuthError),
    )
    if ('ok' in signedIn) expect(await emailIn(app)).toBe(expected)
    else expect(signedIn).toMatchObject({ code: expected, message: expect.stringContaining('https') as string })
  })
})

const projectId = 'project-1'
const next: Tokens = { accessToken: accessTokenText({ iat: 2 }), refreshToken: 'refresh-2' }

// Promise: partitioned-cookies
describe('a server with the option', () => {
  const inJar = { path: '/', sameSite: 'none', secure: true, partitioned: true }
  const stray = { path: '/', sameSite: 'lax', secure: false, maxAge: 0 }

  it('sets and deletes such cookies, and first a copy without the attribute, whatever the request says of https', () => {
    const written: CookieWrite[] = []
    const source = requestTokens({ headers: { cookie: '' } }, one => written.push(one))
    const clock = virtualClock()
    const store = (source as (context: object) => TokenStore)({ projectId, clock, host: {}, isPartitioned: true })
    expect(store.replace(null, next)).toBe(true)
    expect(store.replace(next, null)).toBe(true)
    const [access, refresh] = ['stack-access', `stack-refresh-${projectId}`]
    const pair = JSON.stringify([next.refreshToken, next.accessToken])
    expect(written).toEqual([
      { name: access, value: '', options: stray },
      { name: access, value: pair, options: { ...inJar, maxAge: 86_400 } },
      { name: refresh, value: '', options: stray },
      { name: refresh, value: 'refresh-2', options: { ...inJar, maxAge: 31_536_000 } },
      { name: refresh, value: '', options: stray },
      { name: refresh, value: '', options: { ...inJar, maxAge: 0 } },
      { name: access, value: '', options: stray },
      { name: access, value: '', options: { ...inJar, maxAge: 0 } },
    ])
  })

  /** A server, and the browser that shows a frame of its pages. */
  async function served() {
    const { clock, platform, jar, page, inTime, emailIn, places } = windows()
    const server = createServerApp({ ...platform.serverOptions, partitioned: true })
    const request = (site = 'same-origin') => ({
      method: 'POST',
      url: frame,
      headers: {
        cookie: jar.on(frame, shop).get(),
        'sec-fetch-site': site,
        origin: site === 'cross-site' ? shop : frame,
      },
    })
    const take = (headers: Headers) => {
      // As in the frame: the browser takes no other cookie there.
      for (const line of headers.getSetCookie()) jar.on(frame, shop).set(line)
    }
    return { clock, server, request, take, jar, page, inTime, emailIn, places }
  }

  it('signs in, renews by the kind of the session, and signs out, in a frame of another site', async () => {
    const { server, request, take, page, inTime, emailIn, places, clock } = await served()
    const headers = new Headers()
    await inTime(asUser(server, request(), own => own.signInWithPassword(credentialsOf(ada)), headers))
    take(headers)
    expect(places()).toEqual({ 'stack-access': 'example.org', 'stack-refresh': 'example.org' })
    await inTime(rememberSession(page(shop), false))
    await clock.advance(600_000)
    take((await inTime(withSession(server, request(), () => new Response('')))).headers)
    const brief = 'example.org brief'
    expect(places()).toMatchObject({ 'rxauth-witness': brief, 'stack-access': brief, 'stack-refresh': brief })
    expect(await emailIn(page(shop))).toBe(ada.email)
    expect((await inTime(currentUser(server, request())))?.primaryEmail).toBe(ada.email)
    const left = new Headers()
    await inTime(asUser(server, request(), own => own.signOut(), left))
    take(left)
    expect(places()).toEqual({})
  })

  it('refuses the window around it, whose requests bring the cookies, to write', async () => {
    const { server, request, take, inTime } = await served()
    const headers = new Headers()
    await inTime(asUser(server, request(), own => own.signInWithPassword(credentialsOf(ada)), headers))
    take(headers)
    const write = asUser(server, request('cross-site'), own => own.updateUser({ displayName: 'Eve' }))
    await expect(inTime(write)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'origin' } })
    expect((await inTime(currentUser(server, request('cross-site'))))?.displayName).toBe(ada.displayName)
  })
})
