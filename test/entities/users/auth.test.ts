import { whenKnown, type Auth, type memoryTokens } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { intercept, knownError } from '../../session/intercept'
import { slowTokens } from '../../session/slow-tokens'
import { browser, credentialsOf } from '../../tabs'
import { ada, grace, world } from '../../world'

const users = 'GET /users/me'

function shortly(auth: Auth): string {
  if (auth.status === 'unknown') return 'unknown'
  return auth.status === 'signed-out' ? auth.reason : `${auth.status}: ${auth.user.displayName ?? ''}`
}

describe('whenKnown()', () => {
  it('is signed-out at once without tokens, and signed-in after one request with them', async () => {
    const { app, newApp, requests, settled } = await world()
    expect(shortly(await settled(whenKnown(newApp())))).toBe('never')
    expect(requests).toEqual([])
    expect(shortly(await settled(whenKnown(app)))).toBe('signed-in: Ada')
    expect(requests).toEqual([users])
  })

  it('is the value of auth$, an anonymous user included', async () => {
    const { newApp, settled } = await world()
    const app = newApp()
    await settled(app.signUpAnonymously())
    const auth = await settled(whenKnown(app))
    expect(auth.status).toBe('anonymous')
    expect(auth).toBe(app.auth$.value)
  })

  // Promise: when-known
  it('makes no request for a watched user of any age, nor for one just loaded', async () => {
    const { app, clock, requests, settled } = await world()
    await settled(whenKnown(app))
    await settled(whenKnown(app))
    const watching = app.auth$.subscribe()
    await clock.advance(120_000)
    requests.length = 0
    expect(shortly(await settled(whenKnown(app)))).toBe('signed-in: Ada')
    expect(requests).toEqual([])
    watching.unsubscribe()
  })

  // Promise: when-known
  it('knows what a write has changed, although nothing watches the user', async () => {
    const { app, clock, settled } = await world()
    await settled(whenKnown(app))
    await settled(app.updateUser({ displayName: 'Countess' }))
    await clock.advance(300)
    expect(shortly(await settled(whenKnown(app)))).toBe('signed-in: Countess')
  })

  it.each([0, 50])('waits for a token store that takes %i ms', async millis => {
    const { clock, newApp, tokensOf, settled } = await world()
    const held = (await tokensOf(ada)) as ReturnType<typeof memoryTokens>
    const app = newApp({ tokens: slowTokens(clock, millis, await held.read()).store })
    const known = whenKnown(app)
    await clock.advance(10 * millis)
    expect(shortly(await settled(known))).toBe('signed-in: Ada')
    const again = whenKnown(app)
    await clock.advance(10 * millis)
    expect(shortly(await settled(again))).toBe('signed-in: Ada')
  })

  it('sees a sign-out in another tab that this kit has not noticed', async () => {
    const { clock, signIn, tab } = browser()
    await signIn(ada)
    const [here, there] = [tab().app, tab().app]
    await clock.settled(whenKnown(here))
    await clock.settled(there.signOut())
    expect(shortly(await clock.settled(whenKnown(here)))).toBe('elsewhere')
  })

  // Promise: when-known
  it('follows a sign-in and a sign-out that happen while the user is loaded', async () => {
    const { app, clock, platform, settled } = await world()
    platform.faults.next(users, { delayMillis: 1000 })
    const one = whenKnown(app)
    await clock.advance(500)
    const signingIn = app.signInWithPassword(credentialsOf(grace))
    await clock.advance(1000)
    expect(await settled(signingIn)).toMatchObject({ ok: true })
    expect(shortly(await settled(one))).toBe('signed-in: Grace')
    await clock.advance(6000)
    platform.faults.next(users, { delayMillis: 1000 })
    const other = whenKnown(app)
    await clock.advance(500)
    await settled(app.signOut())
    expect(shortly(await settled(other))).toBe('signed-out')
  })

  // Promise: when-known
  it('rejects with the failure of the load, and tries again at the next call', async () => {
    const { app, clock, platform, settled } = await world()
    const online = platform.faults.every('*', { loseResponse: true })
    const failing = whenKnown(app)
    failing.catch(() => undefined)
    await clock.advance(60_000)
    await expect(settled(failing)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    online()
    const again = whenKnown(app)
    await clock.advance(300)
    expect(shortly(await settled(again))).toBe('signed-in: Ada')
  })

  // Promise: when-known
  it('is the last known user while a refresh keeps failing', async () => {
    const { app, clock, platform, settled } = await world()
    const watching = app.auth$.subscribe()
    await settled(whenKnown(app))
    platform.faults.every('*', { loseResponse: true })
    const refreshing = app.user$.refresh().catch(() => undefined)
    await clock.advance(60_000)
    await settled(refreshing)
    expect(shortly(await settled(whenKnown(app)))).toBe('signed-in: Ada')
    watching.unsubscribe()
  })

  it('rejects with the error in auth$ for a session without a user', async () => {
    const { newApp, platform, settled, tokensOf } = await world()
    const fetch = intercept(platform.options.fetch, request =>
      new URL(request.url).pathname.endsWith('/users/me')
        ? knownError(400, 'CANNOT_GET_OWN_USER_WITHOUT_USER')
        : undefined,
    )
    const app = newApp({ fetch, tokens: await tokensOf(ada) })
    await expect(settled(whenKnown(app))).rejects.toMatchObject({ code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' })
  })

  it('rejects when its signal aborts, for this caller alone', async () => {
    const { app, clock, platform, requests, settled } = await world()
    await expect(settled(whenKnown(app, { signal: AbortSignal.abort() }))).rejects.toMatchObject({ code: 'ABORTED' })
    expect(requests).toEqual([])
    platform.faults.next(users, { delayMillis: 1000 })
    const leaving = new AbortController()
    const [one, other] = [whenKnown(app, { signal: leaving.signal }), whenKnown(app)]
    await clock.advance(500)
    leaving.abort()
    await expect(settled(one)).rejects.toMatchObject({ code: 'ABORTED' })
    await clock.advance(500)
    expect(shortly(await settled(other))).toBe('signed-in: Ada')
    expect(requests.filter(request => request === users)).toHaveLength(1)
  })

  // Promise: when-known
  it('rejects with DISPOSED, also for a kit whose user was known', async () => {
    const { app, newApp, settled, tokensOf } = await world()
    const other = newApp({ tokens: await tokensOf(ada) })
    await settled(whenKnown(other))
    other.dispose()
    await expect(settled(whenKnown(other))).rejects.toMatchObject({ code: 'DISPOSED' })
    const waiting = whenKnown(app)
    app.dispose()
    await expect(settled(waiting)).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('leaves nothing behind', async () => {
    const { app, clock, settled } = await world()
    await settled(whenKnown(app))
    await clock.advance(5000)
    expect(app.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  })

  it('serves an app of one request of a server', async () => {
    const { platform, tokensOf, settled } = await world()
    const server = createServerApp(platform.serverOptions)
    expect(shortly(await settled(whenKnown(server.withTokens(await tokensOf(ada)))))).toBe('signed-in: Ada')
    expect(shortly(await settled(whenKnown(server)))).toBe('never')
  })
})
