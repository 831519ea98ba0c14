import { memoryTokens, type AuthError, type Tokens, type TokenStore } from 'rxauth'
import { ada, grace, world, type World } from '../world'
import { credentialsOf } from '../tabs'
import { accessTokenText, ownerOf } from './access-token-text'
import { answered, intercept, isRefresh, knownError } from './intercept'

const refresh = 'POST /auth/oauth/token'
const tenMinutes = 600_000

/** Ada's kit with an expired access token, over a visible store. */
async function expired(
  options: Parameters<typeof world>[0] & { readonly answer?: (before: Tokens) => Response | undefined } = {},
) {
  const given = await world(options)
  const before = (await given.platform.tokensFor(ada.email)).read()!
  const store = memoryTokens(before)
  const { answer } = options
  const fetch = intercept(given.platform.options.fetch, request => (isRefresh(request) ? answer?.(before) : undefined))
  const app = given.newApp({ tokens: store, fetch })
  await given.clock.advance(tenMinutes)
  return { ...given, app, store, before }
}

function refreshes({ requests }: World): number {
  return requests.filter(request => request === refresh).length
}

it('a refresh of an app without a publishable client key names the secret of public clients', async () => {
  const { clock, newApp, platform, settled } = await world({ platform: { wire: '2026' } })
  const tokens = await platform.tokensFor(ada.email)
  const before = tokens.read()!
  const secrets: unknown[] = []
  const fetch = intercept(platform.options.fetch, async request => {
    expect(request.headers.has('x-stack-publishable-client-key')).toBe(false)
    if (isRefresh(request)) secrets.push(new URLSearchParams(await request.text()).get('client_secret'))
    return undefined
  })
  const app = newApp({ tokens, fetch, publishableClientKey: null })
  await clock.advance(tenMinutes)
  expect((await settled(app.user$.get()))?.displayName).toBe('Ada')
  expect(tokens.read()).toEqual({ refreshToken: before.refreshToken, accessToken: expect.any(String) })
  expect(tokens.read()!.accessToken).not.toBe(before.accessToken)
  expect(secrets).toEqual(['__stack_public_client__'])
})

