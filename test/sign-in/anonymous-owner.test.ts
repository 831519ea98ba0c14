/** @jest-environment ./test/setup/jsdom-environment.ts */
import type { ClientApp } from 'rxauth'
import { codeIn } from '../flows/way'
import { intercept, isRefresh, knownError } from '../session/intercept'
import { browser, credentialsOf, type TabOptions } from '../tabs'
import { ada } from '../world'

const mary = { email: 'mary@example.com', password: 'correct horse' }

const passwordSignUp = 'POST /auth/password/sign-up'

/** A tab of an anonymous user, and the tokens that its sign-ups carried. */
async function anonymous(wire: '2.8.18' | '2026' = '2026', options: TabOptions = {}) {
  const inner = browser({ wire, seed: { users: [ada], project: { config: { magicLinkEnabled: true } } } })
  const carried: string[] = []
  const session = { hasEnded: false }
  const fetch = intercept(inner.platform.options.fetch, request => {
    const { url, method, headers } = request
    if (session.hasEnded && isRefresh(request)) return knownError(401, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
    const path = new URL(url).pathname.replace('/api/v1', '')
    const token = headers.has('x-stack-access-token') ? 'token' : 'no token'
    if (/sign-up|sign-in$/.test(path))
      carried.push(`${method} ${path}: ${token}, ${headers.get('x-stack-allow-anonymous-user') ?? 'nothing'}`)
    return undefined
  })
  const one = inner.tab({ fetch, ...options })
  const { userId } = await inner.clock.settled(one.app.signUpAnonymously())
  carried.length = 0
  const idOf = async (app: ClientApp) => (await inner.clock.settled(app.anyUser$.get()))?.id
  return { ...inner, app: one.app, userId, carried, fetch, idOf, session }
}

describe('an anonymous user who signs up', () => {
  // Promise: anonymous-sign-up
  it('with a password keeps the id, and the other tabs follow', async () => {
    const { app, tab, clock, userId, carried } = await anonymous()
    const other = tab().app
    const ids = new Set<unknown>()
    const statuses: string[] = []
    other.anyUser$.subscribe(user => ids.add(user?.id ?? null))
    other.auth$.subscribe(({ status }) => statuses.push(status))
    await clock.advance(0)
    const result = await clock.settled(app.signUpWithPassword(mary))
    expect(result).toEqual({ ok: true, value: { userId, isNewUser: true, next: '/' } })
    expect(carried).toEqual([`${passwordSignUp}: token, true`])
    expect(await clock.settled(app.user$.get())).toMatchObject({ id: userId, primaryEmail: mary.email })
    await clock.advance(1000)
    expect(other.auth$.value).toMatchObject({ status: 'signed-in', user: { id: userId, isAnonymous: false } })
    expect(ids).toEqual(new Set([userId]))
    expect(statuses).toEqual(['unknown', 'anonymous', 'unknown', 'signed-in'])
  })

  it('with a mailed code keeps the id', async () => {
    const { app, clock, userId, carried, platform } = await anonymous()
    await clock.settled(app.sendMagicLinkEmail({ email: mary.email }))
    const code = codeIn(platform.mailbox(mary.email).messages[0]!)
    expect(await clock.settled(app.signInWithMagicLink({ code }))).toMatchObject({
      ok: true,
      value: { userId, isNewUser: true },
    })
    expect(carried).toEqual(['POST /auth/otp/sign-in: token, true'])
  })

  it('with an expired access token renews it first', async () => {
    const { app, clock, userId, carried, refreshes } = await anonymous()
    await clock.advance(11 * 60_000)
    expect(await clock.settled(app.signUpWithPassword(mary))).toMatchObject({ ok: true, value: { userId } })
    expect(carried).toEqual([`${passwordSignUp}: token, true`])
    expect(refreshes()).toBe(1)
  })

  it('after the session has ended on the platform becomes another user', async () => {
    const { app, clock, userId, carried, session } = await anonymous()
    await clock.advance(11 * 60_000)
    session.hasEnded = true
    const result = await clock.settled(app.signUpWithPassword(mary))
    expect(result).toMatchObject({ ok: true, value: { isNewUser: true } })
    expect(result.ok && result.value.userId).not.toBe(userId)
    expect(carried).toEqual([`${passwordSignUp}: no token, nothing`])
  })

  // Promise: anonymous-sign-up
  it.each([
    ['an address that another account has', { ...mary, email: ada.email }, 'USER_EMAIL_ALREADY_EXISTS'],
    ['a password that is too short', { ...mary, password: 'short' }, 'PASSWORD_TOO_SHORT'],
  ])('with %s stays the same user', async (_, input, code) => {
    const { app, clock, userId, idOf } = await anonymous()
    expect(await clock.settled(app.signUpWithPassword(input))).toMatchObject({ ok: false, error: { code } })
    expect(app.auth$.value.status).not.toBe('signed-out')
    await clock.advance(11 * 60_000)
    expect(await idOf(app)).toBe(userId)
  })

  it('and gets no answer keeps the session, and can try again', async () => {
    const { app, clock, userId, platform, idOf } = await anonymous()
    platform.faults.next(passwordSignUp, { status: 503 })
    await expect(clock.settled(app.signUpWithPassword(mary))).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    expect(await idOf(app)).toBe(userId)
    await clock.advance(300)
    expect(await clock.settled(app.signUpWithPassword(mary))).toMatchObject({ ok: true, value: { userId } })
  })

  it('signs in to an existing account without the token, and that account counts', async () => {
    const { app, clock, userId, carried } = await anonymous()
    const result = await clock.settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    expect(result.ok && result.value.userId).not.toBe(userId)
    expect(carried).toEqual(['POST /auth/password/sign-in: no token, nothing'])
  })

  it('becomes another user on the wire of 2.8.18, which gets no unknown field', async () => {
    const { app, clock, userId, carried } = await anonymous('2.8.18')
    const result = await clock.settled(app.signUpWithPassword(mary))
    expect(result.ok && result.value.userId).not.toBe(userId)
    expect(carried).toEqual([`${passwordSignUp}: no token, nothing`])
  })
})

describe('an anonymous user who signs up after another tab has changed the tokens without notice to this tab', () => {
  const other = { ...mary, email: 'other@example.com' }

  /** The anonymous tab, and another one on the same cookies; no channel, and nothing of the first is watched. */
  async function two() {
    const given = await anonymous('2026', { without: ['channel'] })
    const second = given.tab({ without: ['channel'] }).app
    expect(await given.idOf(second)).toBe(given.userId)
    given.carried.length = 0
    return { ...given, second }
  }
  type Two = Awaited<ReturnType<typeof two>>

  it.each<[string, (given: Two) => Promise<unknown>]>([
    ['an ordinary user has signed in', ({ second }) => second.signInWithPassword(credentialsOf(ada))],
    ['the same user has signed up already', ({ second }) => second.signUpWithPassword(mary)],
    ['the user has signed out', ({ second }) => second.signOut()],
  ])('becomes another user: %s', async (_, change) => {
    const given = await two()
    const { app, clock, carried, second, userId, idOf } = given
    await clock.settled(change(given))
    const before = await idOf(second)
    const result = await clock.settled(app.signUpWithPassword(other))
    expect(carried).toEqual([`${passwordSignUp}: no token, nothing`])
    expect(result).toMatchObject({ ok: true, value: { isNewUser: true } })
    expect([userId, before]).not.toContain(result.ok && result.value.userId)
    expect(await idOf(app)).toBe(result.ok && result.value.userId)
  })

  // Promise: anonymous-sign-up
  it('keeps the id of the present anonymous user', async () => {
    const { app, clock, carried, second, userId } = await two()
    await clock.settled(second.signOut())
    const now = await clock.settled(second.signUpAnonymously())
    expect(now.userId).not.toBe(userId)
    const result = await clock.settled(app.signUpWithPassword(mary))
    expect(result).toMatchObject({ ok: true, value: { userId: now.userId } })
    expect(carried).toEqual([`${passwordSignUp}: token, true`])
  })

  // Promise: anonymous-sign-up
  it('carries the access token that the other tab has renewed, and renews none', async () => {
    const { app, clock, carried, second, userId, idOf, refreshes } = await two()
    await clock.advance(11 * 60_000)
    expect(await idOf(second)).toBe(userId)
    expect(await clock.settled(app.signUpWithPassword(mary))).toMatchObject({ ok: true, value: { userId } })
    expect(carried).toEqual([`${passwordSignUp}: token, true`])
    expect(refreshes()).toBe(1)
  })

  it('renews no token of an ordinary user who has signed in there', async () => {
    const { app, clock, carried, second, refreshes } = await two()
    await clock.settled(second.signInWithPassword(credentialsOf(ada)))
    await clock.advance(11 * 60_000)
    expect(await clock.settled(app.signUpWithPassword(mary))).toMatchObject({ ok: true, value: { isNewUser: true } })
    expect(carried).toEqual([`${passwordSignUp}: no token, nothing`])
    expect(refreshes()).toBe(0)
  })

  it('becomes another user if a server has made it an ordinary one, by the renewed access token', async () => {
    const { app, clock, carried, platform, userId } = await two()
    const { baseUrl, projectId, secretServerKey } = platform.serverOptions
    const headers = {
      'x-stack-access-type': 'server',
      'x-stack-project-id': projectId,
      'x-stack-secret-server-key': secretServerKey,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ is_anonymous: false, primary_email: 'new@example.com' })
    const user = new Request(`${baseUrl}/api/v1/users/${userId}`, { method: 'PATCH', headers, body })
    expect((await clock.settled(platform.fetch(user))).status).toBe(200)
    await clock.advance(11 * 60_000)
    const result = await clock.settled(app.signUpWithPassword(mary))
    expect(carried).toEqual([`${passwordSignUp}: no token, nothing`])
    expect(result.ok && result.value.userId).not.toBe(userId)
  })

  it('rejects if another user signs in while the access token is renewed, and sends nothing', async () => {
    const { app, clock, carried, second, platform, idOf } = await two()
    await clock.advance(11 * 60_000)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 2000 })
    const signUp = expect(app.signUpWithPassword(mary)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    await clock.advance(0)
    const signedIn = await clock.settled(second.signInWithPassword(credentialsOf(ada)))
    await clock.advance(2000)
    await signUp
    expect(carried).toEqual([])
    expect(await idOf(app)).toBe(signedIn.ok && signedIn.value.userId)
  })
})

