import { memoryTokens, type TokenSource } from 'rxauth'
import { createServerApp, tokenVerifier, type ServerOptions, type VerifyOptions } from 'rxauth/server'
import { baseUrl, codeOf, hosted, projectId } from '../verify/verifier-world'
import { intercept } from '../session/intercept'
import { ada, world } from '../world'
import { later, waitForSignatures } from './server-world'

const ask: VerifyOptions = { askAnonymous: true }
const askAndAllow: VerifyOptions = { askAnonymous: true, allowAnonymous: true }

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function scene(wire: '2.8.18' | '2026' = '2.8.18', options: Partial<ServerOptions> = {}) {
  const one = await world({ platform: { wire, seed: { users: [{ ...ada, verified: true }] } } })
  waitForSignatures(one)
  const newServer = (more: Partial<ServerOptions> = {}) =>
    createServerApp({ ...one.platform.serverOptions, ...options, ...more })
  const server = newServer()
  const tokenIn = async (tokens: TokenSource) => {
    const app = one.newApp({ tokens })
    const token = await one.settled(app.accessToken())
    app.dispose()
    return token ?? ''
  }
  const adas = await tokenIn(await one.tokensOf(ada))
  const own = memoryTokens()
  const guest = one.newApp({ tokens: own })
  const { userId: guestId } = await one.settled(guest.signUpAnonymously())
  const guests = await tokenIn(own)
  const userId = (await server.verifyAccessToken(adas)).userId
  one.requests.length = 0
  const asked = () => one.requests.filter(line => /^GET \/users\/[^/]+$/.test(line))
  return { ...one, server, newServer, adas, guests, guestId, userId, asked }
}

afterEach(() => jest.restoreAllMocks())

