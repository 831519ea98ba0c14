import { getEventListeners } from 'node:events'
import { anyUser$, endpoint, mutation, patch, query, type Kit } from 'rxauth'
import { coreOf } from '../../../src/store/kit-parts'
import { endSession, startSession } from '../../../src/store/session-effects'
import { world } from '../../world'
import { Backend, outcome, ownKit, record, tokensOf } from '../own-backend'
import { refused, renaming } from '../renaming'

describe('the owner of a write', () => {
  it('a write of a session that has ended sends nothing and rejects with SESSION_CHANGED', async () => {
    const { kit, rename, tokens, writes, run } = await renaming({}, { isWatched: false })
    tokens.write(tokensOf('grace'))
    const done = outcome(rename(kit, { to: 'a' }))
    await run()
    expect([done.value, writes.asked.length]).toEqual(['error: SESSION_CHANGED', 0])
  })

  it('a subscriber that signs out on the overlay keeps the write from being sent', async () => {
    const { kit, rename, store, values, writes, run } = await renaming()
    store.subscribe(value => {
      if (value === 'old+a') void endSession(kit, 'signed-out')
    })
    const done = outcome(rename(kit, { to: 'a' }))
    await run()
    expect([done.value, writes.asked.length, values.told]).toEqual([
      'error: SESSION_CHANGED',
      0,
      ['old', 'old+a', 'signed out'],
    ])
  })

  it("ada's answer is not written under grace", async () => {
    const { kit, rename, tokens, values, reads, writes, answer, run } = await renaming()
    const done = outcome(rename(kit, { to: 'a' }))
    await run()
    tokens.write(tokensOf('grace'))
    await answer(reads, 'grace')
    writes.last.answer('ada')
    await run()
    expect(values.told).toEqual(['old', 'old+a', 'grace'])
    expect(done.value).not.toBe('error: SESSION_CHANGED')
  })

  it("ada's answer is not written, and settles nothing, after she has signed out", async () => {
    const settled: string[] = []
    const { kit, rename, values, writes, run } = await renaming({ settled: () => void settled.push('settled') })
    outcome(rename(kit, { to: 'a' }))
    await run()
    await endSession(kit, 'signed-out')
    writes.last.answer('ada')
    await run()
    expect([values.told, settled]).toEqual([['old', 'old+a', 'signed out'], []])
  })

  it('its overlay is dropped with the identity, and its failure changes nothing', async () => {
    const { kit, rename, values, reads, writes, run } = await renaming()
    outcome(rename(kit, { to: 'a' }))
    await run()
    await endSession(kit, 'signed-out')
    writes.last.refuse(refused)
    await run()
    expect([values.told, reads.asked.length]).toEqual([['old', 'old+a', 'signed out'], 1])
  })

  it('one that signs in loads the stores of the new user once, before its promise resolves', async () => {
    const { kit, clock, answer, run } = ownKit({ person: null })
    const reads = new Backend<string>()
    const name$ = query(reads.ask, { key: 'name', ownedBy: 'session', signedOut: 'signed out' })
    const signIn = mutation(async () => tokensOf('grace'), { refreshes: () => [name$], settled: startSession })
    const values = record(name$(kit))
    await run()
    const done = outcome(signIn(kit, {}))
    await run()
    expect([done.value, reads.asked.length]).toEqual(['pending', 1])
    await answer(reads, 'grace')
    await clock.advance(1000)
    expect([done.value, values.told, reads.asked.length]).toEqual([tokensOf('grace'), ['signed out', 'grace'], 1])
  })
})