describe('a refresh that fails', () => {
  // Promise: only-refusal-ends-session
  it.each([
    ['lost answers', { loseResponse: true }, 5, 'NETWORK_ERROR', undefined],
    ['429', { status: 429 }, 5, 'RATE_LIMITED', 429],
    ['500', { status: 500 }, 1, 'REQUEST_FAILED', 500],
    ['503', { status: 503 }, 1, 'REQUEST_FAILED', 503],
    ['truncated JSON', { body: 'truncated' }, 1, 'INVALID_RESPONSE', 200],
    ['garbage', { body: 'garbage' }, 1, 'INVALID_RESPONSE', 200],
    ['an error header that the body does not match', { body: 'wrong-code' }, 1, 'INVALID_RESPONSE', 200],
  ] as const)(
    'by %s rejects by name after %#, keeps the session and poisons nothing',
    async (_, fault, sent, code, status) => {
      const given = await expired()
      const { app, clock, platform, settled, store, before } = given
      const mend = platform.faults.every(refresh, fault)
      const token = app.accessToken()
      token.catch(() => undefined)
      await clock.advance(30_000)
      await expect(settled(token)).rejects.toMatchObject({ code, status })
      expect(refreshes(given)).toBe(sent)
      expect(store.read()).toEqual(before)
      expect(app.auth$.value.status).toBe('unknown')
      mend()
      expect(await settled(app.accessToken())).toEqual(expect.any(String))
      expect((await settled(app.user$.get()))?.displayName).toBe('Ada')
    },
  )

  it('offline is reported, and works again as soon as the network is back', async () => {
    let isOffline = true
    const given = await world()
    const { fetch } = given.platform.options
    const app = given.newApp({
      tokens: await given.platform.tokensFor(ada.email),
      fetch: (...args) => (isOffline ? Promise.reject(new TypeError('fetch failed')) : fetch(...args)),
    })
    await given.clock.advance(tenMinutes)
    const token = app.accessToken()
    token.catch(() => undefined)
    await given.clock.advance(30_000)
    await expect(given.settled(token)).rejects.toMatchObject({ code: 'NETWORK_ERROR', details: { attempts: 5 } })
    isOffline = false
    expect(await given.settled(app.accessToken())).toEqual(expect.any(String))
  })

  it('by a platform that does not answer ends each attempt after 30 s', async () => {
    const { app, clock, platform, settled } = await expired()
    platform.faults.next(refresh, { delayMillis: 3_600_000 })
    const token = app.accessToken()
    token.catch(() => undefined)
    await clock.advance(31_500)
    expect(await settled(token)).toEqual(expect.any(String))
  })

  it('waits as long as retry-after says, then continues', async () => {
    const given = await expired()
    given.platform.faults.next(refresh, { status: 429, retryAfter: '7' })
    const token = given.app.accessToken()
    await given.clock.advance(6_999)
    expect(refreshes(given)).toBe(1)
    await given.clock.advance(1)
    expect(refreshes(given)).toBe(2)
    expect(await given.settled(token)).toEqual(expect.any(String))
  })

  it('asked to wait for an hour is told at once, and keeps the session; what is shown stays, and loads again then', async () => {
    const given = await world()
    const { app, clock, platform, settled } = given
    const names: unknown[] = []
    app.user$.subscribe(user => names.push(user?.displayName))
    await clock.advance(tenMinutes)
    platform.faults.next(refresh, { status: 429, retryAfter: '3600' })
    const refused = { code: 'RATE_LIMITED', details: { retryAt: new Date(clock.now() + 3_600_000) } }
    await expect(settled(app.user$.refresh())).rejects.toMatchObject(refused)
    expect([names, app.user$.snapshot, app.auth$.value.status]).toMatchObject([
      ['Ada'],
      { status: 'ready', value: { displayName: 'Ada' }, error: refused },
      'signed-in',
    ])
    const before = given.requests.length
    await clock.advance(3_599_999)
    expect(given.requests.length).toBe(before)
    await clock.advance(1)
    expect(given.requests.slice(before)).toEqual([refresh, 'GET /users/me'])
    expect(app.user$.snapshot).not.toHaveProperty('error')
  })

  it('reports the last of several causes', async () => {
    const { app, clock, platform, settled } = await expired()
    platform.faults.next(refresh, { loseResponse: true })
    platform.faults.next(refresh, { status: 429 })
    platform.faults.next(refresh, { status: 502 })
    const token = app.accessToken()
    token.catch(() => undefined)
    await clock.advance(10_000)
    await expect(settled(token)).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 502 })
  })

  // Promise: refresh-repeated
  it('is repeated after a lost answer although it is a POST, and rotation answers the same successor', async () => {
    const given = await expired({ platform: { rotation: true } })
    given.platform.faults.next(refresh, { loseResponse: true })
    const token = given.app.accessToken()
    await given.clock.advance(1500)
    expect(await given.settled(token)).toEqual(expect.any(String))
    expect(refreshes(given)).toBe(2)
  })

  // Promise: only-refusal-ends-session
  it.each([
    ['INVALID_OAUTH_CLIENT_ID_OR_SECRET', 400],
    ['CANNOT_DELETE_CURRENT_SESSION', 400],
    ['SCHEMA_ERROR', 400],
    ['INVALID_PUBLISHABLE_CLIENT_KEY', 401],
  ])('with %s keeps the session', async (code, status) => {
    const { app, settled, store, before } = await expired({ answer: () => knownError(status, code) })
    await expect(settled(app.accessToken())).rejects.toMatchObject({ code })
    expect(store.read()).toEqual(before)
    expect(app.auth$.value.status).toBe('unknown')
  })

  it.each([
    ['that is none', 'undefined'],
    ['of another user', accessTokenText({ sub: 'another user' })],
  ])('with an access token %s keeps the session', async (_what, token) => {
    const { app, settled, store, before } = await expired({ answer: () => answered(200, { access_token: token }) })
    await expect(settled(app.accessToken())).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
      details: { isDone: false },
    })
    expect(store.read()).toEqual(before)
  })
})

