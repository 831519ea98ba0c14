import { auth$, mutation, patch, query } from 'rxauth'
import type { Kit, Store } from 'rxauth'
import { endSession } from '../../src/store/session'
import { coreOf } from '../../src/store/kit'
import { Backend, notes, ownKit, record, tokensOf } from './own-backend'

const first$ = query(async () => 'first 0', { key: 'first', ownedBy: 'session', signedOut: 'no first' })
const second$ = query(async () => 'second 0', { key: 'second', ownedBy: 'session', signedOut: 'no second' })

/** Changes both stores in one commit. */
const writeBoth = mutation(async (_kit: Kit, { to }: { to: string }) => to, {
  refreshes: () => [first$, second$],
  writes: (_, to) => [patch(first$, {}, () => `first ${to}`), patch(second$, {}, () => `second ${to}`)],
})

async function both() {
  const own = ownKit()
  const stores = [first$(own.kit), second$(own.kit)] as const
  for (const store of stores) record(store)
  await own.run()
  const signOut = () => void endSession(own.kit, 'signed-out')
  return { ...own, first: stores[0], second: stores[1], signOut }
}

/** A write is shown on a store that does not fit its next value; onUnhandled signs out. */
async function misfit() {
  const own = ownKit({ onUnhandled: () => void endSession(own.kit, 'signed-out') })
  const reads = new Backend<string>()
  const text$ = query(reads.ask, { key: 'text', ownedBy: 'session', signedOut: 'no first' })
  const show = mutation(() => new Promise<string>(() => undefined), {
    refreshes: () => [text$],
    optimistic: () => [
      patch(text$, {}, text => {
        if (text === 'newer') throw new Error('does not fit')
        return 'shown'
      }),
    ],
  })
  const [first, second] = [text$(own.kit), second$(own.kit)]
  record(first)
  record(second)
  await own.answer(reads, 'older')
  await own.clock.advance(300)
  void show(own.kit, {})
  await own.run()
  return { ...own, first, second, reads }
}

function valueOf(store: Store<unknown>): unknown {
  return store.snapshot.status === 'ready' ? store.snapshot.value : store.snapshot.status
}