describe('the end of a write', () => {
  it('of a kit that is disposed of is DISPOSED, and its signal aborts', async () => {
    const { kit, rename, writes, run, timers } = await renaming()
    const done = outcome(rename(kit, { to: 'a' }))
    await run()
    kit.dispose()
    await run()
    expect([done.value, writes.last.signal.aborted, timers.running]).toEqual(['error: DISPOSED', true, 0])
  })

  it('releases listeners that its own code left on its signal', async () => {
    const { kit, run } = ownKit()
    const ended: string[] = []
    const save = mutation<{ readonly text: string }, string>(
      (_, { text }, { signal }) => {
        signal.addEventListener('abort', () => ended.push(text))
        return Promise.resolve(text)
      },
      { refreshes: () => [] },
    )
    const all = Array.from({ length: 11 }, (_, i) => outcome(save(kit, { text: `${i}` })))
    await run()
    expect(all.map(({ value }) => value)).toEqual(all.map((_, i) => `${i}`))
    expect(getEventListeners(coreOf(kit).session.ended, 'abort')).toEqual([])
    kit.dispose()
    expect(ended).toEqual([])
  })

  it('releases those too that its own `done` has left, whose signal ends with the caller’s', async () => {
    const { app, settled } = await world()
    const signals: AbortSignal[] = []
    const ended: unknown[] = []
    const ping = mutation(endpoint('POST /ping', { access: 'client' }), {
      refreshes: () => [],
      done(_, __, ___, { signal }) {
        signal.addEventListener('abort', () => ended.push(signal))
        signals.push(signal)
        return true
      },
    })
    await settled(Promise.all([ping(app), ping(app), ping(app, { signal: new AbortController().signal })]))
    expect(new Set(signals).size).toBe(3)
    expect(getEventListeners(coreOf(app).session.ended, 'abort')).toEqual([])
    app.dispose()
    expect(ended).toEqual([])
  })

  it('over the platform is DISPOSED as well, and leaves no timer', async () => {
    const { app, platform, clock } = await world()
    platform.faults.every('PATCH /users/me', { delayMillis: 10_000 })
    const done = outcome(app.updateUser({ displayName: 'X' }))
    await clock.advance(100)
    app.dispose()
    await clock.advance(0)
    expect(done.value).toBe('error: DISPOSED')
  })

  it('by its caller is ABORTED; the outcome is unknown, so it is rolled back and loads', async () => {
    const { kit, rename, values, reads, writes, run } = await renaming()
    const leaving = new AbortController()
    const done = outcome(rename(kit, { to: 'a' }, { signal: leaving.signal }))
    await run()
    leaving.abort()
    await run()
    expect([done.value, writes.last.signal.aborted, values.told, reads.asked.length]).toEqual([
      'error: ABORTED',
      true,
      ['old', 'old+a', 'old'],
      2,
    ])
  })

  // Promise: project-config
  it('before it began sends nothing and shows nothing', async () => {
    const { kit, rename, values, writes, run } = await renaming()
    const done = outcome(rename(kit, { to: 'a' }, { signal: AbortSignal.abort() }))
    await run()
    expect([done.value, writes.asked.length, values.told]).toEqual(['error: ABORTED', 0, ['old']])
  })

  it.each([
    ['this realm', AbortSignal.abort()],
    // As of an iframe: the same members, another class.
    ['another realm', { aborted: true, reason: undefined, addEventListener() {}, removeEventListener() {} }],
  ])('takes the options alone where the app’s own code needs no input: a signal of %s', async (_, signal) => {
    const { kit, run } = ownKit()
    const own = jest.fn(async (_kit: Kit, _input: object) => undefined)
    const write = mutation(own, { refreshes: () => [] })
    const done = outcome(write(kit, { signal: signal as AbortSignal }))
    await run()
    expect([done.value, own.mock.calls.length]).toEqual(['error: ABORTED', 0])
  })

  it('is the error that the app’s own code threw', async () => {
    const { kit, plainly, writes, refuse } = await renaming()
    const thrown = new Error('out of stock')
    const done = plainly(kit, { to: 'a' }).catch((error: unknown) => error)
    await refuse(writes as Backend<never>, thrown)
    expect(await done).toBe(thrown)
  })
})

describe('over the platform', () => {
  // Promise: write-has-emitted
  it('an awaited write of a store with subscribers costs one request, and has emitted when it resolves', async () => {
    const { app, clock, requests, settled } = await world()
    const names: unknown[] = []
    app.user$.subscribe(user => names.push(user?.displayName))
    await clock.advance(0)
    await settled(app.updateUser({ displayName: 'Ada L.' }))
    expect([names, requests]).toEqual([
      ['Ada', 'Ada L.'],
      ['GET /users/me', 'PATCH /users/me'],
    ])
    await clock.advance(10_000)
    expect(requests.length).toBe(2)
  })

  it('an answer is not shown to a subscriber right after a write whose session stays', async () => {
    const { app, clock } = await world()
    const shown: unknown[] = []
    app.anyUser$.subscribe(user => shown.push(user?.displayName))
    await clock.advance(1000)
    const touch = mutation(async (_: Kit) => 'Ada L.', {
      refreshes: () => [],
      writes: (_, displayName) => [patch(anyUser$, {}, user => ({ ...user!, displayName }))],
      settled: kit => {
        // The first event that could happen if the write waited here.
        void Promise.resolve().then(() => endSession(kit, 'signed-out'))
      },
    })
    void outcome(touch(app, {}))
    await clock.advance(1000)
    expect(shown).toEqual(['Ada', 'Ada L.', undefined])
  })

  // Promise: write-settles-with-its-outcome
  it('a write waits for no backoff of the load after it', async () => {
    const { app, clock, platform } = await world()
    const touch = mutation(async (_: Kit) => 'done', { refreshes: () => [anyUser$] })
    app.user$.subscribe()
    await clock.advance(1000)
    platform.faults.every('GET /users/me', { status: 429 })
    const done = outcome(touch(app, {}))
    await clock.advance(0)
    expect(done.value).toBe('done')
    app.dispose()
  })

  // Promise: lost-answer-rolls-back
  // Promise: project-config
  it('a write whose answer is lost is rolled back, and what the platform did is loaded', async () => {
    const { app, clock, platform } = await world()
    const names: unknown[] = []
    app.user$.subscribe(user => names.push(user?.displayName))
    await clock.advance(1000)
    platform.faults.next('PATCH /users/me', { loseResponse: true })
    const done = outcome(app.updateUser({ displayName: 'Ada L.' }))
    await clock.advance(1000)
    expect([done.value, names]).toEqual(['error: NETWORK_ERROR', ['Ada', 'Ada L.', 'Ada', 'Ada L.']])
  })
})
