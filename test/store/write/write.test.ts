import { mutation, patch, query } from 'rxauth'
import { Backend, outcome, ownKit, plain, ready, record } from '../own-backend'
import { lost, renaming, type Rename } from '../renaming'

const thrown = new Error('broken')

describe('a write that is done', () => {
  // Promise: write-has-emitted
  it('has reloaded the stores with subscribers that it refreshes when its promise resolves, and never shows an older value', async () => {
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

  // Promise: write-settles-with-its-outcome
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

  // Promise: write-marks-stale
  it('marks stores without subscribers as stale, without a request; the next subscriber loads', async () => {
    const { kit, plainly, store, reads, writes, answer, clock } = await renaming({}, { isWatched: false })
    const done = outcome(plainly(kit, { to: 'a' }))
    await answer(writes, 'done')
    await clock.advance(1000)
    expect([done.value, reads.asked.length, plain(store)]).toEqual(['done', 1, ready('old')])
    const values = record(store)
    await answer(reads, 'new')
    expect(values.told).toEqual(['old', 'new'])
  })

  // Promise: write-answer-fills-stores
  it('loads a pending store although its answer contains the value', async () => {
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
    // The load that began before may return a value from before the write.
    reads.asked[0]?.answer('before the write')
    await clock.advance(300)
    expect([done.value, told, reads.asked.length]).toEqual(['pending', [], 2])
    await answer(reads, 'A')
    expect([done.value, told]).toEqual(['A', ['A']])
  })

  // Promise: write-marks-stale, write-answer-fills-stores
  it('loads every other target that has subscribers', async () => {
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

  it.each([
    ['throws', () => Promise.reject(thrown)],
    [
      'throws at once',
      () => {
        throw thrown
      },
    ],
  ])('whose settled %s is CALLBACK_FAILED with its cause, and shows what was written', async (_, settled) => {
    const { kit, rename, values, writes, answer } = await renaming({ settled })
    const failed = rename(kit, { to: 'a' }).catch((error: unknown) => error)
    await answer(writes, 'A')
    expect(await failed).toMatchObject({ name: 'AuthError', code: 'CALLBACK_FAILED', cause: thrown })
    expect(values.told.at(-1)).toBe('A')
  })

  it('whose answer does not fit the known value reports to onUnhandled and loads instead', async () => {
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
  // Promise: load-before-write-repeats
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

  it('of a read without callers, which began before the write settled, runs again for its watchers', async () => {
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

  // Promise: load-before-write-repeats
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

  it.each([
    ['plainly', 'whatever'],
    ['rename', 'old'],
  ] as const)(
    'of a read that began before a write (%s) which changed nothing is not shown either, and its callers get the next',
    async (name, unchanged) => {
      const given = await renaming({ optimistic: () => [] })
      const { kit, store, values, reads, writes, answer, clock, run } = given
      const [got, refreshed] = [outcome(store.get({ maxAgeMillis: 0 })), outcome(store.refresh())]
      await run()
      outcome(given[name](kit, { to: 'old' }))
      await answer(writes, unchanged)
      reads.asked[1]?.answer('from before')
      await clock.advance(300)
      await answer(reads, 'newest')
      expect([got.value, refreshed.value, values.told]).toEqual(['newest', 'newest', ['old', 'newest']])
    },
  )

  it('of a read with callers but no watchers runs again, for the callers', async () => {
    const { kit, plainly, store, reads, writes, answer, clock, run } = await renaming({}, { isWatched: false })
    const got = outcome(store.get({ maxAgeMillis: 0 }))
    await run()
    const done = outcome(plainly(kit, { to: 'a' }))
    await answer(writes, 'done')
    expect(done.value).toBe('done')
    reads.asked[1]?.answer('from before')
    await clock.advance(300)
    expect(got.value).toBe('pending')
    await answer(reads, 'newest')
    expect([got.value, reads.asked.length]).toEqual(['newest', 3])
  })

  // Promise: late-answer
  it('of a write does not replace the value of a load meanwhile: it loads', async () => {
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

  // Promise: overlapping-writes
  it.each([
    ['in order', [0, 1]],
    ['in the other order', [1, 0]],
  ])('of writes that overlapped, %s, are not used, and it loads after the last', async (_, order) => {
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

  // Promise: overlapping-writes
  it('of a write that overlapped with one whose answer was lost is not used either', async () => {
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
