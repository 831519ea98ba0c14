import { firstValueFrom, last, Subject, take } from 'rxjs'
import { confirmIdentity, createClientApp, memoryTokens, type ClientApp, type Tokens } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createPlatform } from 'rxauth/platform'
import { confirmed, createServerApp, type ExpectedConfirmation } from 'rxauth/server'
import { ada, world, type World } from '../../world'
import { later, serverWorld, waitForSignatures } from '../../kit/server-world'

async function scene(...options: Parameters<typeof serverWorld>) {
  const one = await serverWorld(...options)
  waitForSignatures(one)
  const confirm = async (app: ClientApp = one.app, password: string = ada.password) => {
    const result = await one.settled(confirmIdentity(app, { method: 'password', password }))
    if (!result.ok) throw result.error
    return result.value.confirmation
  }
  const check = (confirmation: unknown, expected: Partial<ExpectedConfirmation> = {}) =>
    confirmed(one.server, confirmation as string, { userId: one.adaId, maxAgeMillis: 60_000, ...expected })
  const sessions = async () => {
    const fresh = createServerApp(one.platform.serverOptions)
    const all = await one.settled(fresh.sessionsOf$({ userId: one.adaId }).get())
    fresh.dispose()
    return all.length
  }
  const signedIn = async () => {
    const app = one.newApp()
    await one.settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    return app
  }
  return { ...one, confirm, check, sessions, signedIn }
}

afterEach(() => jest.restoreAllMocks())

const tokensIn = async (app: ClientApp) => {
  await app.accessToken()
  return app.tokens$.value as Tokens
}

