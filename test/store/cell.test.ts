import { query } from 'rxauth'
import { firstValueFrom } from 'rxjs'
import { runs } from '../runs'
import { ada, world } from '../world'
import { Backend, notes, outcome, ownKit, plain, ready, record } from './own-backend'

const keys = runs(1000, 10_000)

describe('a cell', () => {
  // Promise: store-is-a-handle
  it('does not exist before the store is used', async () => {
    const { store, backend, cells, run } = notes()
    expect(store.snapshot).toEqual({ status: 'pending' })
    await run()
    expect([cells(), backend.asked.length]).toEqual([0, 0])
  })

  // Promise: pending-snapshot-shared
  it('shows one frozen pending snapshot, the same for every store, before it exists', () => {
    const { kit, store } = notes()
    const other = query(new Backend().ask, { key: 'other', ownedBy: 'app' })(kit)
    expect(Object.isFrozen(store.snapshot)).toBe(true)
    expect(store.snapshot).toBe(other.snapshot)
  })

  it.each([
    [4999, 'ready', 1],
    [5000, 'pending', 0],
  ])('%i ms after the last subscriber left is %s', async (millis, status, left) => {
    const { store, answer, clock, cells } = notes()
    const { stop } = record(store)
    await answer('first')
    await clock.advance(1000)
    stop()
    await clock.advance(millis)
    expect([store.snapshot.status, cells()]).toEqual([status, left])
  })

  // Promise: cell-lifetime
  it('lives as long as it has a subscriber, and 5000 ms longer', async () => {
    const { store, answer, clock } = notes()
    const [one, two, three] = [{ stop: store.listen(() => undefined) }, record(store), record(store.snapshot$)]
    await answer('first')
    for (const { stop } of [one, two, three]) {
      await clock.advance(60_000)
      expect(store.snapshot.status).toBe('ready')
      stop()
      stop()
    }
    await clock.advance(4999)
    expect(store.snapshot.status).toBe('ready')
    await clock.advance(1)
    expect(store.snapshot.status).toBe('pending')
  })

  it('lives on with a new subscriber within 5000 ms, without another request', async () => {
    const { store, answer, clock, backend } = notes()
    const before = record(store)
    await answer('first')
    before.stop()
    await clock.advance(4999)
    const { told } = record(store)
    await clock.advance(60_000)
    expect([told, backend.asked.length, plain(store)]).toEqual([['first'], 1, ready('first')])
  })

  // Promise: store-is-a-handle
  it('is created again by a store that was kept after the old cell was dropped', async () => {
    const { store, answer, clock, backend } = notes()
    const before = record(store)
    await answer('first')
    before.stop()
    await clock.advance(5000)
    const after = record(store)
    expect([after.told, plain(store)]).toEqual([[], { status: 'pending' }])
    await answer('second')
    expect([before.told, after.told, backend.asked.length]).toEqual([['first'], ['second'], 2])
  })

  // Promise: cell-lifetime
  it('finishes a load that is slower than its idle time, and lives 5000 ms from then', async () => {
    const { store, answer, clock, backend } = notes()
    record(store).stop()
    await clock.advance(60_000)
    expect(backend.last.signal.aborted).toBe(false)
    await answer('late')
    expect(plain(store)).toEqual(ready('late', { fetchedAt: 60_000 }))
    await clock.advance(4999)
    expect(store.snapshot.status).toBe('ready')
    await clock.advance(1)
    expect(store.snapshot.status).toBe('pending')
  })

  // Promise: cell-lifetime
  it('lives as long as a caller waits for it', async () => {
    const { store, clock, answer } = notes()
    const waiting = outcome(store.get())
    await clock.advance(60_000)
    await answer('late')
    expect(waiting.value).toBe('late')
  })

  it('does not leave during a load that began within its last 5000 ms', async () => {
    const { store, clock, answer, cells } = notes()
    const before = record(store)
    await answer('known')
    before.stop()
    await clock.advance(4000)
    const waiting = outcome(store.refresh())
    await clock.advance(4000)
    expect([cells(), waiting.value]).toEqual([1, 'pending'])
    await answer('new')
    expect([waiting.value, store.snapshot.status]).toEqual(['new', 'ready'])
    await clock.advance(5000)
    expect(cells()).toBe(0)
  })

  // Promise: render-leaves-nothing
  it('is removed in the same way after a listener that lasted one tick, as in a render that never mounts', async () => {
    const { store, clock, cells, answer } = notes()
    store.listen(() => undefined)()
    expect(cells()).toBe(1)
    await answer('unused')
    await clock.advance(5000)
    expect(cells()).toBe(0)
  })

  it('costs no request if its last subscriber leaves before a load that waits for the throttle', async () => {
    const { store, clock, answer, backend } = notes()
    const first = record(store)
    await answer('first')
    const refreshed = new AbortController()
    outcome(store.refresh({ signal: refreshed.signal }))
    await clock.advance(100)
    refreshed.abort()
    first.stop()
    await clock.advance(1000)
    expect(backend.asked.length).toBe(1)
  })

  // Promise: cell-lifetime
  it('sets timers that keep no process running', async () => {
    const kept: boolean[] = []
    const { platform, clock, newApp } = await world()
    const app = newApp({
      tokens: await platform.tokensFor(ada.email),
      clock: {
        ...clock,
        setTimeout(run, millis, options) {
          if (millis === 5000) kept.push(options?.keepAlive !== false)
          return clock.setTimeout(run, millis)
        },
      },
    })
    const user = firstValueFrom(app.user$)
    await clock.advance(0)
    await user
    expect(new Set(kept)).toEqual(new Set([false]))
  })

  // Promise: cell-lifetime
  it('leaves nothing behind, for thousands of keys that were used for a moment', async () => {
    const { kit, clock, timers, cells } = notes()
    const values: WeakRef<object>[] = []
    const item$ = query(
      async (_, { id }: { id: number }) => {
        const value = { id, text: 'x'.repeat(100) }
        values.push(new WeakRef(value))
        return value
      },
      { key: 'item', ownedBy: 'app' },
    )
    for (let id = 0; id < keys; id++) {
      if (id % 2) record(item$(kit, { id })).stop()
      else void item$(kit, { id }).get()
    }
    await clock.advance(4999)
    expect([cells(), timers.running]).toEqual([keys, keys])
    await clock.advance(1)
    expect([cells(), timers.running, values.length]).toEqual([0, 0, keys])
    await collectGarbage(clock)
    expect(values.filter(value => value.deref()).length).toBeLessThan(10)
  })
})

