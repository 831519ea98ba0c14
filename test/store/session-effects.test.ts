import { memoryTokens, query } from 'rxauth'
import { endSession, startSession } from '../../src/store/session-effects'
import { ada, world } from '../world'
import { notes, outcome, plain, ready, record, tokensOf } from './own-backend'

describe('when the identity changes', () => {
  // Promise: pending-rejects-at-change
  it.each(['get', 'refresh'] as const)('a pending %s rejects with SESSION_CHANGED and does not follow', async how => {
    const { store, backend, tokens, answer, run } = notes('session')
    record(store)
    const asked = outcome(store[how]())
    await run()
    tokens.write(tokensOf('grace'))
    await run()
    expect([asked.value, backend.asked[0]?.signal.aborted]).toEqual(['error: SESSION_CHANGED', true])
    await answer('of grace')
    expect(asked.value).toBe('error: SESSION_CHANGED')
  })

  it('a pending get() of a store without watchers rejects with SESSION_CHANGED too', async () => {
    const { kit, store, backend, run } = notes('session')
    const asked = outcome(store.get())
    await run()
    await endSession(kit, 'signed-out')
    await run()
    expect([asked.value, backend.last.signal.aborted]).toEqual(['error: SESSION_CHANGED', true])
  })

  // Promise: pending-rejects-at-change
  it('a change at the moment when a load ends rejects its promise, which does not resolve to the new value', async () => {
    const { kit, store, backend, run } = notes('session')
    const asked = [outcome(store.get()), outcome(store.refresh())]
    await run()
    // Signs out in a microtask that runs before the callers of the load.
    store.listen(() => void Promise.resolve().then(() => endSession(kit, 'signed-out')))
    backend.last.answer('of ada')
    await run()
    expect(asked.map(({ value }) => value)).toEqual(['error: SESSION_CHANGED', 'error: SESSION_CHANGED'])
  })

  it("subscribers get the new user's value, and the old user's late answer never appears", async () => {
    const { store, backend, tokens, answer, run } = notes('session')
    const values = record(store)
    const snapshots = record(store.snapshot$)
    await run()
    tokens.write(tokensOf('grace'))
    await run()
    backend.asked[0]?.answer('of ada')
    await run()
    expect([values.told, store.snapshot]).toEqual([[], { status: 'pending' }])
    await answer('of grace')
    expect(values.told).toEqual(['of grace'])
    expect(JSON.stringify(snapshots.told)).not.toContain('of ada')
  })

  // Promise: identity-change-empties-stores
  it('the value is gone at once, throttle and age start again', async () => {
    const { store, backend, tokens, answer, clock, run } = notes('session')
    const values = record(store)
    const snapshots = record(store.snapshot$)
    await clock.advance(100)
    await answer('of ada')
    tokens.write(tokensOf('grace'))
    expect(store.snapshot).toEqual({ status: 'pending' })
    await run()
    expect(backend.asked.length).toBe(2)
    await answer('of grace')
    expect(values.told).toEqual(['of ada', 'of grace'])
    expect((snapshots.told as { status: string }[]).map(({ status }) => status)).toEqual([
      'pending',
      'ready',
      'pending',
      'ready',
    ])
  })

  it('another session of the same user is another identity', async () => {
    const { store, tokens, answer, run, backend } = notes('session')
    record(store)
    await answer('of one session')
    tokens.write(tokensOf('ada', 2))
    await run()
    expect([store.snapshot.status, backend.asked.length]).toEqual(['pending', 2])
  })

  it('to signed out, the value is the signed-out one, without a request', async () => {
    const { kit, store, backend, answer, run } = notes('session')
    const values = record(store)
    await answer('of ada')
    await endSession(kit, 'signed-out')
    await run()
    expect([values.told, plain(store), backend.asked.length]).toEqual([['of ada', 'nothing'], ready('nothing'), 1])
  })

  it('app-owned stores stay', async () => {
    const { kit, store, backend, answer, run } = notes('app')
    const owned$ = query(async () => 'owned', { key: 'owned', ownedBy: 'session', signedOut: 'nothing' })
    record(owned$(kit))
    const values = record(store)
    await answer('of all')
    await endSession(kit, 'signed-out')
    await startSession(kit, tokensOf('grace'))
    await run()
    expect([values.told, backend.asked.length]).toEqual([['of all'], 1])
  })

  // Promise: identity-change-empties-stores
  it('a failure of the old user is dropped too, and fails no other user', async () => {
    const { store, backend, tokens, answer, refuse, run } = notes('session')
    record(store.snapshot$)
    await refuse(new Error('down'))
    tokens.write(tokensOf('grace'))
    expect(store.snapshot).toEqual({ status: 'pending' })
    await run()
    const values = record(store)
    backend.asked[0]?.refuse(new Error('late'))
    await answer('of grace')
    expect(values.told).toEqual(['of grace'])
  })

  // Promise: first-load-fails
  it('a first load that fails for the new user errors subscribers that had only the old one', async () => {
    const { store, tokens, answer, refuse } = notes('session')
    const values = record(store)
    await answer('of ada')
    tokens.write(tokensOf('grace'))
    await refuse(new Error('down'))
    expect(values.told).toEqual(['of ada', 'error: CALLBACK_FAILED'])
  })
})

describe('without a change of identity', () => {
  it('new tokens of the same session clear nothing', async () => {
    const { store, backend, tokens, answer, run } = notes('session')
    const snapshots = record(store.snapshot$)
    await answer('of ada')
    tokens.write({ ...tokensOf('ada'), refreshToken: 'rotated' })
    await run()
    expect([snapshots.told.length, backend.asked.length, plain(store)]).toEqual([2, 1, ready('of ada')])
  })

  it('a session of which only the refresh token is known is pending, and determined by its first access token', async () => {
    const { platform, clock, requests, newApp } = await world()
    const { read } = await platform.tokensFor(ada.email)
    const app = newApp({ tokens: memoryTokens({ accessToken: null, refreshToken: read()!.refreshToken }) })
    const snapshots = record(app.user$.snapshot$)
    const values = record(app.user$)
    const asked = outcome(app.user$.get())
    expect([values.told, app.auth$.value]).toEqual([[], { status: 'unknown' }])
    await clock.advance(0)
    expect([asked.value, values.told.length]).toEqual([expect.objectContaining({ displayName: 'Ada' }), 1])
    expect((snapshots.told as { status: string }[]).map(({ status }) => status)).toEqual(['pending', 'ready'])
    expect(requests).toEqual(['POST /auth/oauth/token', 'GET /users/me'])
  })

  it('signed out there is no request for any number of calls', async () => {
    const { store, backend, clock, run } = notes('session', { person: null })
    const values = record(store)
    expect([values.told, plain(store)]).toEqual([['nothing'], ready('nothing')])
    expect(await store.get()).toBe('nothing')
    const refreshed = outcome(store.refresh())
    await clock.advance(60_000)
    await run()
    expect([refreshed.value, values.told, backend.asked.length]).toEqual(['nothing', ['nothing'], 0])
  })
})
