import { derive, inspect, mutation, patch, query, type Kit, type Store } from 'rxauth'
import { coreOf } from '../../src/store/kit-parts'
import { notes, ownKit, record, tokensOf } from './own-backend'
import { both, first$, misfit, second$, valueOf, writeBoth } from './both'

describe('a throw', () => {
  // Promise: subscriber-throws
  it('in a listen callback is reported to onUnhandled and stops no other listener', async () => {
    const { kit, first, second, unhandled, run } = await both()
    const told: unknown[] = []
    const thrown = new Error('in listen')
    first.listen(() => {
      throw thrown
    })
    first.listen(() => told.push('listener'))
    first.subscribe(value => told.push(value))
    second.subscribe(value => told.push(value))
    told.length = 0
    await writeBoth(kit, { to: '1' })
    await run()
    expect(told).toEqual(['listener', 'first 1', 'second 1'])
    expect(unhandled).toEqual([thrown])
  })

  // Promise: subscriber-throws
  it('in an observer is reported by RxJS and stops no other subscriber', async () => {
    const { config } = await import('rxjs')
    const reported: unknown[] = []
    config.onUnhandledError = error => reported.push(error)
    try {
      const { kit, clock, first, second, unhandled } = await both()
      const told: unknown[] = []
      const thrown = new Error('in next')
      first.subscribe(() => {
        throw thrown
      })
      first.snapshot$.subscribe(() => {
        throw thrown
      })
      first.subscribe(value => told.push(value))
      second.subscribe(value => told.push(value))
      await writeBoth(kit, { to: '1' })
      // RxJS reports in a task of its own, with a timer of the machine.
      while (reported.length < 4) await clock.advance(0)
      expect(told).toEqual(['first 0', 'second 0', 'first 1', 'second 1'])
      expect([reported, unhandled]).toEqual([[thrown, thrown, thrown, thrown], []])
    } finally {
      config.onUnhandledError = null
    }
  })

  it('in onUnhandled itself stops no subscriber either', async () => {
    const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined)
    try {
      const thrown = new Error('in onUnhandled')
      const { kit, run } = ownKit({
        onUnhandled: () => {
          throw thrown
        },
      })
      const store = first$(kit)
      record(store)
      await run()
      store.listen(() => {
        throw new Error('in listen')
      })
      const { told } = record(store)
      await writeBoth(kit, { to: '1' })
      await writeBoth(kit, { to: '2' })
      expect(told).toEqual(['first 0', 'first 1', 'first 2'])
      expect(errors.mock.calls).toEqual([[thrown], [thrown]])
    } finally {
      errors.mockRestore()
    }
  })

  it('in a patch on a newer value, with a sign-out in onUnhandled, leaves no subscriber with the old user', async () => {
    const { kit, run, first, second, answer, reads } = await misfit()
    const orders = [record(first), record(second)]
    void first.refresh().catch(() => undefined)
    await answer(reads, 'newer')
    await run()
    expect(orders.map(({ told }) => told)).toEqual([
      ['shown', 'newer', 'no first'],
      ['second 0', 'no second'],
    ])
    expect(coreOf(kit).session.identity.kind).toBe('signed-out')
  })
})

it.each([
  ['a store', (store: Store<string>) => store],
  ['a derived store', (store: Store<string>, kit: Kit) => derive(kit, read => read(store))],
])('a listener of %s that is removed twice does not remove a new registration of the same callback', async (_, of) => {
  const { kit, store, answer } = notes()
  const listened = of(store, kit)
  const callback = jest.fn()
  const stop = listened.listen(callback)
  stop()
  const stopAgain = listened.listen(callback)
  stop()
  await answer('one')
  expect([callback.mock.calls.length, listened.snapshot.status]).toEqual([1, 'ready'])
  stopAgain()
  expect(inspect(kit).subscriptions).toBe(0)
})

describe('code of the app that runs inside the kit', () => {
  it('may subscribe in its loader, even in one that a write has started: it sees what is committed', async () => {
    const { kit, clock, run } = await both()
    const seen: unknown[] = []
    const outer$ = query(
      async kit => {
        first$(kit).subscribe(value => seen.push([value, valueOf(second$(kit))]))
        return 'outer'
      },
      { key: 'outer', ownedBy: 'app' },
    )
    record(outer$(kit))
    await clock.advance(300)
    seen.length = 0
    const write = mutation(async () => undefined, {
      refreshes: () => [outer$],
      writes: () => [patch(first$, {}, () => 'first 1'), patch(second$, {}, () => 'second 1')],
    })
    void write(kit, {})
    await run()
    expect(seen).toEqual([
      ['first 1', 'second 1'],
      ['first 1', 'second 1'],
    ])
  })

  it('may write from the trace: the older commit is told first', async () => {
    const { kit, run, first, signOut } = await both()
    const values = record(first)
    coreOf(kit).transport.trace.events$.subscribe(event => {
      if (event.type === 'commit' && event.cause === 'written') signOut()
    })
    await writeBoth(kit, { to: '1' })
    await run()
    expect(values.told).toEqual(['first 0', 'first 1', 'no first'])
  })

  it('may dispose of the kit inside next', async () => {
    const { kit, first, second, timers } = await both()
    first.subscribe(value => {
      if (value === 'first 1') kit.dispose()
    })
    const others = [record(first), record(second)]
    await writeBoth(kit, { to: '1' })
    expect(others.map(({ told }) => told.at(-1))).toEqual(['complete', 'complete'])
    expect(timers.running).toBe(0)
  })

  it('may sign in as another user inside next: the old user is never emitted after the new one', async () => {
    const { kit, run, tokens, first, second } = await both()
    const orders = [record(first), record(second), record(first)]
    first.subscribe(value => {
      if (value === 'first 1') tokens.write(tokensOf('grace'))
    })
    await writeBoth(kit, { to: '1' })
    await run()
    expect(orders.map(({ told }) => told)).toEqual([
      ['first 0', 'first 1', 'first 0'],
      ['second 0', 'second 1', 'second 0'],
      ['first 0', 'first 1', 'first 0'],
    ])
  })
})
