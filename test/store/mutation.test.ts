import { anyUser$, AuthError, mutation, patch, query } from 'rxauth'
import type { Effects, Kit } from 'rxauth'
import { endSession, startSession } from '../../src/store/session'
import { world } from '../world'
import { Backend, outcome, ownKit, plain, ready, record, tokensOf } from './own-backend'

interface Rename {
  readonly to: string
}

/** A watched text that ada's session owns, and writes to it; both backends answer when the test says. */
async function renaming(
  effects: Partial<Effects<Rename, string>> = {},
  options: { readonly isWatched?: boolean } = {},
) {
  const own = ownKit()
  const reads = new Backend<string>()
  const writes = new Backend<string>()
  const name$ = query(reads.ask, { key: 'name', ownedBy: 'session', signedOut: 'nobody' })
  const shown: Effects<Rename, string> = {
    refreshes: () => [name$],
    optimistic: ({ to }) => [patch(name$, {}, name => `${name}+${to}`)],
    writes: (_, name) => [patch(name$, {}, () => name)],
  }
  const rename = mutation<Rename, string>(writes.ask, { ...shown, ...effects })
  const plainly = mutation<Rename, string>(writes.ask, { refreshes: () => [name$], ...effects })
  const store = name$(own.kit)
  const values = record(store)
  await own.answer(reads, 'old')
  if (options.isWatched === false) values.stop()
  await own.clock.advance(1000)
  return { ...own, reads, writes, name$, rename, plainly, store, values }
}

const lost = new AuthError('NETWORK_ERROR', 'no answer')
const refused = new AuthError('USER_EMAIL_ALREADY_EXISTS', 'taken', { status: 409 })

