import { auth$, query } from 'rxauth'
import { coreOf } from '../../src/store/kit-parts'
import { notes, record } from './own-backend'
import { both, valueOf, writeBoth } from './both'

describe('a commit', () => {
  // Promise: commit-before-notify
  it('takes all new states before any subscriber is notified: every read inside next and listen belongs to it', async () => {
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

  // Promise: commit-before-notify
  it('of a write that touches two stores is one', async () => {
    const { kit } = await both()
    const commits: unknown[] = []
    coreOf(kit).transport.trace.events$.subscribe(event => {
      if (event.type === 'commit') commits.push([event.cause, event.stores])
    })
    await writeBoth(kit, { to: '1' })
    expect(commits).toEqual([['written', ['first', 'second']]])
  })

  // Promise: commits-in-order
  it('requested inside next waits until all are notified, so all see the same commits in the same order', async () => {
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

  // Promise: commits-in-order
  it.each(['next', 'listen', 'snapshot$'] as const)(
    'with a sign-out inside %s leaves no subscriber with the old user, in the same order for all',
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
    const look = () => seen.push([valueOf(first), valueOf(second), auth$(kit).value.status])
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

  it('made during notification is not seen ahead by a store that is opened only then', async () => {
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

  // Promise: joins-during-notification
  it('notifies a subscriber that joins during notification of the committed value exactly once', async () => {
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

  // Promise: joins-during-notification
  it('notifies a subscriber that joins inside the first next of a subscription once, too', async () => {
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

  it('requested inside the first next of a subscription is emitted to that subscriber too', async () => {
    const { run, first, signOut } = await both()
    const told: unknown[] = []
    first.subscribe(value => {
      told.push(value)
      if (told.length === 1) signOut()
    })
    await run()
    expect(told).toEqual(['first 0', 'no first'])
  })

  it('is not emitted to a subscriber that unsubscribes, or is unsubscribed, inside next and listen', async () => {
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

  it('in whose next all subscribers refresh costs one more request', async () => {
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
