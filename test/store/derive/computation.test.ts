import { derive, inspect, query, type Kit } from 'rxauth'
import { outcome, ownKit, record } from '../own-backend'
import { pair } from '../pair'
import { nextTask, unhandled } from '../../unhandled'

/** Items by number, of the app or of the session, from a backend that answers at once if `isQuick`. */
function items(ownedBy: 'app' | 'session', person: string | null = 'ada') {
  const own = ownKit({ person })
  const asked: string[] = []
  const load = async (_: Kit, { id }: { readonly id: string }) => {
    asked.push(id)
    return `item ${id}`
  }
  const item$ =
    ownedBy === 'app'
      ? query(load, { key: 'item', ownedBy })
      : query(load, { key: 'item', ownedBy, signedOut: 'no item' })
  return { ...own, asked, item: (id: number) => item$(own.kit, { id: String(id) }) }
}

describe('a computation that reads another store on every run, although no value changed', () => {
  const stopped = 'error: CALLBACK_FAILED'

  // Promise: derived-misuse
  it('fails after 25 loads with an error that names the cause, and costs nothing from then on', async () => {
    const { kit, item, asked, clock, timers } = items('app')
    let count = 0
    const store = derive(kit, read => read(item(count++)))
    const { told } = record(store)
    await clock.advance(60_000)
    expect([told, asked.length]).toEqual([[stopped], 25])
    const failed = store.snapshot
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'CALLBACK_FAILED' } })
    if (failed.status === 'failed')
      expect(failed.error.message).toMatch(/reads another store on every run, lastly "item".*must be pure/)
    const snapshots = record(store.snapshot$)
    await clock.advance(60_000)
    expect(snapshots.told.at(-1)).toMatchObject({ status: 'failed' })
    snapshots.stop()
    await clock.advance(5000)
    expect([inspect(kit).loads, inspect(kit).cells, timers.running]).toEqual([0, 0, 0])
  })

  it.each(['get', 'refresh'] as const)('lets %s() reject', async how => {
    const { kit, item, asked, clock } = items('app')
    let count = 0
    const given = outcome(derive(kit, read => read(item(count++)))[how]())
    await clock.advance(60_000)
    expect(given.value).toBe(stopped)
    expect(asked.length).toBeLessThanOrEqual(26)
  })

  // Promise: derived-misuse
  it('does not freeze where the others are known without a load', () => {
    const { kit, item } = items('session', null)
    let count = 1
    const store = derive(kit, read => read(item(count++)))
    // The kit has to know that it is signed out.
    item(0).listen(() => undefined)
    expect(record(store).told).toEqual([stopped])
  })

  it('fails, too, if it reads only one store more on every run', async () => {
    const { kit, item, clock } = items('app')
    let count = 0
    const store = derive(kit, read => {
      count++
      return Array.from({ length: count }, (_, index) => read(item(index)))
    })
    expect(await failure(store.get(), clock)).toBe(stopped)
    expect(count).toBeLessThan(600)
  })

  it('is tried again when all watchers have left', async () => {
    const { kit, item, clock } = items('app')
    let count = 0
    let isPure = false
    const store = derive(kit, read => read(item(isPure ? 0 : count++)))
    const { told, stop } = record(store.snapshot$)
    await clock.advance(0)
    expect(told.at(-1)).toMatchObject({ status: 'failed' })
    isPure = true
    stop()
    const again = record(store)
    await clock.advance(0)
    expect(again.told).toEqual(['item 0'])
  })
})

describe('a computation settles', () => {
  it('that reads the items of a list, one after the other', async () => {
    const { kit, item, clock } = items('app')
    const store = derive(kit, read => Array.from({ length: 200 }, (_, index) => read(item(index))).length)
    const { told } = record(store)
    await clock.advance(0)
    expect(told).toEqual([200])
  })

  it('that derives its members anew each time, however often they change', async () => {
    const { left, derive, backends, answer, clock } = pair()
    const { told } = record(derive(read => read(derive(read => read(left)))))
    await answer(backends.left, '0')
    for (let count = 1; count < 60; count++) {
      void left.refresh()
      await clock.advance(300)
      await answer(backends.left, String(count))
    }
    expect(told).toEqual(Array.from({ length: 60 }, (_, index) => String(index)))
  })
})

// Promise: derived-misuse
it('a store of another kit is refused: it would belong to other commits', async () => {
  const [own, other] = [pair(), pair()]
  const store = own.derive(read => read(other.left))
  expect(record(store).told).toEqual(['error: INVALID_INPUT'])
  const given = outcome(store.get())
  await own.run()
  expect(given.value).toBe('error: INVALID_INPUT')
  expect(store.snapshot).toMatchObject({ error: { message: expect.stringContaining('combineLatest()') } })
  // A store of the own app, as another copy of the package sees it.
  expect(store.snapshot).toMatchObject({ error: { message: expect.stringContaining('npm ls rxauth') } })
  expect([other.asked(), inspect(other.kit).subscriptions]).toEqual([[0, 0], 0])
})

it('that is asynchronous gives a promise, and leaves no rejection unhandled while a store is not known yet', async () => {
  const { derive, left, backends, answer } = pair()
  const store = derive(async read => read(left))
  const rejections = unhandled()
  const { told } = record(store)
  await nextTask()
  expect([told, store.snapshot, rejections]).toEqual([[], { status: 'pending' }, []])
  await answer(backends.left, 'here')
  expect(await store.get()).toBe('here')
})

async function failure(promise: Promise<unknown>, clock: ReturnType<typeof ownKit>['clock']): Promise<unknown> {
  const given = outcome(promise)
  await clock.advance(0)
  return given.value
}