describe('a token of release 2.8.18', () => {
  // Promise: anonymous-unknown
  it('cannot say that its user is anonymous, so that neither is said to be none, and nothing is asked', async () => {
    const { server, platform, adas, guests, requests } = await scene()
    for (const verify of [server.verifyAccessToken, tokenVerifier(platform.options)])
      for (const token of [adas, guests]) {
        expect(await verify(token)).toMatchObject({ isAnonymous: undefined })
        expect((await verify.request(bearer(token))).user).toMatchObject({ isAnonymous: undefined })
      }
    expect(requests.filter(line => !line.endsWith('jwks.json'))).toEqual([])
  })

  // Promise: ask-anonymous
  it('is refused for an anonymous user with `askAnonymous`, and accepted for others', async () => {
    const { server, adas, guests, userId, asked } = await scene()
    expect(await server.verifyAccessToken(adas, ask)).toMatchObject({ userId, isAnonymous: false })
    expect(await codeOf(server.verifyAccessToken(guests, ask))).toBe('ANONYMOUS_AUTHENTICATION_NOT_ALLOWED')
    const { refusal } = await server.verifyAccessToken.request(bearer(guests), ask)
    expect([refusal?.status, await refusal?.json()]).toEqual([401, { code: 'ANONYMOUS_AUTHENTICATION_NOT_ALLOWED' }])
    expect((await server.verifyAccessToken.request(bearer(adas), ask)).user).toMatchObject({ userId })
    expect(asked()).toHaveLength(3)
  })

  // Promise: ask-anonymous
  it('is refused if the platform answers about another user', async () => {
    const { platform, newServer, guests, adas, userId, guestId } = await scene()
    const crossed = intercept(platform.options.fetch, request =>
      request.url.endsWith(`/users/${guestId}`)
        ? platform.options.fetch(request.url.replace(guestId, userId), { headers: request.headers })
        : undefined,
    )
    const server = newServer({ fetch: crossed })
    expect(await codeOf(server.verifyAccessToken(guests, ask))).toBe('INVALID_RESPONSE')
    expect(await codeOf(server.verifyAccessToken(adas, ask))).toBe('good')
  })

  // Promise: ask-anonymous
  it('tells guests and others apart, where both are let in', async () => {
    const { server, adas, guests, guestId } = await scene()
    expect(await server.verifyAccessToken(guests, askAndAllow)).toMatchObject({ userId: guestId, isAnonymous: true })
    expect(await server.verifyAccessToken(adas, askAndAllow)).toMatchObject({ isAnonymous: false })
    const { user } = await server.verifyAccessToken.request(bearer(guests), askAndAllow)
    expect(user).toMatchObject({ userId: guestId, isAnonymous: true })
  })

  // Promise: ask-anonymous
  it('is asked for once by parallel callers, whatever they allow, and then not again', async () => {
    const { server, adas, asked } = await scene()
    const all = Array.from({ length: 50 }, (_, index) => server.verifyAccessToken(adas, index % 2 ? ask : askAndAllow))
    expect((await Promise.all(all)).every(({ isAnonymous }) => isAnonymous === false)).toBe(true)
    await server.verifyAccessToken(adas, ask)
    expect(asked()).toHaveLength(1)
  })

  // Promise: ask-anonymous
  it('of an anonymous user is asked for each time, so that an upgrade counts at once', async () => {
    const { server, guests, guestId, asked } = await scene()
    const refused = await Promise.all([1, 2, 3].map(() => codeOf(server.verifyAccessToken(guests, ask))))
    expect(refused).toEqual(Array(3).fill('ANONYMOUS_AUTHENTICATION_NOT_ALLOWED'))
    expect(asked()).toHaveLength(1)
    await server.updateUserById({ userId: guestId, isAnonymous: false })
    expect(await server.verifyAccessToken(guests, ask)).toMatchObject({ isAnonymous: false })
    expect(asked()).toHaveLength(2)
  })

  // Promise: ask-anonymous
  it('is asked for again once it has expired, within the tolerance', async () => {
    const { server, clock, adas, asked } = await scene()
    const { expiresAt } = await server.verifyAccessToken(adas, ask)
    await clock.advance(expiresAt.getTime() - clock.now() - 1)
    await server.verifyAccessToken(adas, ask)
    expect(asked()).toHaveLength(1)
    await clock.advance(1)
    await server.verifyAccessToken(adas, ask)
    expect(asked()).toHaveLength(2)
  })

  // Promise: ask-anonymous
  it('of a user whom the platform does not know is invalid', async () => {
    const { server, adas, userId } = await scene()
    await server.deleteUserById({ userId })
    for (const options of [ask, askAndAllow]) {
      expect(await codeOf(server.verifyAccessToken(adas, options))).toBe('INVALID_ACCESS_TOKEN')
      const { refusal } = await server.verifyAccessToken.request(bearer(adas), options)
      expect([refusal?.status, await refusal?.json()]).toEqual([401, { code: 'INVALID_ACCESS_TOKEN' }])
    }
    expect(await server.verifyAccessToken(adas)).toMatchObject({ userId })
  })

  const headers = { 'retry-after': '99999999' }
  // Promise: ask-anonymous
  it.each<[string, (request: Request) => Response | Promise<never>, string]>([
    ['is not there', () => Promise.reject(new TypeError('fetch failed')), 'NETWORK_ERROR'],
    ['is a proxy', () => new Response('<h1>bad gateway</h1>', { status: 502 }), 'REQUEST_FAILED'],
    ['is another server', () => new Response('not found', { status: 404 }), 'REQUEST_FAILED'],
    ['answers something else', () => Response.json({ is_anonymous: 'no' }), 'INVALID_RESPONSE'],
    ['asks to slow down', () => new Response('', { status: 429, headers }), 'RATE_LIMITED'],
  ])('lets no user in where the platform %s, and is asked for again', async (_, answer, code) => {
    const one = await scene()
    let isBroken = true
    const server = one.newServer({
      fetch: intercept(one.platform.options.fetch, request =>
        isBroken && /\/users\/[^/]+$/.test(request.url) ? answer(request) : undefined,
      ),
    })
    for (const options of [ask, askAndAllow]) {
      const thrown = codeOf(server.verifyAccessToken(one.adas, options))
      const answered = server.verifyAccessToken.request(bearer(one.adas), options)
      await later(one, Promise.allSettled([thrown, answered]))
      expect(await thrown).toBe(code)
      const { user, refusal } = await answered
      expect([user, refusal?.status, await refusal?.json()]).toEqual([undefined, 503, { code }])
    }
    isBroken = false
    expect(await server.verifyAccessToken(one.adas, ask)).toMatchObject({ isAnonymous: false })
  })

  it('is not judged by a server whose key is wrong', async () => {
    const { newServer, adas } = await scene()
    const { verifyAccessToken } = newServer({ secretServerKey: 'ssk_wrong' })
    expect(await codeOf(verifyAccessToken(adas, ask))).toBe('INVALID_SECRET_SERVER_KEY')
    expect((await verifyAccessToken.request(bearer(adas), ask)).refusal?.status).toBe(503)
  })

  // Promise: ask-anonymous
  it('is let go by the caller who aborts, and answered to the others', async () => {
    const { server, platform, clock, adas, asked } = await scene()
    platform.faults.next('GET /users/{userId}', { delayMillis: 2_000 })
    const controller = new AbortController()
    const aborted = codeOf(server.verifyAccessToken(adas, { ...ask, signal: controller.signal }))
    const other = server.verifyAccessToken(adas, ask)
    await clock.advance(1_000)
    controller.abort()
    expect(await aborted).toBe('ABORTED')
    expect(await later({ clock }, other)).toMatchObject({ isAnonymous: false })
    expect(asked()).toHaveLength(1)
    const late = server.verifyAccessToken.request(bearer(adas), { ...ask, signal: AbortSignal.abort() })
    expect(await codeOf(late)).toBe('ABORTED')
  })

  it('that is not valid is not asked for, nor by a server app that has been disposed of', async () => {
    const { server, adas, asked } = await scene()
    const { userId } = await server.verifyAccessToken(adas)
    expect(userId).not.toBe('')
    for (const token of [null, '', 'a.b.c', `${adas.slice(0, -8)}AAAAAAAA`])
      expect(await codeOf(server.verifyAccessToken(token, askAndAllow))).toMatch(/_ACCESS_TOKEN$/)
    server.dispose()
    expect(await codeOf(server.verifyAccessToken(adas, ask))).toBe('DISPOSED')
    expect(asked()).toEqual([])
  })

  it('is asked for by each request of an edge runtime, which must not wait for another one’s promise', async () => {
    const { server, platform, clock, adas, asked } = await scene()
    const undelayed = platform.faults.every('GET /users/{userId}', { delayMillis: 2_000 })
    Object.assign(globalThis, { EdgeRuntime: 'edge' })
    try {
      await later({ clock }, Promise.all([1, 2].map(() => server.verifyAccessToken(adas, ask))))
      expect(asked()).toHaveLength(2)
      undelayed()
      await server.verifyAccessToken(adas, ask)
      expect(asked()).toHaveLength(2)
    } finally {
      Reflect.deleteProperty(globalThis, 'EdgeRuntime')
    }
  })
})