describe('an optimistic write', () => {
  it('is shown at once, unconfirmed, and replaced by the answer in one emission without a request', async () => {
    const { kit, rename, store, values, reads, writes, answer, run } = await renaming()
    const done = outcome(rename(kit, { to: 'a' }))
    await run()
    expect(plain(store)).toEqual(ready('old+a', { unconfirmed: 1 }))
    await answer(writes, 'A')
    expect(values.told).toEqual(['old', 'old+a', 'A'])
    expect([done.value, reads.asked.length, plain(store)]).toEqual(['A', 1, ready('A', { fetchedAt: 1000 })])
  })

  it('that the answer confirms to the letter emits nothing more', async () => {
    const { kit, rename, values, writes, answer } = await renaming()
    const done = outcome(rename(kit, { to: 'a' }))
    await answer(writes, 'old+a')
    expect([done.value, values.told]).toEqual(['old+a', ['old', 'old+a']])
  })

  it('is rolled back when the platform refuses it, without a request', async () => {
    const { kit, rename, store, values, reads, writes, refuse } = await renaming()
    const done = outcome(rename(kit, { to: 'a' }))
    await refuse(writes as Backend<never>, refused)
    expect(values.told).toEqual(['old', 'old+a', 'old'])
    expect([done.value, reads.asked.length, plain(store)]).toEqual([
      'error: USER_EMAIL_ALREADY_EXISTS',
      1,
      ready('old'),
    ])
  })

  it.each([
    ['a lost answer', lost],
    ['an answer that is none', new AuthError('INVALID_RESPONSE', 'cut off')],
    ['an attempt that took too long', new AuthError('TIMED_OUT', 'too long')],
    ['status 500', new AuthError('REQUEST_FAILED', 'failed', { status: 500 })],
    ['what the app itself threw', new Error('who knows')],
  ])('whose outcome is unknown, %s, is rolled back and loads', async (_, error) => {
    const { kit, rename, values, reads, writes, refuse, answer } = await renaming()
    outcome(rename(kit, { to: 'a' }))
    await refuse(writes as Backend<never>, error)
    expect([values.told, reads.asked.length]).toEqual([['old', 'old+a', 'old'], 2])
    await answer(reads, 'done after all')
    expect(values.told.at(-1)).toBe('done after all')
  })

  it('several are replayed in order, unconfirmed counts them, and a failed one is taken out', async () => {
    const { kit, rename, store, values, writes, run } = await renaming()
    const [a, b, c] = [
      outcome(rename(kit, { to: 'a' })),
      outcome(rename(kit, { to: 'b' })),
      outcome(rename(kit, { to: 'c' })),
    ]
    await run()
    expect(plain(store)).toEqual(ready('old+a+b+c', { unconfirmed: 3 }))
    writes.asked[1]?.refuse(refused)
    await run()
    expect(plain(store)).toEqual(ready('old+a+c', { unconfirmed: 2 }))
    expect([a.value, b.value, c.value]).toEqual(['pending', 'error: USER_EMAIL_ALREADY_EXISTS', 'pending'])
    expect(values.told).toEqual(['old', 'old+a', 'old+a+b', 'old+a+b+c', 'old+a+c'])
  })

  it('of two patches on one store counts once', async () => {
    const { kit, name$, store, writes, run } = await renaming()
    const twice = mutation<Rename, string>(writes.ask, {
      refreshes: () => [name$],
      optimistic: () => [patch(name$, {}, name => `${name}1`), patch(name$, {}, name => `${name}2`)],
    })
    outcome(twice(kit, { to: 'a' }))
    await run()
    expect(plain(store)).toEqual(ready('old12', { unconfirmed: 1 }))
  })

  it('is replayed over newer values that a load brings', async () => {
    const { kit, rename, store, values, reads, answer } = await renaming()
    outcome(rename(kit, { to: 'a' }))
    void store.refresh()
    await answer(reads, 'new')
    expect(values.told).toEqual(['old', 'old+a', 'new+a'])
    expect(plain(store)).toEqual(ready('new+a', { fetchedAt: 1000, unconfirmed: 1 }))
  })

  it('that does not fit a newer value is told to onUnhandled and taken out; the write goes on', async () => {
    const { kit, clock, name$, store, reads, writes, answer, unhandled } = await renaming()
    const picky = mutation<Rename, string>(writes.ask, {
      refreshes: () => [name$],
      optimistic: () => [
        patch(name$, {}, name => {
          if (name === 'new') throw new Error('does not fit')
          return 'shown'
        }),
      ],
      writes: (_, name) => [patch(name$, {}, () => name)],
    })
    const done = outcome(picky(kit, { to: 'a' }))
    void store.refresh()
    await answer(reads, 'new')
    expect(plain(store)).toEqual(ready('new', { fetchedAt: 1000 }))
    expect(unhandled).toEqual([expect.objectContaining({ code: 'CALLBACK_FAILED' })])
    await answer(writes, 'A')
    await clock.advance(300)
    await answer(reads, 'A')
    expect([done.value, plain(store)]).toEqual(['A', ready('A', { fetchedAt: 1300 })])
  })

  it('whose patch throws rejects with CALLBACK_FAILED, sends nothing and shows nothing', async () => {
    const { kit, name$, values, writes, run } = await renaming()
    const thrown = new Error('does not fit')
    const broken = mutation<Rename, string>(writes.ask, {
      refreshes: () => [name$],
      optimistic: () => [
        patch(name$, {}, name => `${name}+shown`),
        patch(name$, {}, () => {
          throw thrown
        }),
      ],
    })
    const error = broken(kit, { to: 'a' }).catch((error: unknown) => error)
    await run()
    expect(await error).toMatchObject({ code: 'CALLBACK_FAILED', cause: thrown })
    expect([values.told, writes.asked.length]).toEqual([['old'], 0])
  })

  it('whose patch throws on what other writes show, rejects in the same way', async () => {
    const { kit, name$, rename, values, writes, run } = await renaming()
    outcome(rename(kit, { to: 'a' }))
    const picky = mutation<Rename, string>(writes.ask, {
      refreshes: () => [name$],
      optimistic: () => [
        patch(name$, {}, name => {
          if (name.includes('+a')) throw new Error('does not fit')
          return name
        }),
      ],
    })
    const done = outcome(picky(kit, { to: 'b' }))
    await run()
    expect([done.value, writes.asked.length, values.told]).toEqual(['error: CALLBACK_FAILED', 1, ['old', 'old+a']])
  })

  it.each(['refreshes', 'optimistic'] as const)('whose %s throws rejects with CALLBACK_FAILED, too', async which => {
    const { kit, writes, plainly, run } = await renaming({
      [which]: () => {
        throw new Error('broken')
      },
    })
    const done = outcome(plainly(kit, { to: 'a' }))
    await run()
    expect([done.value, writes.asked.length]).toEqual(['error: CALLBACK_FAILED', 0])
  })

  it('does nothing on a store that is pending', async () => {
    const { kit, clock, answer } = ownKit()
    const [reads, writes] = [new Backend<string>(), new Backend<string>()]
    const name$ = query(reads.ask, { key: 'name', ownedBy: 'app' })
    const rename = mutation<Rename, string>(writes.ask, {
      refreshes: () => [name$],
      optimistic: () => [patch(name$, {}, name => `${name}+a`)],
    })
    const { told } = record(name$(kit))
    outcome(rename(kit, { to: 'a' }))
    await clock.advance(300)
    expect(name$(kit).snapshot).toEqual({ status: 'pending' })
    await answer(reads, 'first')
    expect(told).toEqual(['first'])
  })

  it('does nothing on a store that nobody watches', async () => {
    const { kit, rename, store, writes, run } = await renaming({}, { isWatched: false })
    outcome(rename(kit, { to: 'a' }))
    await run()
    expect([plain(store), writes.asked.length]).toEqual([ready('old'), 1])
  })
})

