import type { ClientApp, Inspection } from 'rxauth'
import { browser } from '../../tabs'
import { ada, world } from '../../world'

const nothing: Inspection = { subscriptions: 0, timers: 0, loads: 0, cells: 0 }

describe('inspect() counts', () => {
  it.each<[string, number, (app: ClientApp) => () => void]>([
    ['a subscriber', 1, ({ user$ }) => stop(user$.subscribe())],
    ['a subscriber of snapshots', 1, ({ user$ }) => stop(user$.snapshot$.subscribe())],
    ['a listener', 1, ({ user$ }) => user$.listen(() => undefined)],
    [
      'a subscriber of a view, of its source and of another store',
      3,
      ({ user$, anyUser$, project$ }) => {
        const all = [user$.subscribe(), anyUser$.subscribe(), project$.subscribe()]
        return () => all.forEach(one => one.unsubscribe())
      },
    ],
    ['auth$ and the user that it watches', 2, ({ auth$ }) => stop(auth$.subscribe())],
    ['a subscriber of tokens', 1, ({ tokens$ }) => stop(tokens$.subscribe())],
    ['a subscriber of a sign-in', 1, ({ flow$ }) => stop(flow$.subscribe())],
    ['a subscriber of the trace', 1, ({ trace$ }) => stop(trace$.subscribe())],
    [
      'two subscribers of a derived store, and what it watches',
      3,
      app => {
        const both$ = app.derive(read => read(app.user$))
        const all = [both$.subscribe(), both$.subscribe()]
        return () => all.forEach(one => one.unsubscribe())
      },
    ],
    ['a subscriber of a store derived from nothing', 1, app => stop(app.derive(() => 7).subscribe())],
  ])('%s as %i, and no longer after it has left', async (_, count, watch) => {
    const { app, clock } = await world()
    expect(app.inspect()).toEqual(nothing)
    const leave = watch(app)
    expect(app.inspect().subscriptions).toBe(count)
    await clock.advance(0)
    expect(app.inspect()).toMatchObject({ subscriptions: count, loads: 0 })
    leave()
    leave()
    expect(app.inspect().subscriptions).toBe(0)
    await clock.advance(5000)
    expect(app.inspect()).toEqual(nothing)
  })

  // Promise: inspect-counts
  it('a load while it runs, for subscribers and for callers', async () => {
    const { app, clock, platform } = await world()
    platform.faults.every('*', { delayMillis: 50 })
    const watching = app.user$.subscribe()
    const waiting = app.project$.get()
    await clock.advance(1)
    expect(app.inspect()).toMatchObject({ loads: 2, cells: 2 })
    await clock.advance(100)
    await waiting
    expect(app.inspect()).toMatchObject({ loads: 0, cells: 2, subscriptions: 1 })
    watching.unsubscribe()
  })

  // Promise: inspect-counts
  it('the timers of a cell in its last 5 s, of a retry, and of the poll of cookies', async () => {
    const { app, clock, platform } = await world()
    await clock.settled(app.project$.get())
    expect(app.inspect()).toEqual({ ...nothing, timers: 1, cells: 1 })
    await clock.advance(5000)
    platform.faults.next('GET /users/me', { status: 429 })
    const user = app.user$.get()
    await clock.advance(10)
    expect(app.inspect()).toEqual({ ...nothing, timers: 1, loads: 1, cells: 1 })
    await clock.advance(10_000)
    await user
    expect(app.inspect()).toEqual(nothing)

    const tab = browser().tab()
    const watching = tab.app.tokens$.subscribe()
    expect(tab.app.inspect()).toEqual({ ...nothing, subscriptions: 1, timers: 1 })
    watching.unsubscribe()
    expect(tab.app.inspect()).toEqual(nothing)
  })

  // Promise: inspect-counts
  it('nothing of a disposed kit, whatever was under way', async () => {
    const { app, clock, newApp } = await world()
    app.auth$.subscribe()
    app.trace$.subscribe()
    app.derive(read => read(app.user$)).subscribe({ error: () => undefined })
    const other = newApp()
    void other.signInWithPassword({ email: ada.email, password: ada.password }).catch(() => undefined)
    await Promise.resolve()
    app.dispose()
    other.dispose()
    await clock.advance(0)
    expect([app, other].map(each => each.inspect())).toEqual([nothing, nothing])
  })
})

function stop(subscription: { unsubscribe(): void }): () => void {
  return () => subscription.unsubscribe()
}
