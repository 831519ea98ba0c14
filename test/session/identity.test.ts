import { derive, memoryTokens, project$, query, requestTokens } from 'rxauth'
import type { ClientApp, Tokens, TokenStore } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { identify, newIdentity, reasonOf } from '../../src/session/identity'
import { coreOf } from '../../src/store/kit-parts'
import { browser, credentialsOf } from '../tabs'
import { ada, grace, world, type World } from '../world'
import { accessTokenText } from './access-token-text'
import { intercept, knownError } from './intercept'
import { slowTokens } from './slow-tokens'

const users = 'GET /users/me'
const refresh = 'POST /auth/oauth/token'
const update = 'PATCH /users/me'

const tokens = (claims: object, refreshToken: string | null = 'refresh-1'): Tokens => ({
  accessToken: accessTokenText({ ...claims }),
  refreshToken,
})

async function tokensOf({ platform }: World, { email }: { readonly email: string }): Promise<Tokens> {
  return (await platform.tokensFor(email)).read()!
}

/** A kit with Ada signed in, over a store with other writers. */
async function shared(asSeen: (store: TokenStore) => TokenStore = store => store) {
  const given = await world()
  const store = memoryTokens(await tokensOf(given, ada))
  const sent: Request[] = []
  const fetch = intercept(given.platform.options.fetch, request => {
    sent.push(request)
    return undefined
  })
  const app = given.newApp({ tokens: asSeen(store), fetch })
  const become = (next: Tokens | null) => void store.replace(store.read() as Tokens | null, next)
  return { ...given, app, store, sent, become, graces: await tokensOf(given, grace) }
}

const answeringLater = (store: TokenStore): TokenStore => ({
  read: async () => Promise.resolve(store.read()),
  replace: async (expected, next) => Promise.resolve(store.replace(expected, next)),
})

describe('an identity', () => {
  const adas = newIdentity('user', 'user-1', 'session-1')

  // Promise: identity-is-ids
  it('is the user id and the session id, not a token text', () => {
    expect(identify(adas, tokens({ iat: 2 }, 'refresh-2'), false)).toBe(adas)
    expect(identify(adas, tokens({ sub: 'user-2' }), true)).not.toBe(adas)
    expect(identify(adas, tokens({ refreshTokenId: 'session-2' }), true)).not.toBe(adas)
  })

  // Promise: identity-undetermined
  it('is undetermined with a refresh token only, and determining it is no change', () => {
    const undetermined = identify(newIdentity('unknown'), { accessToken: null, refreshToken: 'refresh-1' }, false)
    expect(undetermined).toMatchObject({ kind: 'user', userId: null, sessionId: null })
    expect(identify(undetermined, tokens({}), true)).toEqual({
      ...undetermined,
      userId: 'user-1',
      sessionId: 'session-1',
    })
    expect(identify(undetermined, tokens({}), true).owner).toBe(undetermined.owner)
  })

  it('that is undetermined is another one with another refresh token', () => {
    const undetermined = identify(newIdentity('unknown'), { accessToken: null, refreshToken: 'refresh-1' }, false)
    expect(identify(undetermined, { accessToken: null, refreshToken: 'refresh-2' }, false)).not.toBe(undetermined)
    expect(identify(undetermined, tokens({}, 'refresh-2'), false)).not.toBe(undetermined)
  })

  it('stays while its access token is missing', () => {
    expect(identify(adas, { accessToken: null, refreshToken: 'refresh-1' }, true)).toBe(adas)
    expect(identify(adas, { accessToken: null, refreshToken: 'refresh-2' }, false)).not.toBe(adas)
  })

  it('of a signed-out session stays the same while it is signed out', () => {
    const signedOut = newIdentity('signed-out')
    expect(identify(signedOut, null, false)).toBe(signedOut)
    expect(identify(adas, null, false)).toMatchObject({ kind: 'signed-out' })
  })

  it.each([
    ['never', 'elsewhere', 'unknown'],
    ['elsewhere', 'elsewhere', 'user'],
    ['elsewhere', 'refreshed', 'user'],
    ['signed-out', 'signed-out', 'user'],
    ['expired', 'expired', 'unknown'],
    ['deleted', 'deleted', 'user'],
  ] as const)('ends as %s by the cause %s when it was %s', (reason, cause, kind) => {
    expect(reasonOf(cause, newIdentity(kind))).toBe(reason)
  })
})