describe('a write that is done', () => {
  it('has reloaded the watched stores that it refreshes when its promise resolves, the value never going back', async () => {
    const { kit, name$, values, reads, writes, answer } = await renaming()
    const rename = mutation<Rename, string>(writes.ask, {
      refreshes: () => [name$],
      optimistic: ({ to }) => [patch(name$, {}, () => to)],
    })
    const done = outcome(rename(kit, { to: 'a' }))
    await answer(writes, 'whatever')
    expect([done.value, values.told, reads.asked.length]).toEqual(['pending', ['old', 'a'], 2])
    expect(plain(name$(kit))).toEqual(ready('a', { refreshing: true }))
    await answer(reads, 'A')
    expect([done.value, values.told]).toEqual(['whatever', ['old', 'a', 'A']])
  })

  it('keeps what it showed if the load after it fails, since the platform has done it', async () => {
    const { kit, name$, values, reads, writes, answer, refuse } = await renaming()
    const rename = mutation<Rename, string>(writes.ask, {
      refreshes: () => [name$],
      optimistic: ({ to }) => [patch(name$, {}, () => to)],
    })
    const done = outcome(rename(kit, { to: 'a' }))
    await answer(writes, 'done')
    await refuse(reads as Backend<never>, lost)
    expect([done.value, values.told, plain(name$(kit))]).toEqual([
      'done',
      ['old', 'a'],
      ready('a', { error: 'NETWORK_ERROR' }),
    ])
  })

  it('settles with its own outcome even if the load after it fails', async () => {
    const { kit, plainly, store, reads, writes, answer, refuse } = await renaming()
    const done = outcome(plainly(kit, { to: 'a' }))
    await answer(writes, 'done')
    await refuse(reads as Backend<never>, lost)
    expect([done.value, plain(store)]).toEqual(['done', ready('old', { error: 'NETWORK_ERROR' })])
  })

  it('waits for the throttle of 300 ms, and loads once', async () => {
    const { kit, plainly, store, reads, writes, answer, clock } = await renaming()
    void store.refresh()
    await answer(reads, 'newer')
    const done = outcome(plainly(kit, { to: 'a' }))
    await answer(writes, 'done')
    await clock.advance(299)
    expect([done.value, reads.asked.length]).toEqual(['pending', 2])
    await clock.advance(1)
    await answer(reads, 'newest')
    expect([done.value, reads.asked.length]).toEqual(['done', 3])
  })

  it('marks what nobody watches as stale, costing nothing; who comes next loads', async () => {
    const { kit, plainly, store, reads, writes, answer, clock } = await renaming({}, { isWatched: false })
    const done = outcome(plainly(kit, { to: 'a' }))
    await answer(writes, 'done')
    await clock.advance(1000)
    expect([done.value, reads.asked.length, plain(store)]).toEqual(['done', 1, ready('old')])
    const values = record(store)
    await answer(reads, 'new')
    expect(values.told).toEqual(['old', 'new'])
  })

  it('loads what is pending although its answer would tell it', async () => {
    const { kit, answer, clock } = ownKit()
    const [reads, writes] = [new Backend<string>(), new Backend<string>()]
    const name$ = query(reads.ask, { key: 'name', ownedBy: 'app' })
    const rename = mutation<Rename, string>(writes.ask, {
      refreshes: () => [name$],
      writes: (_, name) => [patch(name$, {}, () => name)],
    })
    const { told } = record(name$(kit))
    await clock.advance(0)
    const done = outcome(rename(kit, { to: 'a' }))
    await answer(writes, 'A')
    // What the load that began before says may be older than the write.
    reads.asked[0]?.answer('before the write')
    await clock.advance(300)
    expect([done.value, told, reads.asked.length]).toEqual(['pending', [], 2])
    await answer(reads, 'A')
    expect([done.value, told]).toEqual(['A', ['A']])
  })

  it('loads every other target, and only those that somebody watches', async () => {
    const { kit, name$, reads, writes, answer } = await renaming()
    const [others, idlers] = [new Backend<string>(), new Backend<string>()]
    const other$ = query(others.ask, { key: 'other', ownedBy: 'app' })
    const idle$ = query(idlers.ask, { key: 'idle', ownedBy: 'app' })
    record(other$(kit))
    await answer(others, 'other')
    const rename = mutation<Rename, string>(writes.ask, {
      refreshes: () => [name$, other$, idle$],
      writes: (_, name) => [patch(name$, {}, () => name)],
    })
    const done = outcome(rename(kit, { to: 'a' }))
    await answer(writes, 'A')
    expect([reads.asked.length, idlers.asked.length, done.value]).toEqual([1, 0, 'pending'])
  })

  it('runs settled before refreshes', async () => {
    const order: string[] = []
    const { kit, plainly, writes, answer } = await renaming({
      settled: async () => {
        order.push('settled begins')
        await Promise.resolve()
        order.push('settled ends')
      },
      refreshes: (_, output) => {
        if (output !== undefined) order.push('refreshes')
        return []
      },
    })
    outcome(plainly(kit, { to: 'a' }))
    await answer(writes, 'A')
    expect(order).toEqual(['settled begins', 'settled ends', 'refreshes'])
  })

  it('whose answer does not fit what is known tells onUnhandled and loads instead', async () => {
    const { kit, reads, writes, rename, values, answer, unhandled } = await renaming({
      writes: () => {
        throw new Error('broken')
      },
    })
    const done = outcome(rename(kit, { to: 'a' }))
    await answer(writes, 'A')
    await answer(reads, 'A')
    expect([done.value, values.told.at(-1), unhandled.length]).toEqual(['A', 'A', 1])
  })

  it('with a change of a part leaves stale what was stale', async () => {
    const { kit, rename, plainly, store, reads, writes, answer } = await renaming({}, { isWatched: false })
    outcome(plainly(kit, { to: 'a' }))
    await answer(writes, 'done')
    outcome(rename(kit, { to: 'b' }))
    await answer(writes, 'B')
    expect(store.snapshot).toMatchObject({ value: 'B' })
    void store.get()
    await answer(reads, 'B')
    expect(reads.asked.length).toBe(2)
  })
})

