import { ada, world } from '../world'

describe('signing out', () => {
  it('ends the session here and on the platform', async () => {
    const { app, settled, requests } = await world()
    await settled(app.user$.get())
    await settled(app.signOut())
    expect(app.auth$.value).toEqual({ phase: 'signed-out', reason: 'signed-out' })
    expect(await settled(app.user$.get())).toBeNull()
    expect(requests).toEqual(['GET /users/me', 'DELETE /auth/sessions/current'])
  })

  it('takes effect at once, whatever the platform says', async () => {
    const { app, platform, clock, settled } = await world()
    await settled(app.user$.get())
    platform.faults.every('DELETE /auth/sessions/current', { delayMillis: 60_000 })
    let done = false
    void app.signOut().then(() => (done = true))
    await clock.advance(0)
    expect(app.auth$.value.phase).toBe('signed-out')
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
    expect(app.auth$.value.phase).toBe('signed-out')
  })

  it('of nobody asks nobody', async () => {
    const { newApp, settled, requests } = await world()
    await settled(newApp().signOut())
    expect(requests).toEqual([])
  })

  it('lets somebody sign in again', async () => {
    const { app, settled } = await world()
    await settled(app.signOut())
    await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    expect((await settled(app.user$.get()))?.displayName).toBe(ada.displayName)
  })
})
