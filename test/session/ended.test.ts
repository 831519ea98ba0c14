import { createOwnedProject, isAuthError, memoryTokens, mutation, query, requestTokens } from 'rxauth'
import type { ClientApp, CookieWrite, TokenSource, Tokens } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import type { PlatformOptions } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { NEVER } from 'rxjs'
import { browser } from '../tabs'
import { ada, grace, world, type World } from '../world'
import { intercept, isRefresh, knownError } from './intercept'
import { slowTokens } from './slow-tokens'

const wires = ['2.8.18', '2026'] as const
const refresh = 'POST /auth/oauth/token'
const tenMinutes = 10 * 60_000

/** What a browser still holds of a session that has ended elsewhere, with the reason and the code to expect. */
const endings = {
  'an expired access token beside a revoked refresh token': {
    reason: 'expired',
    code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED',
    async of(given: World, tokens: Tokens) {
      await remove(given, '/auth/sessions/current', tokens)
      await given.clock.advance(tenMinutes)
      return tokens
    },
  },
  'an expired access token alone': {
    reason: 'expired',
    code: 'ACCESS_TOKEN_EXPIRED',
    async of({ clock }: World, { accessToken }: Tokens) {
      await clock.advance(tenMinutes)
      return { accessToken, refreshToken: null }
    },
  },
  'both tokens of a deleted user': {
    reason: 'deleted',
    code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED',
    async of(given: World, tokens: Tokens) {
      await remove(given, '/users/me', tokens)
      return tokens
    },
  },
  'the access token of a deleted user': {
    reason: 'deleted',
    code: 'CANNOT_GET_OWN_USER_WITHOUT_USER',
    async of(given: World, tokens: Tokens) {
      await remove(given, '/users/me', tokens)
      return { accessToken: tokens.accessToken, refreshToken: null }
    },
  },
} as const

type Ending = keyof typeof endings

/** Ends the session of the tokens without their kit. */
async function remove({ platform }: World, path: string, { accessToken, refreshToken }: Tokens): Promise<void> {
  const { baseUrl, projectId, secretServerKey } = platform.serverOptions
  const headers = {
    'x-stack-access-type': 'server',
    'x-stack-project-id': projectId,
    'x-stack-secret-server-key': secretServerKey,
    'x-stack-access-token': accessToken!,
    'x-stack-refresh-token': refreshToken!,
  }
  const answer = await platform.fetch(new Request(`${baseUrl}/api/v1${path}`, { method: 'DELETE', headers }))
  if (!answer.ok) throw new Error(await answer.text())
}

/** A world in which Ada's session has ended without the kit, and what her browser still holds of it. */
async function ended(ending: Ending, options: PlatformOptions = {}) {
  const given = await world({ platform: { seed: { users: [ada, grace] }, ...options } })
  const tokens = await endings[ending].of(given, (await given.platform.tokensFor(ada.email)).read()!)
  given.requests.length = 0
  return { ...given, tokens }
}

const cases = wires.flatMap(wire => (Object.keys(endings) as Ending[]).map(ending => [ending, wire] as const))

const reads: readonly (readonly [name: string, read: (app: ClientApp) => Promise<unknown>, value: unknown])[] = [
  ['user$.get()', app => app.user$.get(), null],
  ['user$.refresh()', app => app.user$.refresh(), null],
  ['anyUser$.get()', app => app.anyUser$.get(), null],
  ['teams$.get()', app => app.teams$.get(), []],
  ['sessions$.get()', app => app.sessions$.get(), []],
  ['contactChannels$.get()', app => app.contactChannels$.get(), []],
  ['notificationPreferences$.get()', app => app.notificationPreferences$.get(), []],
  ['a derived get()', app => app.derive(read => read(app.user$) ?? 'signed out').get(), 'signed out'],
]

const codeOf = (error: unknown) => (isAuthError(error) ? error.code : error)
const updateName = (app: ClientApp) => app.updateUser({ displayName: 'Mine' })

