import { memoryTokens, type Auth, type ClientApp } from 'rxauth'
import { credentialsOf } from '../tabs'
import { ada, grace, world } from '../world'
import { slowTokens } from './slow-tokens'

const users = 'GET /users/me'
const refresh = 'POST /auth/oauth/token'

/** Short forms of auth$'s states from now on. */
function watch(app: ClientApp): string[] {
  const seen: string[] = []
  app.auth$.subscribe({
    next: auth => seen.push(shortly(auth)),
    error: () => seen.push('errored'),
  })
  return seen
}

function shortly(auth: Auth): string {
  if (auth.status === 'signed-out') return auth.reason
  if (auth.status === 'unknown') return auth.error ? `unknown: ${auth.error.code}` : 'unknown'
  return `${auth.status}: ${auth.user.displayName}`
}

describe('auth$', () => {
  it('says never before any sign-in', async () => {
    const { newApp } = await world()
    expect(watch(newApp())).toEqual(['never'])
  })

  it('goes from unknown to signed-in, and through unknown to the next user', async () => {
    const { app, settled, clock } = await world()
    const seen = watch(app)
    await clock.advance(0)
    await settled(app.signInWithPassword(credentialsOf(grace)))
    expect(seen).toEqual(['unknown', 'signed-in: Ada', 'unknown', 'signed-in: Grace'])
  })

  it('says signed-out after a sign-out here', async () => {
    const { app, clock, settled } = await world()
    const seen = watch(app)
    await clock.advance(0)
    await settled(app.signOut())
    expect(seen).toEqual(['unknown', 'signed-in: Ada', 'signed-out'])
  })

  it('says elsewhere when another writer has emptied the store', async () => {
    const { clock, newApp, platform } = await world()
    const tokens = await platform.tokensFor(ada.email)
    const app = newApp({ tokens })
    const seen = watch(app)
    await clock.advance(0)
    tokens.replace(tokens.read(), null)
    app.user$.listen(() => undefined)
    expect(seen).toEqual(['unknown', 'signed-in: Ada', 'elsewhere'])
  })

  it('says expired when the platform refuses the session', async () => {
    const { clock, newApp } = await world()
    const seen = watch(newApp({ tokens: memoryTokens({ accessToken: null, refreshToken: 'unknown' }) }))
    await clock.advance(0)
    expect(seen).toEqual(['unknown', 'expired'])
  })

  it('says deleted after the user has been deleted here', async () => {
    const { clock, newApp, platform, settled } = await world({
      platform: { seed: { users: [ada], project: { config: { clientUserDeletionEnabled: true } } } },
    })
    const store = await platform.tokensFor(ada.email)
    const app = newApp({ tokens: store })
    const seen = watch(app)
    await clock.advance(0)
    await settled(app.deleteUser())
    expect(seen).toEqual(['unknown', 'signed-in: Ada', 'deleted'])
    expect(store.read()).toBeNull()
  })

  it('keeps the session while a deletion is refused or has failed', async () => {
    const { app, clock, platform, settled } = await world({
      platform: { seed: { users: [ada], project: { config: { clientUserDeletionEnabled: false } } } },
    })
    const seen = watch(app)
    await clock.advance(0)
    await expect(settled(app.deleteUser())).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 400 })
    platform.faults.next('DELETE /users/me', { status: 503 })
    await expect(settled(app.deleteUser())).rejects.toMatchObject({ status: 503 })
    expect(seen).toEqual(['unknown', 'signed-in: Ada'])
  })

  it('gives its present value without a subscriber', async () => {
    const { app, newApp, settled } = await world()
    expect(app.auth$.value).toEqual({ status: 'unknown' })
    await settled(app.user$.get())
    expect(app.auth$.value).toMatchObject({ status: 'signed-in', user: { displayName: 'Ada' } })
    expect(newApp().auth$.value).toEqual({ status: 'signed-out', reason: 'never' })
  })

  it('emits nothing while tokens rotate', async () => {
    const { app, clock, settled } = await world({ platform: { rotation: true } })
    const seen = watch(app)
    for (let hour = 0; hour < 3; hour++) {
      await clock.advance(3_600_000)
      await settled(app.accessToken())
    }
    expect(seen).toEqual(['unknown', 'signed-in: Ada'])
  })
})

describe('unknown is never reported as signed out', () => {
  it('while an asynchronous store has not answered', async () => {
    const { clock, newApp, platform } = await world()
    const { store } = slowTokens(clock, 500, (await platform.tokensFor(ada.email)).read())
    const app = newApp({ tokens: store })
    const seen = watch(app)
    const users: unknown[] = []
    app.user$.subscribe(user => users.push(user))
    await clock.advance(499)
    expect([seen, users]).toEqual([['unknown'], []])
    await clock.advance(5000)
    expect(seen).toEqual(['unknown', 'signed-in: Ada'])
  })

  it('while an empty asynchronous store has not answered', async () => {
    const { clock, newApp } = await world()
    const seen = watch(newApp({ tokens: slowTokens(clock, 500).store }))
    await clock.advance(499)
    expect(seen).toEqual(['unknown'])
    await clock.advance(1)
    expect(seen).toEqual(['unknown', 'never'])
  })

  it.each([
    ['lost answers', { loseResponse: true }, 'NETWORK_ERROR'],
    ['429', { status: 429 }, 'RATE_LIMITED'],
    ['503', { status: 503 }, 'REQUEST_FAILED'],
    ['truncated JSON', { body: 'truncated' }, 'INVALID_RESPONSE'],
  ] as const)('while the user cannot be loaded: %s', async (_, fault, code) => {
    const { app, clock, platform } = await world()
    platform.faults.every(users, fault)
    const seen = watch(app)
    await clock.advance(60_000)
    expect(seen).toEqual(['unknown', `unknown: ${code}`])
    platform.faults.clear()
    watch(app)
    await clock.advance(60_000)
    expect(seen).toEqual(['unknown', `unknown: ${code}`, 'signed-in: Ada'])
  })

  it('while an expired session cannot be refreshed', async () => {
    const { app, clock, platform } = await world()
    await clock.advance(600_000)
    platform.faults.every(refresh, { status: 503 })
    const seen = watch(app)
    await clock.advance(60_000)
    expect(seen).toEqual(['unknown', 'unknown: REQUEST_FAILED'])
  })

  it('by a failure after the user was known: the user stays', async () => {
    const { app, clock, platform, settled } = await world()
    const seen = watch(app)
    await clock.advance(600_000)
    platform.faults.every('*', { status: 503 })
    await expect(settled(app.user$.refresh())).rejects.toMatchObject({ status: 503 })
    expect(seen).toEqual(['unknown', 'signed-in: Ada'])
  })

  it('by a bad access token beside a good refresh token', async () => {
    const { clock, newApp, platform } = await world()
    let stored = { accessToken: 'undefined', refreshToken: (await platform.tokensFor(ada.email)).read()!.refreshToken }
    const app = newApp({
      tokens: {
        read: () => stored,
        replace(_, next) {
          stored = next as typeof stored
          return true
        },
      },
    })
    const seen = watch(app)
    await clock.advance(0)
    expect(seen).toEqual(['unknown', 'signed-in: Ada'])
  })

  it('when a sign-in replaces the session while it is loading', async () => {
    const { app, clock, platform, settled } = await world()
    platform.faults.next(users, { delayMillis: 1000 })
    const seen = watch(app)
    await clock.advance(0)
    await settled(app.signInWithPassword(credentialsOf(grace)))
    await clock.advance(2000)
    expect(seen).toEqual(['unknown', 'signed-in: Grace'])
  })
})