// Promise: new-tokens-clear-nothing
it('new tokens of the same identity are rotation: they clear nothing and load nothing', async () => {
  const { app, become, clock, requests, settled, store } = await shared()
  const snapshots: unknown[] = []
  app.user$.snapshot$.subscribe(snapshot => snapshots.push(snapshot))
  await clock.advance(0)
  snapshots.length = 0
  const { accessToken } = store.read() as Tokens
  become({ accessToken, refreshToken: 'rotated' })
  expect(await settled(app.accessToken())).toBe(accessToken)
  expect(await settled(app.user$.get())).toMatchObject({ displayName: 'Ada' })
  expect(snapshots).toEqual([])
  expect(requests).toEqual([users])
})

// Promise: identity-undetermined
it('with only a refresh token stores are pending until the first access token, and then emit once', async () => {
  const given = await world()
  const { refreshToken } = await tokensOf(given, ada)
  const app = given.newApp({ tokens: memoryTokens({ accessToken: null, refreshToken }) })
  const seen: unknown[] = []
  app.user$.snapshot$.subscribe(snapshot => seen.push(snapshot.status))
  app.auth$.subscribe(({ status }) => seen.push(status))
  given.platform.faults.next(refresh, { delayMillis: 1000 })
  await given.clock.advance(999)
  expect(seen).toEqual(['pending', 'unknown'])
  await given.clock.advance(1)
  expect(seen).toEqual(['pending', 'unknown', 'ready', 'signed-in'])
})

// Promise: identity-is-ids
it('a new session of the same user is another identity', async () => {
  const given = await shared()
  const { app, become, clock, settled } = given
  const seen: string[] = []
  app.user$.snapshot$.subscribe(({ status }) => seen.push(status))
  await clock.advance(0)
  become(await tokensOf(given, ada))
  await settled(app.accessToken())
  expect(seen).toEqual(['pending', 'ready', 'pending', 'ready'])
})

// Promise: identity-change-empties-stores
it('when the identity changes, every store of the session is emptied in one commit before anything else happens', async () => {
  const { app, become, clock, graces, settled, sent } = await shared()
  const seen: unknown[] = []
  app.user$.subscribe()
  app.anyUser$.subscribe()
  await clock.advance(0)
  const states = () => [app.user$.snapshot.status, app.anyUser$.snapshot.status, app.auth$.value.status]
  app.trace$.subscribe(event => {
    if (event.type === 'commit') seen.push([event.cause, event.stores])
  })
  app.user$.listen(() => seen.push(states()))
  sent.length = 0
  become(graces)
  await settled(app.accessToken())
  expect(seen[0]).toEqual([
    'session: elsewhere',
    expect.arrayContaining([expect.stringContaining('users/me'), 'session']),
  ])
  expect(seen[1]).toEqual(['pending', 'pending', 'unknown'])
  expect(sent.map(({ headers }) => headers.get('x-stack-access-token'))).toEqual([graces.accessToken])
})

// Promise: identity-change-empties-stores
it('throttles start anew with another identity: its load waits for no 300 ms', async () => {
  const { app, clock, newApp, settled, requests } = await world()
  const other = newApp()
  other.user$.subscribe()
  await settled(other.signInWithPassword(credentialsOf(ada)))
  requests.length = 0
  await settled(other.signInWithPassword(credentialsOf(grace)))
  expect(other.user$.snapshot).toMatchObject({ status: 'ready', value: { displayName: 'Grace' } })
  expect(requests).toEqual(['POST /auth/password/sign-in', users])
  await clock.advance(0)
  app.dispose()
})

