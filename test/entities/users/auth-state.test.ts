import { anyUser$, auth$, mutation, patch, type Auth } from 'rxauth'
import { sourceOf } from '../../../src/store/definition'
import { ada, grace, world } from '../../world'

const statuses = (seen: readonly Auth[]) => seen.map(auth => (auth.status === 'signed-out' ? auth.reason : auth.status))

/** All states of auth$ from now on. */
async function watching(options: Parameters<typeof world>[0] = {}) {
  const one = await world(options)
  const seen: Auth[] = []
  const failed = jest.fn()
  const subscription = one.app.auth$.subscribe({ next: auth => seen.push(auth), error: failed })
  return { ...one, seen, subscription, failed }
}

describe('auth$', () => {
  it('is unknown until the platform has answered, then signed in with the user', async () => {
    const { seen, clock, app } = await watching()
    expect(seen).toEqual([{ status: 'unknown' }])
    await clock.advance(0)
    expect(statuses(seen)).toEqual(['unknown', 'signed-in'])
    expect(app.auth$.value).toBe(seen[1])
    expect(seen[1]).toMatchObject({ user: { primaryEmail: ada.email } })
  })

  it('is one object for each kit', async () => {
    const { app, newApp } = await world()
    expect(auth$(app)).toBe(app.auth$)
    expect(auth$(app)).not.toBe(auth$(newApp()))
  })

  it('is signed out at once if the token store is empty', async () => {
    const { newApp } = await world()
    const seen: Auth[] = []
    newApp().auth$.subscribe(auth => seen.push(auth))
    expect(statuses(seen)).toEqual(['never'])
  })

  it('is never signed out while the session is unknown: an unreachable platform leaves it unknown, with the error', async () => {
    const { seen, platform, clock, failed } = await watching()
    platform.faults.every('GET /users/me', { status: 503 })
    await clock.advance(0)
    expect(seen).toEqual([
      { status: 'unknown' },
      { status: 'unknown', error: expect.objectContaining({ code: 'REQUEST_FAILED' }) },
    ])
    expect(failed).not.toHaveBeenCalled()
  })

  it('after signing out here it is signed out with that reason', async () => {
    const { app, clock, seen, settled } = await watching()
    await clock.advance(0)
    await settled(app.signOut())
    expect(statuses(seen)).toEqual(['unknown', 'signed-in', 'signed-out'])
  })

  it('goes from one user to the next without showing the first one again', async () => {
    const { seen, app, clock, settled } = await watching()
    await clock.advance(0)
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
    await clock.advance(1000)
    expect(statuses(seen)).toEqual(['unknown', 'signed-in', 'unknown', 'signed-in'])
    expect(seen.map(auth => ('user' in auth ? auth.user.displayName : null))).toEqual([null, 'Ada', null, 'Grace'])
  })

  it('emits no state twice', async () => {
    const { seen, app, clock, settled } = await watching()
    await clock.advance(0)
    await settled(Promise.all([clock.advance(400), app.user$.refresh()]))
    expect(statuses(seen)).toEqual(['unknown', 'signed-in'])
  })

  it('is made once per snapshot, however many watch it and read it', async () => {
    const { app, clock, settled } = await watching()
    const names: (string | null)[] = []
    for (let count = 0; count < 100; count++)
      app.auth$.subscribe(() => {
        const { value } = app.auth$
        if (value.status === 'signed-in') names.push(value.user.displayName)
      })
    await clock.advance(0)
    names.length = 0
    const rename = mutation(async () => 'Countess', {
      refreshes: () => [],
      writes: (_: object, displayName) => [patch(anyUser$, {}, user => user && { ...user, displayName })],
    })
    const handles = jest.spyOn(sourceOf(anyUser$), 'normalise')
    const entries = jest.spyOn(Object, 'entries')
    await settled(rename(app, {}))
    const compared = entries.mock.calls.filter(([one]) => (one as Partial<Auth>).status === 'signed-in').length
    const made = handles.mock.calls.length
    for (const spy of [entries, handles]) spy.mockRestore()
    expect([names.length, new Set(names)]).toEqual([100, new Set(['Countess'])])
    expect([made, compared]).toEqual([0, 1])
  })

  it('lets everything go when the last one leaves', async () => {
    const { subscription, clock, app, seen } = await watching()
    await clock.advance(0)
    subscription.unsubscribe()
    await clock.advance(5000)
    expect(app.anyUser$.snapshot).toEqual({ status: 'pending' })
    expect(seen).toHaveLength(2)
  })
})
