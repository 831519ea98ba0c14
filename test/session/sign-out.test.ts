import { isAuthError, memoryTokens, storageTokens, type Tokens, type TokenStorage, type TokenStore } from 'rxauth'
import { browser, credentialsOf } from '../tabs'
import { ada, grace, world, type World } from '../world'
import { wait } from '../../src/core/clock'
import { readAccessToken } from '../../src/transport/access-token'
import { answered, intercept, isRefresh, knownError, userAnswer } from './intercept'
import { slowTokens } from './slow-tokens'

const revoke = 'DELETE /auth/sessions/current'
const refresh = 'POST /auth/oauth/token'
const users = 'GET /users/me'

/** Ada's kit, with visible requests. */
async function signedIn(options: { readonly tokens?: (tokens: Tokens, given: World) => TokenStore } = {}) {
  const given = await world()
  const reported: unknown[] = []
  const adas = (await given.platform.tokensFor(ada.email)).read()!
  const store = options.tokens?.(adas, given) ?? memoryTokens(adas)
  const sent: Request[] = []
  const inits: (RequestInit | undefined)[] = []
  const { fetch } = given.platform.options
  const app = given.newApp({
    tokens: store,
    onUnhandled: error => reported.push(isAuthError(error) ? error.code : error),
    fetch: (input, init) => {
      sent.push(new Request(input, init))
      inits.push(init)
      return fetch(input, init)
    },
  })
  return { ...given, app, store, adas, sent, inits, reported }
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

  // Promise: answer-names-the-user
  it.each(['refreshed by the sign-out', 'that is being refreshed'])(
    '%s is replaced by no token of another user, whose session would be revoked',
    async how => {
      const { clock, newApp, platform, requests, settled } = await world()
      const tokens = await platform.tokensFor(ada.email)
      await clock.advance(600_000)
      const theirs = (await platform.tokensFor(grace.email)).read()!
      const fetch = intercept(platform.options.fetch, async request => {
        if (!isRefresh(request)) return undefined
        await wait(clock, 1000)
        return answered(200, { access_token: theirs.accessToken })
      })
      const app = newApp({ tokens, fetch })
      requests.length = 0
      if (how === 'that is being refreshed') void app.accessToken().catch(() => undefined)
      await clock.advance(0)
      const signingOut = app.signOut()
      await clock.advance(3000)
      await settled(signingOut)
      expect(requests).toEqual([])
      expect(tokens.read()).toBeNull()
    },
  )

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
    const { app, reported, requests, settled } = await signedIn({
      tokens: adas => ({
        read: () => adas,
        replace() {
          throw new Error('read-only')
        },
      }),
    })
    await settled(app.user$.get())
    await expect(settled(app.signOut())).rejects.toMatchObject({ code: 'CALLBACK_FAILED' })
    expect(reported).toEqual(['CALLBACK_FAILED'])
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
    await expect(settled(app.signOut())).rejects.toMatchObject({ code: 'CALLBACK_FAILED' })
    // The first read after the sign-out finds the session again, and cannot clear it either.
    expect(await settled(app.accessToken())).toBeNull()
    expect(store.read()).not.toBeNull()
    isReadOnly = false
    expect(await settled(app.accessToken())).toBeNull()
    expect(store.read()).toBeNull()
  })

  it.each<[string, (adas: Tokens) => Tokens]>([
    ['both tokens', adas => adas],
    ['a bare refresh token', adas => ({ ...adas, accessToken: null })],
    ['an access token alone', adas => ({ ...adas, refreshToken: null })],
  ])('that keeps %s whatever it is told does not bring the session back, and this is told', async (_, held) => {
    const { app, reported, requests, settled } = await signedIn({
      tokens: adas => ({ read: () => held(adas), replace: () => false }),
    })
    await expect(settled(app.signOut())).rejects.toMatchObject({ code: 'TOKENS_UNAVAILABLE' })
    expect([reported, requests.at(-1)]).toEqual([['TOKENS_UNAVAILABLE'], revoke])
    expect(await settled(app.accessToken())).toBeNull()
    expect(await settled(app.user$.get())).toBeNull()
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

  it('that is slow: the session that was shown ends, also where it has another one by the time it answers', async () => {
    let become: (tokens: Tokens) => unknown = () => undefined
    const { app, adas, clock, newApp, platform, settled, sent } = await signedIn({
      tokens: (adas, { clock }) => {
        const { store, inner } = slowTokens(clock, 20, adas)
        become = next => inner.replace(adas, next)
        return store
      },
    })
    app.user$.subscribe()
    await clock.advance(200)
    const graces = (await platform.tokensFor(grace.email)).read()!
    const signingOut = app.signOut()
    become(graces)
    await clock.advance(1000)
    await settled(signingOut)
    expect(sent.filter(({ method }) => method === 'DELETE')).toHaveLength(2)
    for (const { refreshToken } of [adas, graces]) {
      const copy = newApp({ tokens: memoryTokens({ accessToken: null, refreshToken }) })
      expect(await settled(copy.user$.get())).toBeNull()
    }
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

describe('a storage', () => {
  const key = 'rxauth-tokens'
  const refuse = () => {
    throw new Error('not allowed')
  }
  const deletions: Readonly<Record<string, (values: Map<string, string>) => unknown>> = {
    throws: refuse,
    'is ignored': () => undefined,
    'rejects later': async () => Promise.resolve().then(refuse),
    'is ignored later': async () => Promise.resolve(),
  }
  const storage = (values: Map<string, string>, parts: Partial<TokenStorage>): TokenStorage => ({
    getItem: name => values.get(name) ?? null,
    setItem: (name, value) => values.set(name, value),
    removeItem: name => values.delete(name),
    ...parts,
  })

  it.each(Object.entries(deletions))(
    'whose deletion %s is overwritten: the next start is signed out',
    async (_, remove) => {
      const values = new Map<string, string>()
      const kept = storage(values, { removeItem: () => remove(values) })
      const { app, newApp, reported, settled } = await signedIn({
        tokens(adas) {
          values.set(key, JSON.stringify(adas))
          return storageTokens(kept)
        },
      })
      await settled(app.signOut())
      expect([reported, await settled(newApp({ tokens: storageTokens(kept) }).accessToken())]).toEqual([[], null])
      expect(values.get(key)).toBe('null')
      expect(await settled(app.signInWithPassword(credentialsOf(ada)))).toMatchObject({ ok: true })
    },
  )

  it.each(
    Object.entries(deletions).flatMap(([deletion, remove]) =>
      (
        [
          ['throws', refuse],
          ['is ignored', () => undefined],
        ] as const
      ).map(([writing, write]) => [deletion, writing, remove, write] as const),
    ),
  )('whose deletion %s and whose writing %s is reported, and the session revoked', async (_d, _w, remove, write) => {
    const values = new Map<string, string>()
    const { app, clock, reported, requests, settled } = await signedIn({
      tokens(adas) {
        values.set(key, JSON.stringify(adas))
        return storageTokens(storage(values, { removeItem: () => remove(values), setItem: write }))
      },
    })
    await expect(settled(app.signOut())).rejects.toMatchObject({ code: 'TOKENS_UNAVAILABLE' })
    await clock.advance(0)
    expect([reported, requests]).toEqual([['TOKENS_UNAVAILABLE'], [revoke]])
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
    expect(await settled(app.accessToken())).toBeNull()
  })
})

describe('right after signOut(), which nothing waits for,', () => {
  /** On a token store that answers after 20 ms; `before`: how well the kit knows the session. */
  const slow = async (before: 'known' | 'watched' | 'never read' | 'a bare refresh token') => {
    const isBare = before === 'a bare refresh token'
    const given = await signedIn({
      tokens: (adas, { clock }) => slowTokens(clock, 20, { ...adas, ...(isBare && { accessToken: null }) }).store,
    })
    const { app, clock, settled } = given
    if (before === 'watched') app.user$.subscribe()
    if (before === 'known') {
      const reading = app.user$.get()
      await clock.advance(1000)
      await settled(reading)
    }
    await clock.advance(1000)
    given.requests.length = 0
    return given
  }

  it.each(['known', 'watched', 'never read', 'a bare refresh token'] as const)(
    'a slow token store gives no user: %s',
    async before => {
      const { app, clock, requests } = await slow(before)
      void app.signOut()
      const answers = Promise.all([
        app.accessToken(),
        app.authHeaders(),
        app.authHeaders({ as: 'stack' }),
        app.user$.get(),
        app.user$.refresh(),
        app.teams$.get(),
        app.updateUser({ displayName: 'Countess' }).catch((error: unknown) => isAuthError(error) && error.code),
      ])
      await clock.advance(200)
      expect(await answers).toEqual([null, {}, {}, null, null, [], 'USER_AUTHENTICATION_REQUIRED'])
      expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
      expect(requests).not.toContain('PATCH /users/me')
    },
  )

  it('what is known is shown as signed out before the store has answered', async () => {
    const { app, clock } = await slow('watched')
    expect(app.auth$.value.status).toBe('signed-in')
    void app.signOut()
    await clock.advance(0)
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: null })
    expect(app.tokens$.value).toBeNull()
  })

  it('a read that has begun before gives no user either', async () => {
    const { app, clock } = await slow('known')
    const began = [app.accessToken(), app.user$.get()].map(reading =>
      reading.catch((error: unknown) => isAuthError(error) && error.code),
    )
    await clock.advance(10)
    void app.signOut()
    await clock.advance(200)
    expect(await Promise.all(began)).toEqual([null, 'SESSION_CHANGED'])
  })

  it('a refresh under way brings the session back neither into the store nor into what is shown', async () => {
    const { app, clock, platform, requests, settled, store } = await slow('watched')
    await clock.advance(600_000)
    requests.length = 0
    platform.faults.next(refresh, { delayMillis: 35 })
    const token = app.accessToken()
    const states: string[] = []
    // The refresh is answered while the sign-out reads the store.
    await clock.advance(40)
    app.auth$.subscribe(({ status }) => states.push(status))
    const signingOut = app.signOut()
    await clock.advance(500)
    await settled(signingOut)
    expect(await settled(token)).toBeNull()
    const left = store.read()
    await clock.advance(20)
    expect(await left).toBeNull()
    expect(states).toEqual(['signed-in', 'signed-out'])
    expect(requests).toEqual([refresh, revoke])
  })

  it('a second sign-out ends no more than the first', async () => {
    const { app, clock, requests, settled } = await slow('known')
    const both = Promise.all([app.signOut(), app.signOut()])
    await clock.advance(500)
    await settled(both)
    expect(requests).toEqual([revoke])
  })

  it('a read that overtakes the reads of a second one, of a session that has begun meanwhile, gives no token', async () => {
    const quick = { is: false }
    const { app, clock } = await signedIn({
      tokens: (adas, { clock }) => {
        const { store, inner } = slowTokens(clock, 20, adas)
        return { ...store, read: () => (quick.is ? inner.read() : store.read()) }
      },
    })
    void app.signInWithPassword(credentialsOf(grace))
    await clock.advance(25)
    void app.signOut()
    // Grace has a session since 60 ms; the first one ends at 85 ms, and the second one reads the store until 105 ms.
    await clock.advance(45)
    void app.signOut()
    await clock.advance(20)
    quick.is = true
    const token = app.accessToken()
    await clock.advance(200)
    expect(await token).toBeNull()
  })

  it('a sign-in begins a session that stays', async () => {
    const { app, clock, settled } = await slow('known')
    void app.signOut()
    const signingIn = app.signInWithPassword(credentialsOf(grace))
    await clock.advance(500)
    expect(await settled(signingIn)).toMatchObject({ ok: true })
    const reading = app.user$.get()
    await clock.advance(500)
    expect(await settled(reading)).toMatchObject({ displayName: 'Grace' })
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