describe.each(cases)('of %s (%s)', (ending, wire) => {
  const { reason, code } = endings[ending]

  // Promise: session-end-is-no-identity
  it.each(reads)('%s, the first read, returns the signed-out value', async (_, read, value) => {
    const given = await ended(ending, { wire })
    const app = given.newApp({ tokens: memoryTokens(given.tokens) })
    expect(await given.settled(read(app))).toEqual(value)
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason })
    expect(given.requests.filter(request => request === refresh).length).toBeLessThanOrEqual(1)
  })

  // Promise: session-end-is-no-identity
  it('the first write rejects with the code of the refusal, the next with the code for signed out', async () => {
    const { newApp, settled, tokens } = await ended(ending, { wire })
    const app = newApp({ tokens: memoryTokens(tokens) })
    await expect(settled(updateName(app))).rejects.toMatchObject({ code })
    await expect(settled(updateName(app))).rejects.toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' })
  })

  // Promise: session-end-is-no-identity
  it('100 callers share one refresh at most', async () => {
    const { clock, newApp, requests, tokens } = await ended(ending, { wire })
    const app = newApp({ tokens: memoryTokens(tokens) })
    const users = Array.from({ length: 25 }, () => app.user$.get())
    const teams = Array.from({ length: 25 }, () => app.teams$.get())
    const given = Array.from({ length: 25 }, () => app.authHeaders())
    const writes = Array.from({ length: 25 }, () => updateName(app).catch(codeOf))
    await clock.advance(1000)
    expect(await clock.settled(Promise.all(users))).toEqual(Array(25).fill(null))
    expect(await clock.settled(Promise.all(teams))).toEqual(Array(25).fill([]))
    expect(await clock.settled(Promise.all(writes))).toEqual(Array(25).fill(code))
    // A deleted user's access token works until the user is requested.
    expect(await clock.settled(Promise.all(given))).toHaveLength(25)
    expect(requests.filter(request => request === refresh).length).toBe(tokens.refreshToken === null ? 0 : 1)
  })

  it.each<[string, (given: World, tokens: Tokens) => TokenSource]>([
    ['answers later', ({ clock }, tokens) => slowTokens(clock, 5, tokens).store],
    ['others may write', (_, tokens) => ({ ...memoryTokens(tokens), changes$: NEVER })],
  ])('a token store of the app that %s makes no difference', async (_, keep) => {
    const given = await ended(ending, { wire })
    const app = given.newApp({ tokens: keep(given, given.tokens) })
    const read = Promise.all([app.user$.get(), app.teams$.get()])
    expect(await given.inTime(read)).toEqual([null, []])
  })

  // Promise: session-end-is-no-identity
  it.each(['with', 'without'])('a backend reads the signed-out value, %s a way to set cookies', async how => {
    const given = await ended(ending, { wire })
    const backend = createServerApp(given.platform.serverOptions)
    const name = `stack-refresh-${given.platform.options.projectId}`
    const { refreshToken } = given.tokens
    const pair = encodeURIComponent(JSON.stringify([refreshToken, given.tokens.accessToken]))
    const headers: Record<string, string> =
      refreshToken === null
        ? { 'x-stack-auth': JSON.stringify(given.tokens) }
        : { cookie: `${name}=${refreshToken}; stack-access=${pair}` }
    for (let request = 0; request < 2; request++) {
      const written: CookieWrite[] = []
      const write = how === 'with' ? (cookie: CookieWrite) => written.push(cookie) : undefined
      const forRequest = backend.withTokens(requestTokens({ headers: { ...headers } }, write))
      const read = [forRequest.user$.get(), forRequest.ownUser$.get(), forRequest.teams$.get()]
      expect(await given.settled(Promise.all(read))).toEqual([null, null, []])
      if (write && refreshToken !== null)
        expect(written.map(({ name, options }) => [name, options.maxAge])).toContainEqual([name, 0])
      forRequest.dispose()
    }
    backend.dispose()
  })

  it('is reported to the other kits of a request too', async () => {
    const { newApp, settled, tokens } = await ended(ending, { wire })
    const headers = { 'x-stack-auth': JSON.stringify(tokens) }
    const [reading, writing] = [1, 2].map(() => newApp({ tokens: requestTokens({ headers }) })) as [
      ClientApp,
      ClientApp,
    ]
    const outcomes = [reading.user$.get(), updateName(writing).catch(codeOf)]
    expect(await settled(Promise.all(outcomes))).toEqual([null, code])
  })

  it('the app’s own store and its own write end like those of the kit', async () => {
    const { newApp, settled, tokens } = await ended(ending, { wire })
    const app = newApp({ tokens: memoryTokens(tokens) })
    const ownRead = async () => (await app.user$.get())?.displayName ?? 'guest'
    const notes$ = query(ownRead, { key: 'notes', ownedBy: 'session', signedOut: 'nothing' })
    expect(await settled(notes$(app).get())).toBe('nothing')
    const another = newApp({ tokens: memoryTokens(tokens) })
    const addNote = mutation(async (_, __: { text: string }) => another.updateUser({ displayName: 'Mine' }), {
      refreshes: () => [],
    })
    await expect(settled(addNote(another, { text: 'tea' }))).rejects.toMatchObject({ code })
  })
})