it('a token store that changes its own object in place shows nothing of the former user', async () => {
  const given = await shared()
  const pair = { ...(await tokensOf(given, ada)) }
  const changing: TokenStore = { read: () => pair, replace: () => true }
  const app = given.newApp({ tokens: changing })
  await given.settled(app.user$.get())
  expect(app.user$.snapshot.status).toBe('ready')
  Object.assign(pair, given.graces)
  expect(app.user$.snapshot.status).toBe('pending')
})

describe('a write', () => {
  // Promise: reads-tokens-before-attempts
  it('retried after 429 is never sent as another user', async () => {
    const { app, become, clock, graces, platform, requests, sent } = await shared()
    platform.faults.next(update, { status: 429, retryAfter: '5' })
    const write = app.updateUser({ displayName: 'Mine' })
    write.catch(() => undefined)
    await clock.advance(1000)
    become(graces)
    await clock.advance(10_000)
    await expect(write).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(requests).toEqual([update])
    expect(sent).toHaveLength(1)
  })

  it('retried after 429 continues after a rotation', async () => {
    const { app, become, clock, platform, requests, settled, store } = await shared()
    platform.faults.next(update, { status: 429, retryAfter: '5' })
    const write = app.updateUser({ displayName: 'Mine' })
    await clock.advance(1000)
    become({ ...(store.read() as Tokens), refreshToken: 'rotated' })
    await clock.advance(10_000)
    expect(await settled(write)).toMatchObject({ displayName: 'Mine' })
    expect(requests).toEqual([update, update])
  })

  // Promise: reads-tokens-before-attempts
  it('sends nothing if the store already holds another identity than the kit has shown', async () => {
    const { app, become, clock, graces, settled, sent } = await shared()
    await settled(app.user$.get())
    await clock.advance(10_000)
    become(graces)
    sent.length = 0
    await expect(settled(app.updateUser({ displayName: 'Mine' }))).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(sent).toEqual([])
    expect(await settled(app.updateUser({ displayName: "Grace's" }))).toMatchObject({ displayName: "Grace's" })
  })

  // Promise: reads-tokens-before-attempts
  it.each<[string, (app: ClientApp) => Promise<unknown>]>([
    ['write', app => app.updateUser({ displayName: 'Mine' })],
    ['read', app => app.user$.refresh()],
    ['token', app => app.accessToken()],
  ])('sends nothing after a %s of the same tick has found another identity', async (_, first) => {
    const { app, become, graces, sent, clock, settled } = await shared()
    await settled(app.user$.get())
    become(graces)
    const before = first(app)
    before.catch(() => undefined)
    await expect(settled(app.updateUser({ displayName: 'Mine' }))).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    await clock.advance(1000)
    expect(sent.filter(({ method }) => method === 'PATCH')).toEqual([])
    expect(await settled(app.updateUser({ displayName: "Grace's" }))).toMatchObject({ displayName: "Grace's" })
  })

  // Promise: reads-tokens-before-attempts
  it.each<[string, (app: ClientApp) => Promise<unknown>, asSeen: (store: TokenStore) => TokenStore]>([
    ['read', app => app.user$.refresh(), store => store],
    ['token', app => app.accessToken(), store => store],
    ['read of a store that answers later', app => app.user$.refresh(), answeringLater],
    ['token of a store that answers later', app => app.accessToken(), answeringLater],
  ])('sends nothing while a %s that has found another identity is under way', async (_, first, asSeen) => {
    const { app, become, graces, platform, sent, clock, settled } = await shared(asSeen)
    await settled(app.user$.get())
    await clock.advance(600_000)
    become(graces)
    platform.faults.next(refresh, { delayMillis: 1000 })
    platform.faults.next('GET /users/me', { delayMillis: 1000 })
    const before = first(app)
    before.catch(() => undefined)
    await clock.advance(100)
    await expect(settled(app.updateUser({ displayName: 'Mine' }))).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    await clock.advance(2000)
    expect(sent.filter(({ method }) => method === 'PATCH')).toEqual([])
    expect(await settled(app.updateUser({ displayName: "Grace's" }))).toMatchObject({ displayName: "Grace's" })
  })

  // Promise: reads-tokens-before-attempts
  it('that is the first call of a kit sends nothing, if a sign-in here ends before it has begun', async () => {
    const { app, store, graces, sent, settled } = await shared()
    const write = app.updateUser({ displayName: 'Mine' })
    void coreOf(app).session.write(store.read() as Tokens, graces, 'signed-in')
    await expect(settled(write)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(sent).toEqual([])
  })

  // Promise: reads-tokens-before-attempts
  it('sends nothing if another user signs in while its access token is being refreshed', async () => {
    const { app, become, clock, graces, platform, requests } = await shared()
    await clock.advance(600_000)
    platform.faults.next(refresh, { delayMillis: 1000 })
    const write = app.updateUser({ displayName: 'Mine' })
    write.catch(() => undefined)
    await clock.advance(500)
    become(graces)
    await clock.advance(1000)
    await expect(write).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(requests).toEqual([refresh])
  })

  // Promise: call-belongs-to-identity
  it('made while undetermined belongs to the refresh token, and is sent once that is determined', async () => {
    const given = await world()
    const { refreshToken } = await tokensOf(given, ada)
    const app = given.newApp({ tokens: memoryTokens({ accessToken: null, refreshToken }) })
    expect(await given.settled(app.updateUser({ displayName: 'Mine' }))).toMatchObject({ displayName: 'Mine' })
    expect(given.requests).toEqual([refresh, update])
  })

  // Promise: call-belongs-to-identity
  it('made while undetermined is never sent for another refresh token', async () => {
    const given = await world()
    const [adas, graces] = [await tokensOf(given, ada), await tokensOf(given, grace)]
    const store = memoryTokens({ accessToken: null, refreshToken: adas.refreshToken })
    const app = given.newApp({ tokens: store })
    given.platform.faults.next(refresh, { delayMillis: 1000 })
    const write = app.updateUser({ displayName: 'Mine' })
    write.catch(() => undefined)
    await given.clock.advance(500)
    void store.replace(adas, { accessToken: null, refreshToken: graces.refreshToken })
    await given.clock.advance(1000)
    await expect(write).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(given.requests).toEqual([refresh])
  })

  it('made before a sign-out is not sent after it', async () => {
    const { app, clock, platform, settled, requests } = await shared()
    platform.faults.next(update, { status: 429, retryAfter: '5' })
    const write = app.updateUser({ displayName: 'Mine' })
    write.catch(() => undefined)
    await clock.advance(0)
    await settled(app.signOut())
    await clock.advance(10_000)
    await expect(write).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(requests.filter(request => request === update)).toHaveLength(1)
  })
})

describe('a read', () => {
  // Promise: reads-tokens-before-attempts
  it('with subscribers starts again as the user who has signed in', async () => {
    const { app, become, clock, graces, platform, settled } = await shared()
    platform.faults.next(users, { delayMillis: 1000 })
    const names: unknown[] = []
    app.user$.subscribe(user => names.push(user?.displayName))
    await clock.advance(0)
    become(graces)
    await settled(app.accessToken())
    await clock.advance(5000)
    expect(names).toEqual(['Grace'])
  })

  // Promise: reads-tokens-before-values
  it('without subscribers is not served to another user', async () => {
    const { app, become, clock, graces, settled } = await shared()
    await settled(app.user$.get())
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: { displayName: 'Ada' } })
    become(graces)
    expect(app.user$.snapshot).toEqual({ status: 'pending' })
    expect(app.user$.snapshot).toEqual({ status: 'pending' })
    await clock.advance(0)
    expect(await settled(app.user$.get())).toMatchObject({ displayName: 'Grace' })
  })

  it('that overlaps a change rejects with SESSION_CHANGED', async () => {
    const { app, become, clock, graces, platform, settled } = await shared()
    platform.faults.next(users, { delayMillis: 1000 })
    const got = app.user$.get()
    got.catch(() => undefined)
    await clock.advance(0)
    become(graces)
    await settled(app.accessToken())
    await clock.advance(1000)
    await expect(settled(got)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
  })
})

