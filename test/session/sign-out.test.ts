import { memoryTokens } from 'rxauth'
import type { Tokens, TokenStore } from 'rxauth'
import { browser, credentialsOf } from '../tabs'
import { ada, grace, world } from '../world'
import type { World } from '../world'
import { readAccessToken } from '../../src/transport/access-token'
import { intercept, isRefresh, knownError, userAnswer } from './intercept'
import { slowTokens } from './slow-tokens'

const revoke = 'DELETE /auth/sessions/current'
const refresh = 'POST /auth/oauth/token'
const users = 'GET /users/me'

/** Ada's kit, with visible requests. */
async function signedIn(options: { readonly tokens?: (tokens: Tokens, given: World) => TokenStore } = {}) {
  const given = await world()
  const adas = (await given.platform.tokensFor(ada.email)).read()!
  const store = options.tokens?.(adas, given) ?? memoryTokens(adas)
  const sent: Request[] = []
  const inits: (RequestInit | undefined)[] = []
  const { fetch } = given.platform.options
  const app = given.newApp({
    tokens: store,
    fetch: (input, init) => {
      sent.push(new Request(input, init))
      inits.push(init)
      return fetch(input, init)
    },
  })
  return { ...given, app, store, adas, sent, inits }
}

// Promise: sign-out
it('clears the store at once, revokes with the access token that it had, and resolves when that is done', async () => {
  const { app, adas, clock, inits, platform, requests, sent, settled, store } = await signedIn()
  platform.faults.next(revoke, { delayMillis: 1500 })
  let isDone = false
  const signingOut = app.signOut().then(() => (isDone = true))
  await clock.advance(0)
  expect(store.read()).toBeNull()
  expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
  await clock.advance(1499)
  expect(isDone).toBe(false)
  await clock.advance(1)
  await settled(signingOut)
  expect(requests).toEqual([revoke])
  expect(sent[0]!.headers.get('x-stack-access-token')).toBe(adas.accessToken)
  expect(inits[0]).toMatchObject({ keepalive: true })
})

it('ends the session on the platform too: its refresh token is refused afterwards', async () => {
  const { app, adas, newApp, settled } = await signedIn()
  await settled(app.signOut())
  const thief = newApp({ tokens: memoryTokens({ ...adas, accessToken: null }) })
  expect(await settled(thief.accessToken())).toBeNull()
})

// Promise: sign-out
it.each([
  ['revoking hangs', revoke, 0],
  ['a refresh hangs', refresh, 600_000],
])('resolves after 2000 ms if %s', async (_, route, elapsed) => {
  const { app, clock, platform, settled } = await signedIn()
  await clock.advance(elapsed)
  platform.faults.next(route, { delayMillis: 3_600_000 })
  let isDone = false
  const signingOut = app.signOut().then(() => (isDone = true))
  await clock.advance(1999)
  expect(isDone).toBe(false)
  await clock.advance(1)
  await settled(signingOut)
})

it('never waits for a load that hangs', async () => {
  const { app, clock, platform, settled, store } = await signedIn()
  platform.faults.next(users, { delayMillis: 3_600_000 })
  const seen: unknown[] = []
  app.user$.subscribe(user => seen.push(user))
  await clock.advance(0)
  await settled(app.signOut())
  expect(store.read()).toBeNull()
  expect(seen).toEqual([null])
})

// Promise: sign-out
it.each([
  ['lost', { loseResponse: true }],
  ['a 500', { status: 500 }],
  ['garbage', { body: 'garbage' }],
  ['a 429', { status: 429 }],
] as const)('never rejects: the answer is %s', async (_, fault) => {
  const { app, clock, platform, settled, store } = await signedIn()
  platform.faults.every(revoke, fault)
  const signingOut = app.signOut()
  await clock.advance(2000)
  await settled(signingOut)
  expect(store.read()).toBeNull()
})

it.each([
  ['lost', { loseResponse: true }],
  ['a 500', { status: 500 }],
  ['garbage', { body: 'garbage' }],
  ['a 429', { status: 429 }],
] as const)(
  'clears the store at once although it cannot get a token to revoke with: the answer is %s',
  async (_, fault) => {
    const { app, clock, platform, requests, settled, store } = await signedIn()
    await clock.advance(600_000)
    platform.faults.every(refresh, fault)
    const signingOut = app.signOut()
    await clock.advance(0)
    expect([store.read(), app.auth$.value]).toEqual([null, { status: 'signed-out', reason: 'signed-out' }])
    await clock.advance(2000)
    await settled(signingOut)
    expect(requests).not.toContain(revoke)
  },
)

it('does nothing and sends nothing while signed out', async () => {
  const { newApp, requests, settled } = await world()
  const app = newApp()
  await settled(app.signOut())
  expect(requests).toEqual([])
  expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'never' })
})