describe('a session ends as expired', () => {
  it.each(['REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 'REFRESH_TOKEN_ERROR', 'PROVIDER_REJECTED'])('by %s', async code => {
    const { app, settled, store } = await expired({ answer: () => knownError(401, code) })
    expect(await settled(app.accessToken())).toBeNull()
    expect(store.read()).toBeNull()
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
  })

  it('when the platform has ended it', async () => {
    const { app, settled, platform, store, before } = await expired()
    await platform.fetch(
      new Request(`${platform.options.baseUrl}/api/v1/auth/sessions/current`, {
        method: 'DELETE',
        headers: {
          'x-stack-access-type': 'client',
          'x-stack-project-id': platform.options.projectId,
          'x-stack-publishable-client-key': platform.options.publishableClientKey,
          'x-stack-access-token': await freshAccessToken(platform, before),
        },
      }),
    )
    expect(await settled(app.accessToken())).toBeNull()
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
    expect(store.read()).toBeNull()
  })

  it('although its access token is still valid: an answer to GET /users/me proves no session', async () => {
    const given = await world()
    const { clock, platform, requests, settled } = given
    const adas = (await platform.tokensFor(ada.email)).read()!
    const store = memoryTokens(adas)
    const elsewhere = given.newApp({ tokens: memoryTokens(adas) })
    const here = given.newApp({ tokens: store })
    const states: string[] = []
    here.auth$.subscribe(auth => states.push('reason' in auth ? auth.reason : auth.status))
    await settled(elsewhere.signOut())
    await clock.advance(tenMinutes - 20_300)
    requests.length = 0
    expect((await settled(here.user$.refresh()))?.displayName).toBe('Ada')
    await clock.advance(301)
    expect(await settled(here.accessToken())).toBeNull()
    expect(requests).toEqual(['GET /users/me', refresh])
    expect([states, store.read()]).toEqual([['unknown', 'signed-in', 'expired'], null])
  })
})