describe('answers that come late', () => {
  it('of a read that began before the write settled is not shown: it runs again', async () => {
    const { kit, rename, store, values, reads, writes, answer, clock, run } = await renaming()
    outcome(store.refresh())
    await run()
    outcome(rename(kit, { to: 'a' }))
    await answer(writes, 'A')
    reads.asked[1]?.answer('from before')
    await clock.advance(300)
    expect(values.told).toEqual(['old', 'old+a', 'A'])
    await answer(reads, 'A, too')
    expect([values.told.at(-1), reads.asked.length]).toEqual(['A, too', 3])
  })

  it('of a read that nobody waits for, which began before the write settled, runs again for those who watch', async () => {
    const { kit, rename, store, values, reads, writes, answer, clock } = await renaming()
    await clock.advance(6000)
    values.stop()
    const later = record(store)
    outcome(rename(kit, { to: 'a' }))
    await answer(writes, 'A')
    reads.asked[1]?.answer('from before')
    await clock.advance(300)
    await answer(reads, 'A, too')
    expect([later.told, reads.asked.length]).toEqual([['old', 'old+a', 'A', 'A, too'], 3])
    expect(plain(store)).toEqual(ready('A, too', { fetchedAt: 7300 }))
  })

  it('of a read that fails and began before the write settled is not shown either', async () => {
    const { kit, rename, store, reads, writes, answer, clock, run } = await renaming()
    const refreshed = outcome(store.refresh())
    await run()
    outcome(rename(kit, { to: 'a' }))
    await answer(writes, 'A')
    reads.asked[1]?.refuse(lost)
    await clock.advance(300)
    await answer(reads, 'A')
    expect([refreshed.value, plain(store)]).toEqual(['A', ready('A', { fetchedAt: 1300 })])
  })

  it('of a write replaces nothing that a load has told meanwhile: it loads', async () => {
    const { kit, rename, store, values, reads, writes, answer, clock } = await renaming()
    const done = outcome(rename(kit, { to: 'a' }))
    void store.refresh()
    await answer(reads, 'newer')
    await answer(writes, 'late')
    await clock.advance(300)
    await answer(reads, 'newer')
    expect(values.told).toEqual(['old', 'old+a', 'newer+a', 'newer'])
    expect(done.value).toBe('late')
  })

  it.each([
    ['in order', [0, 1]],
    ['in the other order', [1, 0]],
  ])('of writes that overlapped, %s, are not believed, and it loads after the last', async (_, order) => {
    const { kit, rename, values, reads, writes, clock, run } = await renaming()
    const done = [outcome(rename(kit, { to: 'a' })), outcome(rename(kit, { to: 'b' }))]
    await run()
    for (const index of order) writes.asked[index]?.answer(`answer ${index}`)
    await run()
    for (let times = 0; times < 3; times++) {
      reads.last.answer('from the platform')
      await clock.advance(300)
    }
    expect(values.told.filter(value => String(value).startsWith('answer'))).toEqual([])
    expect([values.told.at(-1), done.map(({ value }) => value)]).toEqual([
      'from the platform',
      ['answer 0', 'answer 1'],
    ])
  })

  it('of a write that overlapped with one whose answer was lost is not believed either', async () => {
    const { kit, rename, values, reads, writes, answer, clock, run } = await renaming()
    const [one, two] = [outcome(rename(kit, { to: 'a' })), outcome(rename(kit, { to: 'b' }))]
    await run()
    writes.asked[0]?.refuse(lost)
    await answer(reads, 'loaded')
    await answer(writes, 'answer')
    expect(values.told).not.toContain('answer')
    await clock.advance(300)
    await answer(reads, 'loaded again')
    expect([one.value, two.value, values.told.at(-1)]).toEqual(['error: NETWORK_ERROR', 'answer', 'loaded again'])
  })

  it('of writes one after the other are believed: no request', async () => {
    const { kit, rename, values, reads, writes, answer } = await renaming()
    for (const name of ['A', 'B', 'C']) {
      outcome(rename(kit, { to: name.toLowerCase() }))
      await answer(writes, name)
    }
    expect(values.told).toEqual(['old', 'old+a', 'A', 'A+b', 'B', 'B+c', 'C'])
    expect(reads.asked.length).toBe(1)
  })
})