// Promise: calls-without-session
it('calls that belong to no session carry no user tokens, and a sign-in meanwhile does not reject them', async () => {
  const { app, become, clock, graces, platform, sent, settled } = await shared()
  platform.faults.next('GET /projects/current', { delayMillis: 1000 })
  const project = project$(app).get()
  await clock.advance(0)
  become(graces)
  await settled(app.accessToken())
  await clock.advance(1000)
  expect(await settled(project)).toMatchObject({ id: platform.options.projectId })
  await settled(app.signInWithPassword(credentialsOf(ada)))
  for (const { headers } of sent.filter(({ url }) => !url.endsWith('/users/me')))
    expect([headers.get('x-stack-access-token'), headers.get('x-stack-refresh-token')]).toEqual([null, null])
  expect(sent.length).toBeGreaterThanOrEqual(2)
})

// Promise: snapshot-of-slow-tokens
it('a snapshot without subscribers over an asynchronous token store is pending', async () => {
  const given = await world()
  const { store } = slowTokens(given.clock, 10, await tokensOf(given, ada))
  const app = given.newApp({ tokens: store })
  const got = app.user$.get()
  await given.clock.advance(100)
  expect(await given.settled(got)).toMatchObject({ displayName: 'Ada' })
  expect(app.user$.snapshot).toEqual({ status: 'pending' })
  const watching = app.user$.subscribe()
  await given.clock.advance(100)
  expect(app.user$.snapshot).toMatchObject({ status: 'ready' })
  watching.unsubscribe()
})

