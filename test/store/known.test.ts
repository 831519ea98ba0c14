import { AuthError, mutation, patch, query } from 'rxauth'
import { Backend, outcome, ownKit, plain, ready, record } from './own-backend'
import { lost, refused, renaming, type Rename } from './renaming'

describe('an optimistic write', () => {
  // Promise: write-answer-fills-stores
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

  // Promise: lost-answer-rolls-back
  it.each([
    ['a lost answer', lost],
    ['an invalid answer', new AuthError('INVALID_RESPONSE', 'cut off')],
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

  // Promise: optimistic-in-order
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

  // Promise: optimistic-in-order
  it('is replayed over newer values that a load brings', async () => {
    const { kit, rename, store, values, reads, answer } = await renaming()
    outcome(rename(kit, { to: 'a' }))
    void store.refresh()
    await answer(reads, 'new')
    expect(values.told).toEqual(['old', 'old+a', 'new+a'])
    expect(plain(store)).toEqual(ready('new+a', { fetchedAt: 1000, unconfirmed: 1 }))
  })

  it('that does not fit a newer value is reported to onUnhandled and removed; the write continues', async () => {
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

  it('whose patch throws on the overlays of other writes rejects in the same way', async () => {
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

  // Promise: optimistic-needs-subscriber
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

  // Promise: optimistic-needs-subscriber
  it('does nothing on a store without subscribers', async () => {
    const { kit, rename, store, writes, run } = await renaming({}, { isWatched: false })
    outcome(rename(kit, { to: 'a' }))
    await run()
    expect([plain(store), writes.asked.length]).toEqual([ready('old'), 1])
  })
})