// Promise: anonymous-sign-up
it('no other session signs up with a token: neither signed out, nor signed in as an ordinary user', async () => {
  const { tab, clock, carried, fetch, signIn } = await anonymous()
  const app = tab({ fetch }).app
  await clock.settled(app.signOut())
  await clock.settled(app.signUpWithPassword(mary))
  await signIn(ada)
  await clock.advance(100)
  await clock.settled(app.signUpWithPassword({ ...mary, email: 'other@example.com' }))
  expect(carried).toEqual([`${passwordSignUp}: no token, nothing`, `${passwordSignUp}: no token, nothing`])
})

it('an ordinary user who signs up as another one needs no new token first', async () => {
  const { platform, tab, clock, signIn, refreshes } = browser({ wire: '2026', seed: { users: [ada] } })
  await signIn(ada)
  const { app } = tab({ fetch: platform.options.fetch })
  await clock.settled(app.user$.get())
  await clock.advance(11 * 60_000)
  expect(await clock.settled(app.signUpWithPassword(mary))).toMatchObject({ ok: true })
  expect(refreshes()).toBe(0)
})

it('an anonymous user signs out on the platform too', async () => {
  const { app, clock, requests } = await anonymous()
  await clock.settled(app.signOut())
  expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
  expect(requests.at(-1)).toBe('DELETE /auth/sessions/current')
})