describe('a token of release 2026', () => {
  it('says whether its user is anonymous, and nothing is asked', async () => {
    const { server, adas, guests, asked } = await scene('2026')
    expect(await server.verifyAccessToken(adas, ask)).toMatchObject({ isAnonymous: false })
    expect(await codeOf(server.verifyAccessToken(guests, ask))).toBe('ANONYMOUS_AUTHENTICATION_NOT_ALLOWED')
    expect(await server.verifyAccessToken(guests, askAndAllow)).toMatchObject({ isAnonymous: true })
    expect(asked()).toEqual([])
  })
})

describe('the answers that a server app remembers', () => {
  async function hostedScene() {
    const one = await hosted()
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { pathname } = new URL(new Request(input, init).url)
      if (pathname.endsWith('jwks.json')) return Response.json({ keys: one.state.keys })
      asked.push(pathname)
      return Response.json({ id: 'ada', is_anonymous: false })
    }
    const keys = { secretServerKey: 'ssk_1', publishableClientKey: null }
    const server = createServerApp({ projectId, baseUrl, ...keys, fetch, clock: one.clock })
    const check = (token: string) => server.verifyAccessToken(token, ask)
    return { ...one, server, asked, check }
  }

  // Promise: ask-anonymous
  it('are 1,000 at most, and the newest', async () => {
    const { first, check, asked } = await hostedScene()
    const signed = Array.from({ length: 1_001 }, (_, index) => first.sign({ refreshTokenId: `${index}` }))
    const tokens = await Promise.all(signed)
    for (const token of tokens) await check(token)
    expect(asked).toHaveLength(1_001)
    await check(tokens[1]!)
    expect(asked).toHaveLength(1_001)
    await check(tokens[0]!)
    expect(asked).toHaveLength(1_002)
  })

  it('are not asked for again when the same signature is written in another way', async () => {
    const { first, check, asked } = await hostedScene()
    const token = await first.sign()
    await check(token)
    const other = withOtherSignature(token)
    expect(other).not.toBe(token)
    expect(await check(other)).toMatchObject({ isAnonymous: false })
    expect(asked).toHaveLength(1)
  })
})

describe('a verifier without a key', () => {
  // Promise: ask-anonymous
  it('refuses to ask, and says which app can', async () => {
    const { first, verify } = await hosted()
    const token = await first.sign()
    const refused = expect.objectContaining({
      code: 'INVALID_INPUT',
      details: expect.objectContaining({ field: 'askAnonymous' }) as object,
      message: expect.stringContaining('createServerApp') as string,
    }) as Error
    const options = { askAnonymous: true } as object
    expect(() => tokenVerifier({ projectId, baseUrl, ...options })).toThrow(refused)
    await expect(verify(token, options)).rejects.toEqual(refused)
    await expect(verify.request(bearer(token), options)).rejects.toEqual(refused)
    expect(await codeOf(verify(token, { askAnonymous: false } as object))).toBe('good')
  })
})

/** With the other one of the two values of s that verify: ECDSA is malleable. */
function withOtherSignature(token: string): string {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const at = token.lastIndexOf('.') + 1
  const bytes = Buffer.from(token.slice(at), 'base64url')
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
  return token.slice(0, at) + other.toString('base64url')
}