describe('the value of a cell', () => {
  // Promise: no-equal-values
  it('keeps the reference of its equal parts, and emits no equal value', async () => {
    const { kit, clock, answer } = ownKit()
    const backend = new Backend<{ list: readonly { id: number; at?: Date }[]; count: number }>()
    const store = query(backend.ask, { key: 'deep', ownedBy: 'app' })(kit)
    const values = record(store)
    const list = () => [{ id: 1, at: new Date(5) }, { id: 2 }]
    const load = async (value: { list: { id: number; at?: Date }[]; count: number }) => {
      await clock.advance(300)
      void store.refresh()
      await answer(backend, value)
    }
    await answer(backend, { list: list(), count: 1 })
    await load({ list: list(), count: 1 })
    expect([backend.asked.length, values.told.length]).toEqual([2, 1])
    await load({ list: list(), count: 2 })
    const [first, second] = values.told as { list: unknown[]; count: number }[]
    expect(second).toEqual({ list: list(), count: 2 })
    expect(second?.list).toBe(first?.list)
    await load({ list: [{ id: 1, at: new Date(6) }, { id: 2 }], count: 2 })
    const third = values.told[2] as { list: unknown[] }
    expect(third.list[0]).not.toBe(second?.list[0])
    expect(third.list[1]).toBe(second?.list[1])
  })

  // Promise: no-equal-values
  it('is not emitted again when only refreshing and fetchedAt change, which the snapshot shows', async () => {
    const { store, answer, clock, run } = notes()
    const values = record(store)
    await answer('same')
    await clock.advance(1000)
    const snapshots = record(store.snapshot$)
    void store.refresh()
    await run()
    await answer('same')
    const first = snapshots.told[0]
    expect(snapshots.told).toEqual([
      first,
      { ...(first as object), refreshing: true },
      { ...(first as object), fetchedAt: new Date(clock.now()) },
    ])
    expect(values.told).toEqual(['same'])
  })
})

/** Runs the garbage collector until it finds nothing more. */
async function collectGarbage(clock: { advance(millis: number): Promise<void> }): Promise<void> {
  const { setFlagsFromString } = await import('node:v8')
  const { runInNewContext } = await import('node:vm')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let times = 0; times < 3; times++) {
    await clock.advance(0)
    collect()
  }
}