it('signs out an anonymous user', async () => {
  const given = await world()
  const tokens = (await given.platform.tokensFor(ada.email)).read()!
  const store = memoryTokens(tokens)
  const id = readAccessToken(tokens.accessToken!)?.userId
  const fetch = intercept(given.platform.options.fetch, request =>
    request.url.endsWith('/users/me') ? userAnswer({ id, is_anonymous: true }) : undefined,
  )
  const app = given.newApp({ tokens: store, fetch })
  app.auth$.subscribe()
  await given.clock.advance(0)
  expect(app.auth$.value.status).toBe('anonymous')
  await given.settled(app.signOut())
  expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
  expect(given.requests).toEqual([revoke])
})

describe('an access token that has expired', () => {
  // Promise: sign-out-expired-token
  it('is first refreshed without writing to the store, and the session revoked with the new one', async () => {
    const { app, adas, clock, requests, sent, settled, store } = await signedIn()
    await clock.advance(600_000)
    const written: unknown[] = []
    const { replace } = store
    store.replace = (expected, next) => {
      written.push(next)
      return replace(expected, next)
    }
    await settled(app.signOut())
    expect(requests).toEqual([refresh, revoke])
    expect(sent[1]!.headers.get('x-stack-access-token')).not.toBe(adas.accessToken)
    expect(written).toEqual([null])
  })

  it('unknown to the kit (a clock that is behind) is refreshed off the store when the platform refuses it', async () => {
    const given = await world()
    const store = memoryTokens((await given.platform.tokensFor(ada.email)).read()!)
    const clock = { ...given.clock, now: () => given.clock.now() - 3_600_000 }
    const app = given.newApp({ tokens: store, clock })
    await given.clock.advance(600_000)
    await given.settled(app.signOut())
    expect(given.requests).toEqual([revoke, refresh, revoke])
    expect(store.read()).toBeNull()
  })

  it('without a refresh token is not sent', async () => {
    const { app, clock, requests, settled, store } = await signedIn({
      tokens: ({ accessToken }) => memoryTokens({ accessToken, refreshToken: null }),
    })
    await clock.advance(600_000)
    await settled(app.signOut())
    expect(requests).toEqual([])
    expect(store.read()).toBeNull()
  })
})

// Promise: sign-out
it('joins a refresh that is under way and revokes with its token', async () => {
  const { app, adas, clock, platform, requests, sent, settled, store } = await signedIn()
  await clock.advance(600_000)
  platform.faults.next(refresh, { delayMillis: 1000 })
  const token = app.accessToken()
  await clock.advance(0)
  const signingOut = app.signOut()
  await clock.advance(1000)
  await settled(signingOut)
  expect(requests).toEqual([refresh, revoke])
  expect(sent[1]!.headers.get('x-stack-access-token')).not.toBe(adas.accessToken)
  expect(await settled(token)).toBeNull()
  expect(store.read()).toBeNull()
})

it('clears a session that is rotated in between, and revokes it', async () => {
  let rotate = true
  const { app, requests, settled, store } = await signedIn({
    tokens(adas) {
      const inner = memoryTokens(adas)
      return {
        read: inner.read,
        replace(expected, next) {
          if (rotate) void inner.replace(adas, { ...adas, refreshToken: 'rotated' })
          rotate = false
          return inner.replace(expected, next)
        },
      }
    },
  })
  await settled(app.signOut())
  expect(store.read()).toBeNull()
  expect(requests).toEqual([revoke])
})

it('leaves the session of another user who has signed in meanwhile', async () => {
  let isBusy = false
  const { app, platform, settled, store } = await signedIn({
    tokens(adas) {
      const inner = memoryTokens(adas)
      return {
        read: inner.read,
        replace(expected, next) {
          if (isBusy && next === null) void inner.replace(adas, graces)
          isBusy = false
          return inner.replace(expected, next)
        },
      }
    },
  })
  const graces = (await platform.tokensFor(grace.email)).read()!
  isBusy = true
  await settled(app.signOut())
  expect(store.read()).toEqual(graces)
  expect(await settled(app.user$.get())).toMatchObject({ displayName: 'Grace' })
})