describe.each(wires)('a running kit (%s)', wire => {
  async function running(keep: (tokens: Tokens) => Tokens) {
    const given = await world({ platform: { wire, seed: { users: [ada, grace] } } })
    const tokens = keep((await given.platform.tokensFor(ada.email)).read()!)
    const app = given.newApp({ tokens: memoryTokens(tokens) })
    const shown: unknown[] = []
    app.user$.subscribe(user => shown.push(user && user.displayName))
    app.auth$.subscribe(auth => shown.push(auth.status === 'signed-out' ? auth.reason : auth.status))
    await given.clock.advance(0)
    expect(shown).toEqual(['unknown', 'Ada', 'signed-in'])
    shown.length = 0
    return { ...given, app, shown, tokens: (await given.platform.tokensFor(ada.email)).read()! }
  }

  // Promise: unknown-user
  it.each<[string, (tokens: Tokens) => Tokens]>([
    ['both tokens', tokens => tokens],
    ['an access token alone', ({ accessToken }) => ({ accessToken, refreshToken: null })],
  ])('with %s does not show a deleted user any more', async (_, keep) => {
    const given = await running(keep)
    await remove(given, '/users/me', given.tokens)
    await given.clock.advance(1000)
    expect(await given.settled(given.app.user$.refresh())).toBeNull()
    expect(given.shown).toEqual([null, 'deleted'])
  })

  // Promise: session-end-is-no-identity
  it('gives a read under way the signed-out value after a sign-out elsewhere', async () => {
    const shared = browser({ wire })
    await shared.signIn(ada)
    const [here, there] = [shared.tab(), shared.tab()]
    const watching = here.app.auth$.subscribe()
    await shared.clock.advance(0)
    shared.platform.faults.next('GET /teams', { delayMillis: 1000 })
    const teams = here.app.teams$.get()
    await shared.clock.advance(100)
    void there.app.signOut()
    await shared.clock.advance(10)
    expect(await shared.clock.settled(teams)).toEqual([])
    expect(here.app.auth$.value).toEqual({ status: 'signed-out', reason: 'elsewhere' })
    watching.unsubscribe()
  })
})

it('a tab with an expired session notifies the other tabs, each of which reads the signed-out value', async () => {
  const shared = browser()
  await shared.signIn(ada)
  const tabs = Array.from({ length: 3 }, () => shared.tab())
  await shared.clock.advance(tenMinutes)
  const broken = intercept(shared.platform.options.fetch, request =>
    isRefresh(request) ? knownError(401, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED') : undefined,
  )
  const last = shared.tab({ fetch: broken })
  const reads = [last, ...tabs].map(({ app }) => app.user$.get())
  expect(await shared.clock.settled(Promise.all(reads))).toEqual([null, null, null, null])
})

// Promise: session-end-is-no-identity
it('a store without a signed-out value rejects with the code of the refusal', async () => {
  const given = await world()
  const tokens = memoryTokens()
  const owner = given.newApp({ ...given.platform.ownerOptions, tokens })
  const signUp = owner.signUpWithPassword({
    email: 'mary@example.com',
    password: 'correct horse',
    verificationCallbackUrl: 'http://localhost/verify',
  })
  await given.inTime(signUp)
  const { id: projectId } = await given.inTime(createOwnedProject(owner, { displayName: 'Shop' }))
  const elsewhere = given.newApp({ ...given.platform.ownerOptions, tokens: memoryTokens((await tokens.read())!) })
  await given.settled(elsewhere.signOut())
  await given.clock.advance(tenMinutes)
  const admin = createAdminApp({ owner, projectId })
  const reads = [admin.adminProject$.get(), admin.users$().get(), admin.allTeams$.get()]
  const codes = reads.map(read => read.catch(codeOf))
  expect(await given.inTime(Promise.all(codes))).toEqual(Array(3).fill('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED'))
})