async function freshAccessToken({ options, fetch }: World['platform'], { refreshToken }: Tokens): Promise<string> {
  const answer = await fetch(
    new Request(`${options.baseUrl}/api/v1/auth/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken!,
        client_id: options.projectId,
        client_secret: options.publishableClientKey,
      }),
    }),
  )
  return ((await answer.json()) as { access_token: string }).access_token
}

it.each<[outcome: string, answer: () => Response | undefined]>([
  ['refreshed', () => undefined],
  ['transient', () => knownError(500, 'SCHEMA_ERROR')],
  ['ended', () => knownError(401, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')],
])('the trace tells that a refresh is %s', async (outcome, answer) => {
  const { app, settled } = await expired({ answer })
  const told: unknown[] = []
  app.trace$.subscribe(event => {
    if (event.type === 'refresh') told.push(event.outcome)
  })
  await settled(app.accessToken()).catch(() => null)
  expect(told).toEqual([outcome])
})

describe('a late answer', () => {
  // Promise: refresh-compare-and-set
  it('never writes into the tokens of another account', async () => {
    const { app, clock, platform, settled, store } = await expired()
    platform.faults.next(refresh, { delayMillis: 5000 })
    const late = app.accessToken()
    late.catch(() => undefined)
    await clock.advance(0)
    await settled(app.signInWithPassword(credentialsOf(grace)))
    const graces = store.read()
    await clock.advance(5000)
    expect(store.read()).toEqual(graces)
    await expect(settled(late)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect((await settled(app.user$.get()))?.displayName).toBe('Grace')
  })

  it('that refuses never signs another account out', async () => {
    const { app, clock, platform, settled, store } = await expired()
    await store.replace(store.read() as Tokens, { accessToken: null, refreshToken: 'unknown' })
    platform.faults.next(refresh, { delayMillis: 5000 })
    const told: unknown[] = []
    app.accessToken().catch((error: unknown) => told.push((error as AuthError).code))
    await clock.advance(0)
    await settled(app.signInWithPassword(credentialsOf(grace)))
    // Without the wait before another attempt: the answer is final.
    await clock.advance(5000)
    expect(told).toEqual(['SESSION_CHANGED'])
    expect((await settled(app.user$.get()))?.displayName).toBe('Grace')
  })

  it('that refuses gives way to the tokens that another tab stores just before this one empties the store', async () => {
    const given = await world({ platform: { rotation: true } })
    const { clock, newApp, platform, settled } = given
    const before = (await platform.tokensFor(ada.email)).read()!
    const store = memoryTokens(before)
    let successor: Tokens | undefined
    const fetch = intercept(platform.options.fetch, async request => {
      if (!isRefresh(request) || successor) return undefined
      const answer = (await (await platform.options.fetch(request)).json()) as Record<string, string>
      successor = { accessToken: answer['access_token']!, refreshToken: answer['refresh_token']! }
      return knownError(401, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
    })
    const tokens: TokenStore = {
      read: () => store.read(),
      replace(expected, next) {
        if (!next) void store.replace(before, successor!)
        return store.replace(expected, next)
      },
    }
    const app = newApp({ tokens, fetch })
    await clock.advance(tenMinutes)
    expect(await settled(app.accessToken())).toBe(successor!.accessToken)
    expect(store.read()).toEqual(successor)
  })

  // Promise: refresh-compare-and-set
  it('never resurrects a session after sign-out', async () => {
    const { app, clock, platform, settled, store } = await expired()
    platform.faults.next(refresh, { delayMillis: 1000 })
    const late = app.accessToken()
    await clock.advance(0)
    const signingOut = app.signOut()
    await clock.advance(0)
    expect(store.read()).toBeNull()
    await clock.advance(5000)
    await settled(signingOut)
    expect(await settled(late)).toBeNull()
    expect(store.read()).toBeNull()
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
  })
})

describe('rotation', () => {
  // Promise: refresh-token-stored
  it('stores a returned refresh token, clears nothing and emits nothing on user$', async () => {
    const { app, clock, settled, store, before } = await expired({ platform: { rotation: true } })
    const users: unknown[] = []
    const snapshots: string[] = []
    app.user$.subscribe(user => users.push(user?.displayName))
    app.user$.snapshot$.subscribe(({ status }) => snapshots.push(status))
    await clock.advance(0)
    const first = store.read()!
    expect((first as Tokens).refreshToken).not.toBe(before.refreshToken)
    await clock.advance(tenMinutes)
    await settled(app.accessToken())
    const second = store.read()
    expect((second as Tokens).refreshToken).not.toBe((first as Tokens).refreshToken)
    expect(users).toEqual(['Ada'])
    expect(new Set(snapshots)).toEqual(new Set(['pending', 'ready']))
    expect(snapshots.lastIndexOf('pending')).toBe(0)
  })

  it.each(['', null, 7])('keeps the present refresh token if the answer says %j', async refreshToken => {
    const { app, settled, store, before } = await expired({
      answer: ({ accessToken }) =>
        answered(200, {
          access_token: accessTokenText({ ...ownerOf(accessToken), exp: 1e12 }),
          refresh_token: refreshToken,
        }),
    })
    const accessToken = await settled(app.accessToken())
    expect(accessToken).not.toBe(before.accessToken)
    expect(store.read()).toEqual({ accessToken, refreshToken: before.refreshToken })
  })
})

it('a new token that has expired already is used once per call, not refreshed for ever', async () => {
  let granted = 0
  const { app, settled, before } = await expired({
    answer({ accessToken }) {
      granted++
      return answered(200, { access_token: accessTokenText({ ...ownerOf(accessToken), exp: 1 }) })
    },
  })
  expect(await settled(app.accessToken())).toBe(accessTokenText({ ...ownerOf(before.accessToken), exp: 1 }))
  expect(granted).toBe(1)
})

it('the grant is sent as a form without headers of the kit', async () => {
  const given = await world()
  const sent: Request[] = []
  const fetch = intercept(given.platform.options.fetch, request => {
    sent.push(request)
    return undefined
  })
  const tokens = await given.platform.tokensFor(ada.email)
  const { refreshToken } = tokens.read()!
  const app = given.newApp({ tokens, fetch, extraHeaders: { 'x-mine': '1' } })
  await given.clock.advance(tenMinutes)
  await given.settled(app.accessToken())
  expect(sent).toHaveLength(1)
  expect(Object.fromEntries(sent[0]!.headers)).toEqual({
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  })
  expect(Object.fromEntries(new URLSearchParams(await sent[0]!.text()))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: given.platform.options.projectId,
    client_secret: given.platform.options.publishableClientKey,
  })
})
