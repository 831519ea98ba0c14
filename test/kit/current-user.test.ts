import { authHeaders, inspect, memoryTokens, requestTokens, signInWithPassword, tokens$ } from 'rxauth'
import type { RequestLike, Tokens } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { currentUser, type CurrentUserOptions, type RequestApp } from 'rxauth/server'
import { intercept } from '../session/intercept'
import { adaId, graceId, refuse, renderWorld, tenMinutes } from '../session/render-world'
import { credentialsOf } from '../tabs'
import { grace } from '../world'
import { codeOf } from '../verify/verifier-world'

const sources = ['platform', 'token'] as const

const fifty = <T>(make: (index: number) => T) => Array.from({ length: 50 }, (_, index) => make(index))

/** Gives what runs ten seconds of the clock; signatures take real time besides. */
async function inTime<T>({ clock }: Pick<Scene, 'clock'>, promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  await clock.advance(10_000)
  return promise
}

type Scene = Awaited<ReturnType<typeof renderWorld>>

/** The tokens of an anonymous user. */
async function anonymousTokens({ newApp, settled }: Scene): Promise<Tokens> {
  const tokens = memoryTokens()
  const app = newApp({ tokens })
  await settled(app.signUpAnonymously())
  app.dispose()
  return tokens.read() as Tokens
}

function stackHeaders(tokens: Tokens | null): RequestLike {
  return { headers: { 'x-stack-auth': JSON.stringify(tokens) } }
}