describe('a token store', () => {
  it('that cannot be written is ignored from then on: the session does not return', async () => {
    const { app, requests, settled } = await signedIn({
      tokens: adas => ({
        read: () => adas,
        replace() {
          throw new Error('read-only')
        },
      }),
    })
    await settled(app.user$.get())
    await settled(app.signOut())
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
    expect(await settled(app.accessToken())).toBeNull()
    expect(requests).toEqual([users, revoke])
  })

  it('that could not be written is cleared by a later read', async () => {
    let isReadOnly = true
    const { app, settled, store } = await signedIn({
      tokens(adas) {
        const inner = memoryTokens(adas)
        return {
          read: inner.read,
          replace(expected, next) {
            if (isReadOnly) throw new Error('read-only')
            return inner.replace(expected, next)
          },
        }
      },
    })
    await settled(app.signOut())
    // The first read after the sign-out finds the session again, and cannot clear it either.
    expect(await settled(app.accessToken())).toBeNull()
    expect(store.read()).not.toBeNull()
    isReadOnly = false
    expect(await settled(app.accessToken())).toBeNull()
    expect(store.read()).toBeNull()
  })

  it('that refuses every write does not make it hang', async () => {
    const { app, settled } = await signedIn({ tokens: adas => ({ read: () => adas, replace: () => false }) })
    await settled(app.signOut())
    expect(await settled(app.accessToken())).toBeNull()
  })

  it('that cannot be read any more is cleared all the same', async () => {
    let isBroken = false
    const { app, settled, store } = await signedIn({
      tokens(adas) {
        const inner = memoryTokens(adas)
        return {
          read() {
            if (isBroken) throw new Error('locked')
            return inner.read()
          },
          replace: inner.replace,
        }
      },
    })
    await settled(app.user$.get())
    isBroken = true
    await settled(app.signOut())
    isBroken = false
    expect(store.read()).toBeNull()
  })

  it('that never answers delays it for 2000 ms at most', async () => {
    const { app, clock, settled } = await signedIn({ tokens: (adas, { clock }) => slowTokens(clock, 1e9, adas).store })
    const signingOut = app.signOut()
    await clock.advance(2000)
    await settled(signingOut)
  })

  it('that is slow: the reason is signed-out, even if it is read meanwhile', async () => {
    const { app, clock, settled } = await signedIn({ tokens: (adas, { clock }) => slowTokens(clock, 20, adas).store })
    const states: unknown[] = []
    app.auth$.subscribe(state => states.push('reason' in state ? state.reason : state.status))
    await clock.advance(200)
    const signingOut = app.signOut()
    for (let step = 0; step < 30; step++) {
      app.accessToken().catch(() => null)
      await clock.advance(5)
    }
    await settled(signingOut)
    expect(states).toEqual(['unknown', 'signed-in', 'signed-out'])
  })
})

it('a subscriber that signs out inside next leaves no subscriber with the old user', async () => {
  const { app, clock } = await signedIn()
  const seen: unknown[] = []
  app.user$.subscribe(user => {
    if (user) void app.signOut()
  })
  app.user$.subscribe(user => seen.push(user?.displayName ?? null))
  await clock.advance(2000)
  expect(seen).toEqual(['Ada', null])
  expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: null })
})

it('sign-in after sign-out starts a session independent of the old one', async () => {
  const { app, clock, settled, store } = await signedIn()
  await settled(app.signOut())
  expect(await settled(app.signInWithPassword(credentialsOf(ada)))).toMatchObject({ ok: true })
  await clock.advance(10_000)
  expect(await settled(app.user$.get())).toMatchObject({ displayName: 'Ada' })
  expect(store.read()).not.toBeNull()
})

// Promise: sign-out
it('reports the ended session to the other tabs, without a token', async () => {
  const { channels, clock, platform, signIn, tab } = browser()
  await signIn(ada)
  const { app } = tab()
  app.auth$.subscribe()
  await clock.advance(0)
  const token = await app.accessToken()
  void app.signOut()
  await clock.advance(0)
  const { refreshTokenId } = JSON.parse(atob(token!.split('.')[1]!)) as { refreshTokenId: string }
  expect(channels.said).toEqual([{ ended: refreshTokenId }])
  expect(platform).toBeDefined()
})

it('continues in the background after 2000 ms, and ends with the kit', async () => {
  const given = await world()
  let asked = 0
  const fetch = intercept(given.platform.options.fetch, request => {
    if (isRefresh(request)) return undefined
    asked++
    return knownError(429, 'SCHEMA_ERROR')
  })
  const app = given.newApp({ tokens: await given.platform.tokensFor(ada.email), fetch })
  const signingOut = app.signOut()
  await given.clock.advance(2000)
  await given.settled(signingOut)
  const before = asked
  app.dispose()
  await given.clock.advance(60_000)
  expect(asked).toBe(before)
})

it('of a bare refresh token ends for good the session that becomes known while it ends', async () => {
  const { adas, app, settled, store } = await signedIn({
    tokens: tokens => {
      const inner = memoryTokens({ ...tokens, accessToken: null })
      let isFirst = true
      return {
        ...inner,
        replace(expected, next) {
          const isLate = isFirst
          isFirst = false
          // Another writer has stored an access token.
          return isLate ? !inner.replace({ ...tokens, accessToken: null }, tokens) : inner.replace(expected, next)
        },
      }
    },
  })
  await settled(app.signOut())
  expect(store.read()).toBeNull()
  // By a writer that does not know of the end.
  await store.replace(null, adas)
  expect(await settled(app.accessToken())).toBeNull()
})
