import { query } from 'rxauth'
import { BehaviorSubject } from 'rxjs'
import { notes, record } from './own-backend'

function watched(refreshOn?: { visible?: boolean; online?: boolean; everyMillis?: number }) {
  const visible$ = new BehaviorSubject(true)
  const online$ = new BehaviorSubject(true)
  return {
    ...notes('app', { host: { visible$, online$ }, ...(refreshOn && { refreshOn }) }),
    visible$,
    online$,
  }
}

describe.each(['visible', 'online'] as const)('when the page is %s again', what => {
  it.each([
    // Promise: stale-stores-load
    ['a store with subscribers that is no longer fresh loads', 5001, true, 2],
    ['a fresh one does not', 5000, true, 1],
    ['one without watchers does not', 4000, false, 1],
  ])('%s', async (_, age, isWatched, requests) => {
    const { kit, store, backend, answer, clock, run, ...world } = watched()
    const other$ = query(async () => 'other', { key: 'other', ownedBy: 'app' })
    record(other$(kit))
    const values = record(store)
    await answer('known')
    if (!isWatched) values.stop()
    const state$ = world[`${what}$`]
    state$.next(false)
    await clock.advance(age)
    expect(backend.asked.length).toBe(1)
    state$.next(true)
    await run()
    expect(backend.asked.length).toBe(requests)
  })

  it('nothing loads if the app has turned that off', async () => {
    const { store, backend, answer, clock, run, ...world } = watched({ [what]: false })
    record(store)
    await answer('known')
    await clock.advance(60_000)
    expect(world[`${what}$`].observed).toBe(false)
    expect(backend.asked.length).toBe(1)
  })

  it('a store that was watched first while it was not loads too', async () => {
    const { store, backend, answer, clock, run, ...world } = watched()
    world[`${what}$`].next(false)
    record(store)
    await answer('known')
    await clock.advance(6000)
    world[`${what}$`].next(true)
    await run()
    expect(backend.asked.length).toBe(2)
  })

  it('nothing loads when it stays as it was: told twice that it is, or that it is not', async () => {
    const { store, backend, answer, clock, run, ...world } = watched()
    record(store)
    await answer('known')
    await clock.advance(6000)
    for (const state of [true, false, false]) world[`${what}$`].next(state)
    await run()
    expect(backend.asked.length).toBe(1)
  })

  // Promise: nothing-runs
  it('no listener stays after the last subscriber has left', async () => {
    const { store, ...world } = watched()
    const one = record(store)
    const two = record(store)
    one.stop()
    expect(world[`${what}$`].observed).toBe(true)
    two.stop()
    expect(world[`${what}$`].observed).toBe(false)
  })
})

it('emits nothing when the page comes and goes 100 times and nothing has changed', async () => {
  const { store, answer, clock, visible$ } = watched()
  const values = record(store)
  await answer('same')
  for (let times = 0; times < 100; times++) {
    visible$.next(false)
    await clock.advance(6000)
    visible$.next(true)
    await answer('same')
  }
  expect(values.told).toEqual(['same'])
})

// Promise: stale-stores-load
it('a store with subscribers loads every everyMillis, 10000 here, and no longer without them', async () => {
  const { store, backend, answer, clock, timers } = watched({ everyMillis: 10_000 })
  const values = record(store)
  await answer('0')
  for (let times = 1; times <= 3; times++) {
    await clock.advance(9_999)
    expect(backend.asked.length).toBe(times)
    await clock.advance(1)
    expect(backend.asked.length).toBe(times + 1)
    await answer(String(times))
  }
  expect(values.told).toEqual(['0', '1', '2', '3'])
  values.stop()
  await clock.advance(5000)
  expect(timers.running).toBe(0)
})

// Promise: stale-stores-load
it.each([
  ...[1000, 3000, 5000, 6000].map(everyMillis => [everyMillis, 200] as const),
  ...([
    [1000, 600],
    [1000, 999],
    [3000, 1600],
    [5000, 2600],
    [10_000, 6000],
  ] as const),
])('%i ms are kept, although the platform takes %i ms', async (everyMillis, takes) => {
  const { store, backend, answer, clock } = watched({ everyMillis })
  const values = record(store)
  await clock.advance(takes)
  await answer('0')
  await clock.advance(everyMillis - takes)
  for (let times = 1; times <= 5; times++) {
    expect(backend.asked.length).toBe(times + 1)
    await clock.advance(takes)
    await answer(String(times))
    await clock.advance(everyMillis - takes - 1)
    expect(backend.asked.length).toBe(times + 1)
    await clock.advance(1)
  }
  expect(values.told).toEqual(['0', '1', '2', '3', '4', '5'])
})

it('a platform that takes longer than everyMillis has one request at a time, at every other time', async () => {
  const { store, backend, answer, clock } = watched({ everyMillis: 1000 })
  record(store)
  for (let times = 1; times <= 5; times++) {
    await clock.advance(1600)
    expect(backend.asked.length).toBe(times)
    await answer(String(times))
    await clock.advance(400)
  }
})

it('everyMillis rests while the page is hidden', async () => {
  const { store, backend, answer, clock, visible$ } = watched({ everyMillis: 10_000 })
  record(store)
  await answer('known')
  visible$.next(false)
  await clock.advance(60_000)
  expect(backend.asked.length).toBe(1)
})

// Promise: nothing-runs
it.each(['leaves', 'disposes of the kit'])(
  'no timer stays after a subscriber that %s when told of a load',
  async what => {
    const { kit, store, answer, clock, timers } = watched({ everyMillis: 10_000 })
    const subscription = store.snapshot$.subscribe(snapshot => {
      if (snapshot.status !== 'ready' || !snapshot.refreshing) return
      if (what === 'leaves') subscription.unsubscribe()
      else kit.dispose()
    })
    await answer('known')
    await clock.advance(10_000)
    expect(subscription.closed).toBe(true)
    await answer('again')
    await clock.advance(60_000)
    expect(timers.running).toBe(0)
  },
)