// Promise: anonymous-identity
it('an anonymous user is an identity: signed out in user$, and present in anyUser$ and auth$', async () => {
  const given = await world()
  const fetch = intercept(given.platform.options.fetch, async request => {
    const answer = await given.platform.options.fetch(request)
    const user = (await answer.json()) as object
    return Response.json({ ...user, is_anonymous: true })
  })
  const app = given.newApp({ tokens: await given.platform.tokensFor(ada.email), fetch })
  expect(await given.settled(app.user$.get())).toBeNull()
  expect(await given.settled(app.anyUser$.get())).toMatchObject({ isAnonymous: true })
  expect(app.auth$.value).toMatchObject({ status: 'anonymous', user: { isAnonymous: true } })
  expect(await given.settled(app.accessToken())).toEqual(expect.any(String))
})

describe('CANNOT_GET_OWN_USER_WITHOUT_USER', () => {
  async function withoutUser(options: { readonly isDeleted: boolean; readonly refreshToken?: null }) {
    const given = await world()
    const adas = { ...(await tokensOf(given, ada)), ...('refreshToken' in options && { refreshToken: null }) }
    const store: TokenStore = memoryTokens(adas)
    if (options.isDeleted) await deleteAccount(given, adas)
    const fetch = intercept(given.platform.options.fetch, async request => {
      if (options.isDeleted || !request.url.endsWith('/users/me')) return undefined
      const body = { code: 'CANNOT_GET_OWN_USER_WITHOUT_USER', error: 'no user' }
      return Response.json(body, { status: 400, headers: { 'x-stack-known-error': body.code } })
    })
    given.requests.length = 0
    const app = given.newApp({ tokens: store, fetch })
    const states: unknown[] = []
    app.auth$.subscribe(state => states.push(state))
    await given.clock.advance(0)
    return { ...given, app, store, states }
  }

  // Promise: unknown-user
  it('forces one refresh; refused, the session ends as deleted', async () => {
    const { requests, states, store } = await withoutUser({ isDeleted: true })
    expect(states).toEqual([{ status: 'unknown' }, { status: 'signed-out', reason: 'deleted' }])
    expect(requests).toEqual([users, refresh])
    expect(store.read()).toBeNull()
  })

  // Promise: unknown-user
  it('forces one refresh; granted, auth$ stays unknown with the error and the session stays', async () => {
    const { app, requests, settled, states, store } = await withoutUser({ isDeleted: false })
    const error = expect.objectContaining({ code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' })
    expect(states).toEqual([{ status: 'unknown' }, { status: 'unknown', error }])
    expect(requests).toEqual([refresh])
    expect(store.read()).not.toBeNull()
    expect(await settled(app.user$.get())).toBeNull()
    expect(states).toHaveLength(2)
  })

  it('at a server with the tokens of a request forces one refresh; granted, ownUser$ is null', async () => {
    const { platform, requests, settled, tokensOf } = await world()
    const fetch = intercept(platform.options.fetch, ({ url }) =>
      url.endsWith('/users/me') ? knownError(400, 'CANNOT_GET_OWN_USER_WITHOUT_USER') : undefined,
    )
    const server = createServerApp({ ...platform.serverOptions, fetch })
    const app = server.withTokens(await tokensOf(ada))
    expect(await settled(app.ownUser$.get())).toBeNull()
    expect(requests).toEqual([refresh])
    expect(app.tokens$.value).not.toBeNull()
  })

  // Promise: unknown-user
  it('without a refresh token ends the session as deleted', async () => {
    const { requests, states, store } = await withoutUser({ isDeleted: true, refreshToken: null })
    expect(states).toEqual([{ status: 'unknown' }, { status: 'signed-out', reason: 'deleted' }])
    expect(requests).toEqual([users])
    expect(store.read()).toBeNull()
  })
})

async function deleteAccount({ platform }: World, { accessToken }: Tokens): Promise<void> {
  const { baseUrl, projectId, secretServerKey } = platform.serverOptions
  const answer = await platform.fetch(
    new Request(`${baseUrl}/api/v1/users/me`, {
      method: 'DELETE',
      headers: {
        'x-stack-access-type': 'server',
        'x-stack-project-id': projectId,
        'x-stack-secret-server-key': secretServerKey,
        'x-stack-access-token': accessToken!,
      },
    }),
  )
  if (!answer.ok) throw new Error(`could not delete the account: ${await answer.text()}`)
}

describe('a dead refresh token, all that the token store holds,', () => {
  const dead: Tokens = { accessToken: null, refreshToken: 'refresh-of-no-session' }

  // Promise: session-end-is-no-identity
  it.each<[what: string, read: (app: ClientApp) => Promise<unknown>, value: unknown]>([
    ['user$.get() null', app => app.user$.get(), null],
    ['user$.refresh() null', app => app.user$.refresh(), null],
    ['sessions$.get() empty', app => app.sessions$.get(), []],
    [
      'a derived get() what it makes of null',
      app => derive(app, read => read(app.user$) ?? 'signed out').get(),
      'signed out',
    ],
    ['accessToken() null', app => app.accessToken(), null],
  ])('makes %s, with one refresh and no other request', async (_, read, value) => {
    const { clock, newApp, requests, settled } = await world()
    const app = newApp({ tokens: memoryTokens(dead) })
    const reads = Promise.all([read(app), read(app)])
    // Two of refresh() are two loads, which are 300 ms apart.
    await clock.advance(300)
    expect(await settled(reads)).toEqual([value, value])
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
    expect(requests).toEqual([refresh])
  })

  // Promise: session-end-is-no-identity
  it('is reported to watchers as signed out in one commit, and nothing else', async () => {
    const { clock, newApp } = await world()
    const app = newApp({ tokens: memoryTokens(dead) })
    const told: unknown[] = []
    app.auth$.subscribe(({ status }) => told.push([status, app.user$.snapshot.status]))
    app.user$.subscribe({ next: user => told.push(user), error: error => told.push(error) })
    await clock.advance(1000)
    expect(told).toEqual([['unknown', 'pending'], ['signed-out', 'ready'], null])
  })

  it('that could not be checked at first turns a failed store into null', async () => {
    const { clock, newApp, platform } = await world()
    let isDown = true
    const fetch = intercept(platform.options.fetch, () => (isDown ? new Response('down', { status: 503 }) : undefined))
    const app = newApp({ tokens: memoryTokens(dead), fetch })
    app.user$.snapshot$.subscribe()
    await clock.advance(1000)
    expect(app.user$.snapshot).toMatchObject({ status: 'failed', error: { code: 'REQUEST_FAILED' } })
    isDown = false
    expect(await clock.settled(app.accessToken())).toBeNull()
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: null })
  })

  it('shows nothing that was loaded before it was checked', async () => {
    const { clock, newApp } = await world()
    const app = newApp({ tokens: memoryTokens(dead) })
    const notes$ = query(async () => 'notes', { key: 'notes', ownedBy: 'session', signedOut: 'none' })(app)
    const told: unknown[] = []
    notes$.subscribe(notes => told.push(notes))
    expect(await clock.settled(notes$.get())).toBe('notes')
    expect(await clock.settled(app.accessToken())).toBeNull()
    expect(told).toEqual(['notes', 'none'])
  })

  it('is null for every kit of a request, and for every tab', async () => {
    const { newApp, platform, settled, requests } = await world()
    const headers = { cookie: `stack-refresh-${platform.options.projectId}=${dead.refreshToken}` }
    const kits = Array.from({ length: 3 }, () => newApp({ tokens: requestTokens({ headers }) }))
    expect(await settled(Promise.all(kits.map(kit => kit.user$.get())))).toEqual([null, null, null])
    expect(requests).toEqual([refresh])
    const shared = browser()
    const tabs = Array.from({ length: 3 }, () => shared.tab())
    shared.jar.on('https://app.example.com/').set(`${headers.cookie}; path=/`)
    expect(await shared.clock.settled(Promise.all(tabs.map(({ app }) => app.user$.get())))).toEqual([null, null, null])
    expect(shared.requests).toEqual([refresh])
  })

  // Promise: session-end-is-no-identity
  it('sends no write', async () => {
    const { newApp, requests, settled } = await world()
    const app = newApp({ tokens: memoryTokens(dead) })
    await expect(settled(app.updateUser({ displayName: 'Ada King' }))).rejects.toMatchObject({
      code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED',
    })
    expect(requests).toEqual([refresh])
  })

  it('is another session than one that starts meanwhile', async () => {
    const { clock, newApp, platform } = await world()
    const app = newApp({ tokens: memoryTokens(dead) })
    platform.faults.next(refresh, { delayMillis: 1000 })
    const failed = app.user$.get().catch((error: unknown) => error)
    await clock.advance(10)
    await clock.settled(app.signInWithPassword(credentialsOf(ada)))
    expect(await clock.settled(failed)).toMatchObject({ code: 'SESSION_CHANGED' })
    expect(await clock.settled(app.user$.get())).toMatchObject({ displayName: 'Ada' })
  })

  it('is SESSION_CHANGED if it is signed out here before that is known', async () => {
    const { clock, newApp, platform } = await world()
    const app = newApp({ tokens: memoryTokens(dead) })
    platform.faults.next(refresh, { delayMillis: 1000 })
    const failed = app.user$.get().catch((error: unknown) => error)
    await clock.advance(10)
    void app.signOut()
    expect(await clock.settled(failed)).toMatchObject({ code: 'SESSION_CHANGED' })
  })
})