describe.each(sources)('the current user of a request, from the %s,', from => {
  const scene = async (...options: Parameters<typeof renderWorld>) => {
    const one = await renderWorld(...options)
    const made: RequestApp[] = []
    const { withTokens } = one.server
    jest.spyOn(one.server, 'withTokens').mockImplementation(tokens => {
      const app = withTokens(tokens)
      made.push(app)
      return app
    })
    const user = (request: RequestLike, more: CurrentUserOptions = {}) =>
      inTime(one, currentUser(one.server, request, { from, ...more }))
    return { ...one, user, made }
  }

  // Promise: current-user
  it.each(['bearer', 'stack'] as const)('is that of its headers (%s), before its cookies', async as => {
    const { app, browser, settled, user } = await scene()
    const headers = await settled(authHeaders(app, { as }))
    expect(await user((await browser(grace)).request(headers))).toMatchObject({ id: adaId })
  })

  it('is that of its cookies, and null without any', async () => {
    const { browser, user } = await scene()
    expect(await user((await browser(grace)).request())).toMatchObject({ id: graceId })
    expect(await user({ headers: {} })).toBeNull()
    expect(await user({ headers: { cookie: 'theme=dark' } })).toBeNull()
  })

  it.each(['junk', '[]', '{"accessToken":7}', '{"refreshToken":""}'])(
    'is null for the header x-stack-auth: %s, whatever the cookies are',
    async text => {
      const { browser, user, requests } = await scene()
      expect(await user((await browser(grace)).request({ 'x-stack-auth': text }))).toBeNull()
      expect(requests).toEqual([])
    },
  )

  it.each(['Bearer mine', 'Bearer', 'Basic YTpi'])('is null for the header %j', async authorization => {
    const { user, requests } = await scene()
    expect(await user({ headers: { authorization } })).toBeNull()
    expect(requests).toEqual([])
  })

  it('is null for an access token in Authorization that has expired', async () => {
    const { app, clock, settled, user } = await scene()
    const headers = await settled(authHeaders(app))
    await clock.advance(tenMinutes)
    expect(await user({ headers })).toBeNull()
  })

  // Promise: current-user
  it('is null once the session has ended, whose cookies are deleted', async () => {
    const { browser, clock, newApp, settled, user } = await scene()
    const jar = await browser()
    const tokens = requestTokens(jar.request())
    await settled(newApp({ tokens }).signOut())
    await clock.advance(tenMinutes)
    expect(await user(jar.request(), { write: jar.write })).toBeNull()
    expect([...jar.cookies.keys()]).toEqual([])
  })

  // Promise: current-user
  it('is null for an anonymous user, unless that is asked for', async () => {
    // A token of release 2.8.18 does not say it.
    const one = await scene({}, { wire: from === 'token' ? '2026' : '2.8.18' })
    const request = stackHeaders(await anonymousTokens(one))
    expect(await one.user(request)).toBeNull()
    expect(await one.user(request, { anonymous: true })).toMatchObject({ isAnonymous: true })
  })

  // Promise: current-user
  it('is refreshed once for 50 renders at once, and apart for each user', async () => {
    const { browser, clock, refreshes, server } = await scene()
    const jars = [await browser(), await browser(grace)]
    await clock.advance(tenMinutes)
    const renders = fifty(index => currentUser(server, jars[index % 2]!.request(), { from, write: refuse }))
    const shown = (await inTime({ clock }, Promise.all(renders))).map(user => user?.id)
    expect(shown).toEqual(fifty(index => (index % 2 ? graceId : adaId)))
    expect(refreshes()).toBe(2)
  })

  it('is refreshed for the browser too where cookies may be set', async () => {
    const { browser, clock, refreshes, user } = await scene()
    const jar = await browser()
    await clock.advance(tenMinutes)
    expect(await user(jar.request(), { write: jar.write })).toMatchObject({ id: adaId })
    await clock.advance(60_000)
    expect(await user(jar.request(), { write: jar.write })).toMatchObject({ id: adaId })
    expect(refreshes()).toBe(1)
  })

  // Promise: current-user
  it('is read again when another app of the request signs in meanwhile', async () => {
    const { browser, clock, platform, server, user } = await scene()
    const jar = await browser()
    const request = jar.request()
    await clock.advance(tenMinutes)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 2_000 })
    const other = server.withTokens(requestTokens(request, jar.write))
    const reading = user(request)
    await signInWithPassword(other, credentialsOf(grace))
    expect(await reading).toMatchObject({ id: graceId })
    other.dispose()
  })

  // Promise: current-user
  it.each([
    ['', 0],
    [', and the access token has expired', tenMinutes],
  ])('rejects when the platform cannot be reached%s', async (_, millis) => {
    const { browser, clock, platform, newServer } = await scene()
    const jar = await browser()
    const server = newServer({ fetch: intercept(platform.options.fetch, () => Promise.reject(new TypeError('down'))) })
    await clock.advance(millis)
    const code = codeOf(currentUser(server, jar.request(), { from, write: jar.write }))
    await clock.advance(120_000)
    expect(await code).toBe('NETWORK_ERROR')
    expect(jar.written).toEqual([])
  })

  it('rejects with ABORTED for a render that has been given up', async () => {
    const { browser, clock, platform, server, made } = await scene()
    const jar = await browser()
    await clock.advance(tenMinutes)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 2_000 })
    const controller = new AbortController()
    const code = codeOf(currentUser(server, jar.request(), { from, signal: controller.signal }))
    await clock.advance(1_000)
    controller.abort()
    expect(await code).toBe('ABORTED')
    expect(made.map(app => inspect(app).loads)).toEqual([0])
  })

  // Promise: current-user
  it('leaves nothing in the server app, and no app of the request in use', async () => {
    const { browser, clock, server, made } = await scene()
    const jars = [await browser(), await browser(grace)]
    await clock.advance(tenMinutes)
    const renders = fifty(index => currentUser(server, jars[index % 2]!.request(), { from, write: refuse }))
    await clock.advance(0)
    expect(tokens$(server).value).toBeNull()
    await inTime({ clock }, Promise.all(renders))
    expect(await authHeaders(server)).toEqual({})
    expect(inspect(server)).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
    expect(made).toHaveLength(50)
    for (const app of made) await expect(app.user$.get()).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('is that of an admin app too, and of no app of a request', async () => {
    const { browser, clock, platform, server } = await scene()
    const request = (await browser()).request()
    const admin = createAdminApp(platform.adminOptions)
    expect(await inTime({ clock }, currentUser(admin, request, { from }))).toMatchObject({ id: adaId })
    const own = server.withTokens(requestTokens(request))
    await expect(currentUser(own, request, { from })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'server' },
    })
  })
})

describe('the current user from the platform', () => {
  it('is what the platform says now, and null where the user is gone', async () => {
    const { browser, inTime, server } = await renderWorld()
    const jar = await browser()
    await inTime(server.updateUserById({ userId: adaId, displayName: 'Countess' }))
    expect(await inTime(currentUser(server, jar.request()))).toMatchObject({ displayName: 'Countess' })
    await inTime(server.deleteUserById({ userId: adaId }))
    expect(await inTime(currentUser(server, jar.request(), { write: jar.write }))).toBeNull()
    expect([...jar.cookies.keys()]).toEqual([])
  })

  it.each(['cookie', 'constructor'])('is the only value of `from` beside the token: not %s', async from => {
    const { server } = await renderWorld()
    const options = { from: from as never }
    await expect(currentUser(server, { headers: {} }, options)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'from' },
    })
  })
})