describe('a confirmation', () => {
  it('counts once, and its session ends', async () => {
    const { app, confirm, check, sessions } = await scene()
    const confirmation = await confirm()
    expect(await sessions()).toBe(2)
    expect(await check(confirmation)).toBe(true)
    expect(await sessions()).toBe(1)
    expect(await check(confirmation)).toBe(false)
    expect(await app.user$.get()).toMatchObject({ primaryEmail: ada.email })
  })

  // Promise: confirm-identity
  it('counts in one of ten parallel calls, of two servers, all of which have seen its session', async () => {
    const { platform, confirm, adaId } = await scene()
    let listed = 0
    let go: () => void = () => undefined
    const allListed = new Promise<void>(resolve => (go = resolve))
    const servers = [1, 2].map(() =>
      createServerApp({
        ...platform.serverOptions,
        async fetch(input, init) {
          if (init?.method === 'DELETE') await allListed
          const answer = await platform.options.fetch(input, init)
          if (
            new URL(input instanceof Request ? input.url : input).pathname.endsWith('/auth/sessions') &&
            ++listed === 10
          )
            go()
          return answer
        },
      }),
    )
    const confirmation = await confirm()
    const all = Array.from({ length: 10 }, (_, index) =>
      confirmed(servers[index % 2]!, confirmation, { userId: adaId, maxAgeMillis: 60_000 }),
    )
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1)
    expect(listed).toBe(10)
  })

  // Promise: confirm-identity
  it('counts once among parallel calls where the platform answers each end of a session with success', async () => {
    const { newApp, platform, settled } = await world({ platform: { wire: '2.8.86', seed: { users: [ada] } } })
    const app = newApp()
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    const { id: userId } = (await settled(app.user$.get()))!
    const result = await settled(confirmIdentity(app, { method: 'password', password: ada.password }))
    if (!result.ok) throw result.error
    const listed$ = new Subject<void>()
    const allListed = firstValueFrom(listed$.pipe(take(3), last()))
    const servers = [1, 2, 3].map(() =>
      createServerApp({
        ...platform.serverOptions,
        async fetch(input, init) {
          if (init?.method === 'DELETE') await allListed
          const answer = await platform.options.fetch(input, init)
          if (new URL(input as string).pathname.endsWith('/auth/sessions')) listed$.next()
          return answer
        },
      }),
    )
    const all = servers.map(server => confirmed(server, result.value.confirmation, { userId, maxAgeMillis: 60_000 }))
    expect((await Promise.all(all)).sort()).toEqual([false, false, true])
  })

  it.each([
    ['has aborted', (abort: () => void) => abort()],
    ['has failed', () => undefined],
  ])('counts for the next of two parallel calls if the first %s', async (_, then) => {
    const one = await scene()
    const { platform, server, confirm, adaId } = one
    const confirmation = await confirm()
    const expected = { userId: adaId, maxAgeMillis: 60_000 }
    const aborting = new AbortController()
    let ends = 0
    let sent = () => {}
    let answer = () => {}
    const isSent = new Promise<void>(resolve => (sent = resolve))
    const isAnswered = new Promise<void>(resolve => (answer = resolve))
    const first = createServerApp({
      ...platform.serverOptions,
      async fetch(input, init) {
        if (init?.method !== 'DELETE') return platform.options.fetch(input, init)
        ends++
        sent()
        await isAnswered
        then(() => aborting.abort())
        return new Response('no', { status: 500 })
      },
    })
    const failing = confirmed(first, confirmation, expected, { signal: aborting.signal })
    const refused = expect(failing).rejects.toMatchObject({ code: expect.stringMatching(/ABORTED|REQUEST_FAILED/) })
    await later(one, isSent)
    const next = confirmed(server, confirmation, expected)
    answer()
    expect(await later(one, next)).toBe(true)
    await refused
    expect(ends).toBe(1)
  })

  it('is refused if the end of its session fails on the platform, and the session is gone', async () => {
    const one = await scene()
    const { platform, confirm, adaId, sessions } = one
    const confirmation = await confirm()
    const server = createServerApp({
      ...platform.serverOptions,
      async fetch(input, init) {
        const answer = await platform.options.fetch(input, init)
        return init?.method === 'DELETE' ? new Response('an internal error', { status: 500 }) : answer
      },
    })
    expect(await later(one, confirmed(server, confirmation, { userId: adaId, maxAgeMillis: 60_000 }))).toBe(false)
    expect(await sessions()).toBe(1)
  })

  it('can be checked by an admin app and by the kit of a request', async () => {
    const { platform, server, confirm, adaId } = await scene()
    for (const kit of [createAdminApp(platform.adminOptions), server.withTokens(memoryTokens())])
      expect(await confirmed(kit, await confirm(), { userId: adaId, maxAgeMillis: 60_000 })).toBe(true)
  })

  it('can be given on a server, for the user of a request', async () => {
    const { server, check, settled, tokensOf } = await scene()
    const kit = server.withTokens(await tokensOf(ada))
    const result = await settled(confirmIdentity(kit, { method: 'password', password: ada.password }))
    expect(await check(result.ok && result.value.confirmation)).toBe(true)
  })

  it.each([
    [59_999, 60_000, true],
    [60_000, 60_000, true],
    [60_001, 60_000, false],
    [1000, 999, false],
    [599_000, Infinity, true],
  ])('that is %i ms old, where %f are allowed: %s', async (millis, maxAgeMillis, isGood) => {
    const { clock, signedIn, check } = await scene()
    // As a program that does not run on a page might keep one.
    const { accessToken } = await tokensIn(await signedIn())
    await clock.advance(millis)
    expect(await check(accessToken, { maxAgeMillis })).toBe(isGood)
  })

  it('is refused after its access token has expired, however old it may be', async () => {
    const { clock, signedIn, check, sessions } = await scene()
    const { accessToken } = await tokensIn(await signedIn())
    await clock.advance(606_000)
    expect(await check(accessToken, { maxAgeMillis: Infinity })).toBe(false)
    expect(await sessions()).toBe(2)
  })

  it('is refused for another user, whose session stays', async () => {
    const { confirm, check, graceId, sessions } = await scene()
    const confirmation = await confirm()
    expect(await check(confirmation, { userId: graceId })).toBe(false)
    expect(await sessions()).toBe(2)
    expect(await check(confirmation)).toBe(true)
  })

  it('of another project is refused', async () => {
    const { clock, adaId, check, settled } = await scene()
    const project = { id: 'b0c1d2e3-1111-4222-8333-444455556666' }
    const foreign = createPlatform({ clock, seed: { project, users: [ada] } })
    const app = createClientApp({ ...foreign.options, tokens: memoryTokens() })
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    const { accessToken } = await tokensIn(app)
    const { id: userId } = (await settled(app.user$.get()))!
    expect(await check(accessToken, { userId })).toBe(false)
    expect(await check(accessToken, { userId: adaId })).toBe(false)
  })

  // Promise: confirm-identity
  it('that is the token of an ordinary session is refused, also a new token of it, and the session stays', async () => {
    const { app, clock, check, settled } = await scene()
    await clock.advance(60_001)
    expect(await check((await tokensIn(app)).accessToken)).toBe(false)
    await clock.advance(599_000)
    expect(await check((await tokensIn(app)).accessToken)).toBe(false)
    expect(await settled(app.user$.get())).toMatchObject({ primaryEmail: ada.email })
  })

  it('that is a new token of an old session is refused by a server whose clock is behind, too', async () => {
    const { app, clock, platform, adaId } = await scene()
    const server = createServerApp({ ...platform.serverOptions, clock: { ...clock, now: () => clock.now() - 900_000 } })
    await clock.advance(660_000)
    const { accessToken } = await tokensIn(app)
    expect(await confirmed(server, accessToken, { userId: adaId, maxAgeMillis: 60_000 })).toBe(false)
  })

  it('counts on a server whose clock is behind, with which the session started in the future', async () => {
    const { confirm, clock, platform, adaId } = await scene()
    const server = createServerApp({ ...platform.serverOptions, clock: { ...clock, now: () => clock.now() - 120_000 } })
    expect(await confirmed(server, await confirm(), { userId: adaId, maxAgeMillis: 60_000 })).toBe(true)
  })

  it('of the session of the request is refused with `notSession`, and counts without it, once', async () => {
    const { signedIn, check, server } = await scene()
    const { accessToken } = await tokensIn(await signedIn())
    const { sessionId } = await server.verifyAccessToken(accessToken)
    expect(await check(accessToken, { notSession: sessionId })).toBe(false)
    expect(await check(accessToken)).toBe(true)
    expect(await check(accessToken)).toBe(false)
  })

  it('whose session has ended meanwhile is refused', async () => {
    const one = await scene()
    const { app, confirm, check } = one
    const confirmation = await confirm()
    await later(one, app.signOut({ everywhere: true }))
    expect(await check(confirmation)).toBe(false)
  })

  it('of the project’s team, signed in as the user, is refused', async () => {
    const { server, adaId, settled, check } = await scene()
    const made = await settled(server.createSession({ userId: adaId, isImpersonation: true }))
    if (!made.ok) throw made.error
    expect(await check(made.value.accessToken)).toBe(false)
  })

  // Promise: confirmation-age
  it.each(['2.8.18', '2026'] as const)(
    'of an anonymous user is refused, also where tokens cannot say it: %s',
    async wire => {
      const { newApp, platform, settled } = await world({ platform: { wire } })
      const app = newApp()
      await settled(app.signUpAnonymously())
      const { accessToken } = await tokensIn(app)
      const { id: userId } = (await settled(app.anyUser$.get()))!
      for (const kit of [createServerApp(platform.serverOptions), createAdminApp(platform.adminOptions)])
        expect(await confirmed(kit, accessToken, { userId, maxAgeMillis: 60_000 })).toBe(false)
      expect(await settled(app.anyUser$.get({ maxAgeMillis: 0 }))).toMatchObject({ id: userId })
    },
  )

  it('of a user who has been deleted meanwhile is refused', async () => {
    const { server, confirm, check, adaId, settled } = await scene()
    const confirmation = await confirm()
    await settled(server.deleteUserById({ userId: adaId }))
    expect(await check(confirmation)).toBe(false)
  })

  it('of a user who is deleted between the look and the end of the session is refused', async () => {
    const one = await scene()
    const { platform, server, confirm, adaId } = one
    const confirmation = await confirm()
    const late = createServerApp({
      ...platform.serverOptions,
      async fetch(input, init) {
        if (init?.method === 'DELETE') await server.deleteUserById({ userId: adaId })
        return platform.options.fetch(input, init)
      },
    })
    expect(await later(one, confirmed(late, confirmation, { userId: adaId, maxAgeMillis: 60_000 }))).toBe(false)
  })

  const hour = 3_600_000

  /** A server app whose clock is wrong, and that gets this header in place of the platform's. */
  function serverWith(
    { platform, clock }: Pick<World, 'platform' | 'clock'>,
    skewMillis: number,
    date?: string | null,
  ) {
    return createServerApp({
      ...platform.serverOptions,
      clock: { ...clock, now: () => clock.now() + skewMillis },
      async fetch(input, init) {
        const response = await platform.options.fetch(input, init)
        if (date !== undefined) response.headers.delete('date')
        if (date) response.headers.set('date', date)
        return response
      },
    })
  }

  // Promise: confirmation-age
  it.each([
    [-hour, 60_000, true],
    [-hour, 61_000, false],
    [-hour, 500_000, false],
    [61_000, 1_000, true],
    [61_000, 60_000, true],
    [90_000, 61_000, false],
  ])(
    'on a server whose clock is wrong by %i ms, %i ms old, where 60,000 are allowed: %s',
    async (skew, millis, isGood) => {
      const one = await scene()
      const { accessToken } = await tokensIn(await one.signedIn())
      await one.clock.advance(millis)
      const expected = { userId: one.adaId, maxAgeMillis: 60_000 }
      expect(await confirmed(serverWith(one, skew), accessToken, expected)).toBe(isGood)
    },
  )

  // Promise: confirmation-age
  it('that has expired is refused by a server whose clock is behind, however old it may be', async () => {
    const one = await scene()
    const { accessToken } = await tokensIn(await one.signedIn())
    await one.clock.advance(605_000)
    const expected = { userId: one.adaId, maxAgeMillis: Infinity }
    expect(await confirmed(serverWith(one, -hour), accessToken, expected)).toBe(false)
  })

  // Promise: confirmation-age
  it.each([null, 'noon', '5 GMT', 'soon 5 GMT', 'Thu, 99 Foo 2026 00:00:00 GMT', '1767225600', '2026-01-01T00:00:00Z'])(
    'is judged by the clock of the server where the platform’s answer has the date %j, and never older than its token',
    async date => {
      const one = await scene()
      const expected = { userId: one.adaId, maxAgeMillis: 60_000 }
      const confirmation = await one.confirm()
      expect(await confirmed(serverWith(one, 61_000, date), confirmation, expected)).toBe(false)
      expect(await confirmed(serverWith(one, 59_000, date), confirmation, expected)).toBe(true)
      expect(await confirmed(serverWith(one, -hour, date), await one.confirm(), expected)).toBe(true)
    },
  )

  it('that was refreshed counts as the same one: once, and by its first moment', async () => {
    const { clock, signedIn, check } = await scene()
    const app = await signedIn()
    const first = (await tokensIn(app)).accessToken
    await clock.advance(585_000)
    const second = (await tokensIn(app)).accessToken
    expect(second).not.toBe(first)
    expect(await check(second)).toBe(false)
    expect(await check(second, { maxAgeMillis: 600_000 })).toBe(true)
    expect(await check(first, { maxAgeMillis: 600_000 })).toBe(false)
  })

  it.each([null, undefined, '', 'undefined', 'a.b.c', 42, {}, [], 'x'.repeat(10_000)])(
    'that is %p is refused without a request',
    async text => {
      const { sent, check } = await scene()
      expect(await check(text)).toBe(false)
      expect(sent).toEqual([])
    },
  )

  it('with another signature is refused', async () => {
    const { confirm, check } = await scene()
    const [head, claims, signature = ''] = (await confirm()).split('.')
    const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    expect(await check(`${head}.${claims}.${other}`)).toBe(false)
    expect(await check(`${btoa('{"alg":"none"}')}.${claims}.`)).toBe(false)
  })

  it('is refused if the answer to the end of its session was lost: nothing says whose call ended it', async () => {
    const one = await scene()
    const { platform, confirm, check, sessions, server, adaId } = one
    const confirmation = await confirm()
    platform.faults.next('DELETE /auth/sessions/{sessionId}', { loseResponse: true })
    const expected = { userId: adaId, maxAgeMillis: 60_000 }
    expect(await later(one, confirmed(server, confirmation, expected))).toBe(false)
    expect(await sessions()).toBe(1)
    expect(await check(confirmation)).toBe(false)
  })

  it.each([
    ['GET /users/{userId}', { status: 503 }],
    ['GET /auth/sessions', { status: 503 }],
    ['DELETE /auth/sessions/{sessionId}', { status: 500 }],
  ] as const)('is undecided after a failure of %s: it rejects, and counts afterwards', async (route, fault) => {
    const one = await scene()
    const { platform, confirm, check } = one
    const confirmation = await confirm()
    platform.faults.next(route, fault)
    await expect(later(one, check(confirmation))).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    expect(await check(confirmation)).toBe(true)
  })

  it('is undecided without the platform’s keys: it rejects', async () => {
    const one = await scene()
    const { platform, confirm, adaId } = one
    const server = createServerApp({
      ...platform.serverOptions,
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    })
    const checking = confirmed(server, await confirm(), { userId: adaId, maxAgeMillis: 60_000 })
    await expect(later(one, checking)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  it('rejects on a server with a wrong key, and stays good', async () => {
    const { platform, confirm, adaId, check } = await scene()
    const server = createServerApp({ ...platform.serverOptions, secretServerKey: 'ssk_wrong' })
    const confirmation = await confirm()
    await expect(confirmed(server, confirmation, { userId: adaId, maxAgeMillis: 60_000 })).rejects.toMatchObject({
      code: 'INVALID_SECRET_SERVER_KEY',
    })
    expect(await check(confirmation)).toBe(true)
  })

  // Promise: confirmation-age
  it.each([
    ['userId', { userId: '' }],
    ['userId', { userId: undefined as unknown as string }],
    // What a typing error in the name of a claim would give, and a token that names no session.
    ['notSession', { notSession: undefined as never }],
    ['notSession', { notSession: null }],
    ['notSession', { notSession: '' }],
    ['notSession', { notSession: 7 as never }],
    ['maxAgeMillis', { maxAgeMillis: 0 }],
    ['maxAgeMillis', { maxAgeMillis: NaN }],
    ['maxAgeMillis', { maxAgeMillis: undefined as unknown as number }],
  ])('is not looked at with a wrong %s: %j', async (field, wrong) => {
    const { sent, confirm, check } = await scene()
    const confirmation = await confirm()
    sent.length = 0
    await expect(check(confirmation, wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field } })
    expect(sent).toEqual([])
  })

  it('is not looked at by a server app that has been disposed of, or for a caller who has aborted', async () => {
    const { server, confirm, adaId, check } = await scene()
    const confirmation = await confirm()
    const expected = { userId: adaId, maxAgeMillis: 60_000 }
    const aborted = { signal: AbortSignal.abort() }
    await expect(confirmed(server, confirmation, expected, aborted)).rejects.toMatchObject({ code: 'ABORTED' })
    server.dispose()
    await expect(check(confirmation)).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('takes one store to follow: the list of sessions without it', async () => {
    const one = await scene()
    const { server, confirm, check, adaId, clock } = one
    const confirmation = await confirm()
    const lengths: number[] = []
    server.sessionsOf$({ userId: adaId }).subscribe(all => lengths.push(all.length))
    await clock.advance(0)
    expect(await later(one, check(confirmation))).toBe(true)
    expect(lengths).toEqual([2, 1])
  })

  it('of a restricted user counts: what the user may do is for the request’s own token', async () => {
    const { newApp, platform, settled } = await world({
      platform: { wire: '2026', seed: { users: [{ ...ada, restricted: true }] } },
    })
    const app = newApp()
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    const { id: userId } = (await settled(app.user$.get()))!
    const result = await settled(confirmIdentity(app, { method: 'password', password: ada.password }))
    if (!result.ok) throw result.error
    const server = createServerApp(platform.serverOptions)
    const { confirmation } = result.value
    expect(await confirmed(server, confirmation, { userId, maxAgeMillis: 60_000 })).toBe(true)
  })
})