describe('a commit', () => {
  it('takes all new states before anybody is told: whatever is read inside next and listen belongs to it', async () => {
    const { kit, run, first, second } = await both()
    const seen: unknown[] = []
    const look = () => void seen.push([valueOf(first), valueOf(second)])
    for (const store of [first, second]) {
      store.listen(look)
      store.subscribe(look)
      store.snapshot$.subscribe(look)
    }
    seen.length = 0
    await writeBoth(kit, { to: '1' })
    await run()
    expect(seen).toEqual(Array.from({ length: 6 }, () => ['first 1', 'second 1']))
  })

  it('of a write that touches two stores is one', async () => {
    const { kit } = await both()
    const commits: unknown[] = []
    coreOf(kit).transport.trace.events$.subscribe(event => {
      if (event.type === 'commit') commits.push([event.cause, event.stores])
    })
    await writeBoth(kit, { to: '1' })
    expect(commits).toEqual([['written', ['first', 'second']]])
  })

  it('asked for inside next waits until all are told, so all see the same commits in the same order', async () => {
    const { kit, run, first, second } = await both()
    const orders = Array.from({ length: 6 }, () => [] as unknown[])
    let hasWritten = false
    const watchers = [first, second, first, second, first, second]
    watchers.forEach((store, index) => {
      store.subscribe(() => {
        orders[index]?.push(`${String(valueOf(first))}, ${String(valueOf(second))}`)
        if (index !== 2 || hasWritten || valueOf(first) !== 'first 1') return
        hasWritten = true
        void writeBoth(kit, { to: '2' })
      })
    })
    await writeBoth(kit, { to: '1' })
    await run()
    expect(orders).toEqual(orders.map(() => ['first 0, second 0', 'first 1, second 1', 'first 2, second 2']))
  })

  it.each(['next', 'listen', 'snapshot$'] as const)(
    'in whose %s somebody signs out leaves nobody with the old user, in the same order for all',
    async where => {
      const { kit, run, first, second, signOut } = await both()
      const orders = Array.from({ length: 4 }, () => [] as unknown[])
      ;[first, second, first, second].forEach((store, index) => store.subscribe(value => orders[index]?.push(value)))
      const leave = () => {
        if (valueOf(first) === 'first 1') signOut()
      }
      if (where === 'next') first.subscribe(leave)
      if (where === 'listen') first.listen(leave)
      if (where === 'snapshot$') first.snapshot$.subscribe(leave)
      const reads: unknown[] = []
      first.subscribe(() => reads.push([valueOf(first), valueOf(second)]))
      await writeBoth(kit, { to: '1' })
      await run()
      expect(orders).toEqual([
        ['first 0', 'first 1', 'no first'],
        ['second 0', 'second 1', 'no second'],
        ['first 0', 'first 1', 'no first'],
        ['second 0', 'second 1', 'no second'],
      ])
      expect(reads).toEqual([
        ['first 0', 'second 0'],
        ['first 1', 'second 1'],
        ['no first', 'no second'],
      ])
    },
  )

  it('that empties the stores of a session is one, and auth$ belongs to it', async () => {
    const { kit, run, first, second, signOut } = await both()
    const seen: unknown[] = []
    const look = () => seen.push([valueOf(first), valueOf(second), auth$(kit).value.phase])
    record(auth$(kit))
    first.subscribe(look)
    second.subscribe(look)
    seen.length = 0
    signOut()
    await run()
    expect(seen).toEqual([
      ['no first', 'no second', 'signed-out'],
      ['no first', 'no second', 'signed-out'],
    ])
  })

  it('made while telling is not seen ahead by a store that is opened only then', async () => {
    const { kit, run, first, signOut } = await both()
    const fresh$ = query(async () => 'fresh', { key: 'fresh', ownedBy: 'session', signedOut: 'no fresh' })
    const seen: unknown[] = []
    const open = () => fresh$(kit).subscribe(fresh => seen.push([valueOf(first), fresh]))
    first.subscribe(value => {
      if (value !== 'first 1') return
      signOut()
      open()
    })
    await writeBoth(kit, { to: '1' })
    await run()
    expect(seen).toEqual([['no first', 'no fresh']])
  })

  it('tells who joins while telling the committed value exactly once', async () => {
    const { kit, run, first, second } = await both()
    const joined = { values: [] as unknown[], snapshots: [] as unknown[], listened: 0 }
    const join = () => {
      second.subscribe(value => joined.values.push(value))
      second.snapshot$.subscribe(snapshot => joined.snapshots.push(snapshot.status === 'ready' && snapshot.value))
      second.listen(() => joined.listened++)
    }
    const outer = first.subscribe(value => {
      if (value !== 'first 1') return
      outer.unsubscribe()
      join()
    })
    await writeBoth(kit, { to: '1' })
    await run()
    expect(joined).toEqual({ values: ['second 1'], snapshots: ['second 1'], listened: 0 })
    await writeBoth(kit, { to: '2' })
    expect(joined).toEqual({ values: ['second 1', 'second 2'], snapshots: ['second 1', 'second 2'], listened: 1 })
  })

  it('tells who joins inside the first next of a subscription once, too', async () => {
    const { kit, first, second } = await both()
    const told: unknown[] = []
    const join = () => second.subscribe(value => told.push(value))
    const outer = first.subscribe(() => {
      if (told.length === 0) join()
    })
    expect(told).toEqual(['second 0'])
    outer.unsubscribe()
    await writeBoth(kit, { to: '1' })
    expect(told).toEqual(['second 0', 'second 1'])
  })

  it('asked for inside the first next of a subscription is told to that subscriber, too', async () => {
    const { run, first, signOut } = await both()
    const told: unknown[] = []
    first.subscribe(value => {
      told.push(value)
      if (told.length === 1) signOut()
    })
    await run()
    expect(told).toEqual(['first 0', 'no first'])
  })

  it('is not told to whoever unsubscribes, or is unsubscribed, inside next and listen', async () => {
    const { kit, first } = await both()
    const told: string[] = []
    const one = first.subscribe(value => {
      if (value !== 'first 1') return
      told.push('one')
      one.unsubscribe()
      two.unsubscribe()
    })
    const two = first.subscribe(value => {
      if (value === 'first 1') told.push('two')
    })
    const stopListening = first.listen(() => {
      told.push('listener')
      stopListening()
    })
    await writeBoth(kit, { to: '1' })
    await writeBoth(kit, { to: '2' })
    expect(told).toEqual(['listener', 'one'])
  })

  it('in whose next everybody refreshes costs one more request', async () => {
    const { store, backend, answer, clock } = notes()
    for (let times = 0; times < 5; times++)
      store.subscribe(value => {
        if (value === 'first') void store.refresh()
      })
    await answer('first')
    await clock.advance(300)
    await answer('second')
    await clock.advance(1000)
    expect(backend.asked.length).toBe(2)
  })
})

describe('who throws', () => {
  it('in a listen callback is told to onUnhandled and stops nobody', async () => {
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

  it('in an observer is told to the report of RxJS and stops nobody', async () => {
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

  it('in onUnhandled itself stops nobody either', async () => {
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

  it('in a patch that meets a newer value, and signs out in onUnhandled, leaves nobody with the old user', async () => {
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

  it('may sign in as somebody else inside next: the old user is never told after the new one', async () => {
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