describe('whose write it is', () => {
  it('a write of who has left sends nothing and rejects with SESSION_CHANGED', async () => {
    const { kit, rename, tokens, writes, run } = await renaming({}, { isWatched: false })
    tokens.write(tokensOf('grace'))
    const done = outcome(rename(kit, { to: 'a' }))
    await run()
    expect([done.value, writes.asked.length]).toEqual(['error: SESSION_CHANGED', 0])
  })

  it('a subscriber that signs out when it is shown the write keeps it from being sent', async () => {
    const { kit, rename, store, values, writes, run } = await renaming()
    store.subscribe(value => {
      if (value === 'old+a') void endSession(kit, 'signed-out')
    })
    const done = outcome(rename(kit, { to: 'a' }))
    await run()
    expect([done.value, writes.asked.length, values.told]).toEqual([
      'error: SESSION_CHANGED',
      0,
      ['old', 'old+a', 'nobody'],
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
    expect([values.told, settled]).toEqual([['old', 'old+a', 'nobody'], []])
  })

  it('what it showed is gone with the identity, and its failure changes nothing', async () => {
    const { kit, rename, values, reads, writes, run } = await renaming()
    outcome(rename(kit, { to: 'a' }))
    await run()
    await endSession(kit, 'signed-out')
    writes.last.refuse(refused)
    await run()
    expect([values.told, reads.asked.length]).toEqual([['old', 'old+a', 'nobody'], 1])
  })

  it('one that signs in loads the stores of the new user once, before its promise resolves', async () => {
    const { kit, clock, answer, run } = ownKit({ person: null })
    const reads = new Backend<string>()
    const name$ = query(reads.ask, { key: 'name', ownedBy: 'session', signedOut: 'nobody' })
    const signIn = mutation(async () => tokensOf('grace'), { refreshes: () => [name$], settled: startSession })
    const values = record(name$(kit))
    await run()
    const done = outcome(signIn(kit, {}))
    await run()
    expect([done.value, reads.asked.length]).toEqual(['pending', 1])
    await answer(reads, 'grace')
    await clock.advance(1000)
    expect([done.value, values.told, reads.asked.length]).toEqual([tokensOf('grace'), ['nobody', 'grace'], 1])
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

  it('over the platform is DISPOSED as well, and leaves no timer', async () => {
    const { app, platform, clock } = await world()
    platform.faults.every('PATCH /users/me', { delayMillis: 10_000 })
    const done = outcome(app.updateUser({ displayName: 'X' }))
    await clock.advance(100)
    app.dispose()
    await clock.advance(0)
    expect(done.value).toBe('error: DISPOSED')
  })

  it('by its caller is ABORTED; nobody knows what became of it, so it is rolled back and loads', async () => {
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

  it('before it began sends nothing and shows nothing', async () => {
    const { kit, rename, values, writes, run } = await renaming()
    const done = outcome(rename(kit, { to: 'a' }, { signal: AbortSignal.abort() }))
    await run()
    expect([done.value, writes.asked.length, values.told]).toEqual(['error: ABORTED', 0, ['old']])
  })

  it('is what the app threw, if it was its own code', async () => {
    const { kit, plainly, writes, refuse } = await renaming()
    const thrown = new Error('out of stock')
    const done = plainly(kit, { to: 'a' }).catch((error: unknown) => error)
    await refuse(writes as Backend<never>, thrown)
    expect(await done).toBe(thrown)
  })
})

describe('over the platform', () => {
  it('an awaited write of a watched store costs one request, and has been told when it resolves', async () => {
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
