import { memoryTokens } from 'rxauth'
import { ada, world } from '../world'

describe('signing out', () => {
  it('ends the session here and on the platform', async () => {
    const { app, settled, requests } = await world()
    await settled(app.user$.get())
    await settled(app.signOut())
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
    expect(await settled(app.user$.get())).toBeNull()
    expect(requests).toEqual(['GET /users/me', 'DELETE /auth/sessions/current'])
  })

  it('takes effect at once, whatever the platform answers', async () => {
    const { app, platform, clock, settled } = await world()
    await settled(app.user$.get())
    platform.faults.every('DELETE /auth/sessions/current', { delayMillis: 60_000 })
    let done = false
    void app.signOut().then(() => (done = true))
    await clock.advance(0)
    expect(app.auth$.value.status).toBe('signed-out')
    await clock.advance(1999)
    expect(done).toBe(false)
    await clock.advance(1)
    expect(done).toBe(true)
  })

  it.each([{ status: 500 }, { loseResponse: true }, { body: 'garbage' }] as const)('never rejects: %j', async fault => {
    const { app, platform, clock } = await world()
    platform.faults.every('*', fault)
    const done = app.signOut()
    await clock.advance(2000)
    await expect(done).resolves.toBeUndefined()
    expect(app.auth$.value.status).toBe('signed-out')
  })

  it('while signed out sends nothing', async () => {
    const { newApp, settled, requests } = await world()
    await settled(newApp().signOut())
    expect(requests).toEqual([])
  })

  it('allows a new sign-in', async () => {
    const { app, settled } = await world()
    await settled(app.signOut())
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    expect((await settled(app.user$.get()))?.displayName).toBe(ada.displayName)
  })
})

describe('signing out everywhere', () => {
  // Promise: sign-out-everywhere
  it('ends the other sessions, then this one', async () => {
    const { app, clock, newApp, tokensOf, settled, inTime, requests } = await world()
    const others = [newApp({ tokens: await tokensOf(ada) }), newApp({ tokens: await tokensOf(ada) })]
    await settled(app.signOut({ everywhere: true }))
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
    expect(requests.map(request => request.replace(/[\da-f-]{36}/, 'ID'))).toEqual([
      'GET /auth/sessions',
      'DELETE /auth/sessions/ID',
      'DELETE /auth/sessions/ID',
      'DELETE /auth/sessions/current',
    ])
    await clock.advance(600_000)
    for (const other of others) expect(await inTime(other.user$.get())).toBeNull()
  })

  // Promise: sign-out-everywhere
  it('leaves access tokens that were issued before valid until they expire', async () => {
    const { app, platform, clock, newApp, settled } = await world()
    const accessToken = (await platform.tokensFor(ada.email)).read()?.accessToken ?? null
    const verifier = newApp({ tokens: memoryTokens({ accessToken, refreshToken: null }) })
    await settled(app.signOut({ everywhere: true }))
    expect((await settled(verifier.user$.refresh()))?.displayName).toBe(ada.displayName)
    await clock.advance(600_000)
    expect(await settled(verifier.user$.refresh().catch(() => null))).toBeNull()
  })

  // Promise: sign-out-everywhere
  it.each([
    ['the list', 'GET /auth/sessions'],
    ['the end of another session', 'DELETE /auth/sessions/{sessionId}'],
  ])('rejects and stays signed in here where %s fails', async (_, route) => {
    const { app, platform, tokensOf, inTime } = await world()
    await tokensOf(ada)
    platform.faults.every(route, { status: 403 })
    await expect(inTime(app.signOut({ everywhere: true }))).rejects.toMatchObject({ status: 403 })
    expect(app.auth$.value.status).not.toBe('signed-out')
    platform.faults.clear()
    await inTime(app.signOut({ everywhere: true }))
    expect(app.auth$.value.status).toBe('signed-out')
  })

  it.each(['in the same app', 'in another tab'])('rejects after another sign-in %s, which stays', async place => {
    const { platform, clock, newApp, tokensOf, settled } = await world()
    await platform.seed({ users: [{ email: 'bob@example.com', password: 'correct horse' }] })
    await tokensOf(ada)
    const tokens = await tokensOf(ada)
    const app = newApp({ tokens })
    const tab = place === 'in another tab' ? newApp({ tokens }) : app
    await settled(app.user$.get())
    platform.faults.every('DELETE /auth/sessions/{sessionId}', { delayMillis: 300 })
    const done = app.signOut({ everywhere: true })
    const refused = expect(done).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    await clock.advance(100)
    await settled(tab.signInWithPassword({ email: 'bob@example.com', password: 'correct horse' }))
    await clock.advance(1000)
    await refused
    expect((await settled(app.user$.get()))?.primaryEmail).toBe('bob@example.com')
  })

  it('ends its session, also where another tab has signed in and out meanwhile', async () => {
    const { platform, clock, newApp, tokensOf, settled } = await world()
    await tokensOf(ada)
    const tokens = await platform.tokensFor(ada.email)
    const refreshToken = tokens.read()?.refreshToken ?? null
    const [app, tab] = [newApp({ tokens }), newApp({ tokens })]
    platform.faults.every('DELETE /auth/sessions/{sessionId}', { delayMillis: 1000 })
    const done = app.signOut({ everywhere: true })
    await clock.advance(100)
    await settled(tab.signInWithPassword({ email: ada.email, password: ada.password }))
    await settled(tab.signOut())
    await clock.advance(1000)
    await settled(done)
    const copy = newApp({ tokens: memoryTokens({ accessToken: null, refreshToken }) })
    expect(await settled(copy.user$.get())).toBeNull()
  })

  it('while signed out sends nothing', async () => {
    const { newApp, settled, requests } = await world()
    await settled(newApp().signOut({ everywhere: true }))
    expect(requests).toEqual([])
  })
})