describe('the current user from the token', () => {
  const said = { displayName: 'Ada', primaryEmail: 'ada@example.com', primaryEmailVerified: false }
  // Promise: current-user
  it.each([
    // Which refuses to add the keys of restricted users.
    ['2.8.18', 2, { isAnonymous: undefined }],
    ['2026', 1, { isAnonymous: false, ...said, selectedTeamId: null, requiresTotpMfa: false }],
  ] as const)('is what a token of release %s says, and asks for keys alone (%i times)', async (wire, times, more) => {
    const { browser, requests, server } = await renderWorld({}, { wire })
    const jar = await browser()
    const reads = fifty(() => currentUser(server, jar.request(), { from: 'token', write: jar.write }))
    const user = { id: adaId, isRestricted: false, ...more }
    expect(await Promise.all(reads)).toStrictEqual(fifty(() => user))
    expect(requests).toEqual(Array(times).fill(expect.stringMatching(/^GET .*jwks\.json$/)))
    expect(jar.written).toEqual([])
  })

  // Promise: ask-anonymous
  it('is an anonymous user of release 2.8.18 too, unless the platform is asked, once for all renders', async () => {
    const one = await renderWorld()
    const request = stackHeaders(await anonymousTokens(one))
    const read = (options: CurrentUserOptions) => currentUser(one.server, request, { from: 'token', ...options })
    one.requests.length = 0
    expect(await read({})).toMatchObject({ isAnonymous: undefined })
    const asked = () => one.requests.filter(line => /^GET \/users\//.test(line))
    expect(asked()).toEqual([])
    expect(await read({ askAnonymous: true })).toBeNull()
    expect(await read({ askAnonymous: true, anonymous: true })).toMatchObject({ isAnonymous: true })
    const adas = (await one.browser()).request()
    one.requests.length = 0
    const reads = fifty(() => currentUser(one.server, adas, { from: 'token', askAnonymous: true }))
    expect((await Promise.all(reads)).map(user => user?.isAnonymous)).toEqual(fifty(() => false))
    expect(asked()).toHaveLength(1)
  })

  it('is null where the platform, asked, does not know the user, and rejects where it cannot be asked', async () => {
    const { browser, server, platform, newServer } = await renderWorld()
    const [adas, graces] = [await browser(), await browser(grace)]
    await server.deleteUserById({ userId: adaId })
    expect(
      await currentUser(server, adas.request(), { from: 'token', askAnonymous: true, write: adas.write }),
    ).toBeNull()
    const fetch = intercept(platform.options.fetch, ({ url }) =>
      url.includes('/users/') ? new Response('<h1>bad gateway</h1>', { status: 502 }) : undefined,
    )
    const reading = currentUser(newServer({ fetch }), graces.request(), { from: 'token', askAnonymous: true })
    expect(await codeOf(reading)).toBe('REQUEST_FAILED')
    expect(graces.written).toEqual([])
  })

  // Promise: current-user
  it('is that of the refresh token where the access token is forged', async () => {
    const { browser, server, refreshes } = await renderWorld()
    const [adas, graces] = [await browser(), await browser(grace)]
    const [refreshToken, own = ''] = JSON.parse(adas.cookies.get('stack-access') ?? '') as string[]
    const forged = own.slice(0, -8) + 'AAAAAAAA'
    adas.cookies.set('stack-access', JSON.stringify([refreshToken, forged]))
    expect(await currentUser(server, adas.request(), { from: 'token', write: adas.write })).toMatchObject({ id: adaId })
    expect(await currentUser(server, adas.request(), { from: 'token', write: adas.write })).toMatchObject({ id: adaId })
    expect(refreshes()).toBe(1)
    // Claims of another user without a signature.
    const [, claims = ''] = (JSON.parse(graces.cookies.get('stack-access') ?? '') as string[])[1]!.split('.')
    const mixed = JSON.stringify([refreshToken, ['e30', claims, 'AAAA'].join('.')])
    adas.cookies.set('stack-access', mixed)
    const outcome = await currentUser(server, adas.request(), { from: 'token' }).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ code: 'INVALID_RESPONSE' })
  })

  it('is null where the access token is forged and there is no refresh token', async () => {
    const { app, settled, server } = await renderWorld()
    const { authorization = '' } = await settled(authHeaders(app))
    const headers = { authorization: authorization.slice(0, -8) + 'AAAAAAAA' }
    expect(await currentUser(server, { headers }, { from: 'token' })).toBeNull()
  })

  it('rejects where not even a new token of the platform is accepted', async () => {
    const { browser, platform, newServer } = await renderWorld()
    const fetch = intercept(platform.options.fetch, ({ url }) =>
      url.endsWith('jwks.json') ? Response.json({ keys: [] }) : undefined,
    )
    const jar = await browser()
    const reading = currentUser(newServer({ fetch }), jar.request(), { from: 'token', write: jar.write })
    expect(await codeOf(reading)).toBe('INVALID_ACCESS_TOKEN')
  })
})
