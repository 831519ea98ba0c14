import { allOf, mutation, onCommitted, orThrow, query, type ClientApp } from 'rxauth'
import { teamWorld } from '../entities/teams/team-world'
import { browser, credentialsOf } from '../tabs'
import { ada, world } from '../world'

const [user, teams] = ['client GET /users/me', 'client GET /teams']

/** The names of each call from now on. */
function told(app: ClientApp) {
  const calls: (readonly string[])[] = []
  return { calls, stop: onCommitted(app, stores => calls.push(stores)) }
}

describe('onCommitted()', () => {
  // Promise: on-committed
  it('tells of a write once, with the stores that it changes, when the platform has done it', async () => {
    const { app, clock, platform, settled } = await world()
    const shown: unknown[] = []
    app.user$.subscribe(one => shown.push(one?.displayName))
    const { calls } = told(app)
    await clock.advance(0)
    platform.faults.next('PATCH /users/me', { delayMillis: 1000 })
    const writing = app.updateUser({ displayName: 'Countess' })
    await clock.advance(500)
    expect([shown, calls]).toEqual([['Ada', 'Countess'], []])
    await clock.advance(500)
    await settled(writing)
    await clock.advance(10_000)
    expect(calls).toEqual([[user]])
  })

  it('tells of a write of which no store is in use', async () => {
    const { app, settled } = await teamWorld()
    const { calls } = told(app)
    await settled(app.createTeam({ displayName: 'New' }))
    expect(calls).toHaveLength(1)
    expect(calls[0]).toContain(teams)
  })

  it('names the stores of a group, and each once', async () => {
    const { app, clock, settled } = await world()
    const rows$ = query(async (_kit, _: { teamId: string }) => [1], { key: 'rows', ownedBy: 'app', partOf: 'team' })
    const clear = mutation(async () => undefined, { refreshes: () => [allOf('team'), rows$] })
    for (const teamId of ['one', 'two']) rows$(app, { teamId }).subscribe()
    await clock.advance(0)
    const { calls } = told(app)
    const clearing = clear(app, {})
    await clock.advance(1000)
    await settled(clearing)
    expect(calls).toEqual([['rows']])
  })

  it('does not tell of a write that is refused, nor of one that changes no store', async () => {
    const { app, platform, settled, clock } = await world()
    const { calls } = told(app)
    platform.faults.next('PATCH /users/me', { status: 400 })
    await expect(settled(app.updateUser({ displayName: 'x' }))).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    await settled(app.checkMagicLinkCode({ code: 'a'.repeat(45) }))
    await clock.advance(1000)
    expect(calls).toEqual([])
  })

  it('tells of a write whose answer is lost, since the platform may have done it', async () => {
    const { app, platform, settled, clock } = await world()
    const { calls } = told(app)
    platform.faults.next('PATCH /users/me', { loseResponse: true })
    const writing = app.updateUser({ displayName: 'Countess' })
    writing.catch(() => undefined)
    await clock.advance(60_000)
    await expect(settled(writing)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(calls).toEqual([[user]])
  })

  // Promise: on-committed
  it('does not tell of loads, polls and new tokens: a router that reads all stores again makes no loop', async () => {
    const { app, clock, settled } = await world({ app: { refreshOn: { everyMillis: 1000 } } })
    for (const store of [app.user$, app.teams$, app.auth$]) (store as typeof app.user$).subscribe()
    let calls = 0
    onCommitted(app, () => {
      calls++
      for (const store of [app.user$, app.teams$]) void (store as typeof app.user$).refresh()
    })
    await clock.advance(60_000)
    await clock.advance(600_000)
    expect(calls).toBe(0)
    const writing = app.updateUser({ displayName: 'Countess' })
    await clock.advance(60_000)
    await settled(writing)
    expect(calls).toBe(1)
  })

  // Promise: on-committed
  it('tells of a write of the same user in another tab, once, and of none of another user', async () => {
    const { channels, clock, platform, signIn, tab } = browser()
    await signIn(ada)
    const [here, there] = [tab().app, tab().app]
    const { calls, stop } = told(here)
    await clock.settled(there.updateUser({ displayName: 'Countess' }))
    await clock.advance(1000)
    expect([calls, channels.openCount]).toEqual([[[user]], 1])
    stop()
    expect(channels.openCount).toBe(0)
    await clock.settled(there.updateUser({ displayName: 'Ada' }))
    await clock.advance(1000)
    expect(calls).toHaveLength(1)
    const again = told(here)
    const { postMessage } = channels.of({})(`rxauth:${platform.options.projectId}`)
    for (const userId of ['another', null]) postMessage({ stale: { userId, stores: [[user, '{}']] } })
    await clock.advance(1000)
    expect(again.calls).toEqual([[user]])
  })

  it('tells every listener after the commit, which shows the write, and reports what one throws', async () => {
    const unhandled: unknown[] = []
    const { app, clock, settled } = await world({ app: { onUnhandled: error => void unhandled.push(error) } })
    const seen: unknown[] = []
    app.user$.subscribe()
    await clock.advance(0)
    const stop = onCommitted(app, () => {
      throw new Error('router')
    })
    onCommitted(app, () => {
      const { snapshot } = app.user$
      seen.push(snapshot.status === 'ready' && [snapshot.value?.displayName, snapshot.unconfirmed])
    })
    await settled(app.updateUser({ displayName: 'Countess' }))
    expect(seen).toEqual([['Countess', 0]])
    expect(unhandled).toEqual([expect.objectContaining({ code: 'CALLBACK_FAILED' })])
    stop()
    stop()
    await settled(app.updateUser({ displayName: 'Ada' }))
    expect([seen.length, unhandled.length]).toEqual([2, 1])
  })

  it('does not call what another listener has ended, nor any of a kit that one has disposed of', async () => {
    const { app, clock, settled } = await world()
    const calls: string[] = []
    const stops: (() => void)[] = []
    onCommitted(app, () => {
      calls.push('first')
      for (const stop of stops) stop()
      if (calls.length === 2) app.dispose()
    })
    stops.push(onCommitted(app, () => calls.push('ended')))
    await settled(app.updateUser({ displayName: 'Countess' }))
    onCommitted(app, () => calls.push('disposed'))
    app.updateUser({ displayName: 'Ada' }).catch(() => undefined)
    await clock.advance(1000)
    expect(calls).toEqual(['first', 'first'])
  })

  it('refuses a disposed kit, tells nothing of its end, and leaves nothing behind', async () => {
    const { app, clock, newApp, settled } = await world()
    const { stop } = told(app)
    orThrow(await settled(app.signInWithPassword(credentialsOf(ada))))
    stop()
    await clock.advance(6000)
    expect(app.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
    const other = newApp()
    const { calls } = told(other)
    const writing = other.signInWithPassword(credentialsOf(ada))
    writing.catch(() => undefined)
    other.dispose()
    await clock.advance(0)
    await expect(settled(writing)).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(calls).toEqual([])
    expect(() => onCommitted(other, () => undefined)).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
  })
})
