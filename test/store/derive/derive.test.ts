import { derive, inspect, mutation, only, patch, query, view, type Kit } from 'rxauth'
import { firstValueFrom } from 'rxjs'
import { coreOf } from '../../../src/store/kit-parts'
import { pending } from '../../../src/store/snapshot'
import { Backend, outcome, ownKit, plain, ready, record, tokensOf } from '../own-backend'
import { pair } from '../pair'

describe('a derived store', () => {
  it('is computed from what it reads, with one request for each', async () => {
    const { both, answerBoth, asked, run } = pair()
    const values = record(both)
    const [stop, listened] = [jest.fn(), jest.fn()]
    stop.mockImplementation(both.listen(listened))
    await answerBoth('l', 'r')
    await run()
    expect([values.told, plain(both), asked()]).toEqual([['l, r'], ready('l, r'), [1, 1]])
    expect(listened.mock.calls.length).toBe(1)
    expect([await both.get(), await firstValueFrom(both), asked()]).toEqual(['l, r', 'l, r', [1, 1]])
  })

  it('costs nothing while it is unused: its snapshot sends no request', async () => {
    const { kit, both, asked, run } = pair()
    expect(both.snapshot).toEqual({ status: 'pending' })
    await run()
    expect([asked(), inspect(kit)]).toEqual([[0, 0], { subscriptions: 0, timers: 0, loads: 0, cells: 0 }])
  })

  it('shows in its snapshot what others have loaded, although it is unused', async () => {
    const { left, right, both, answerBoth, asked } = pair()
    record(left)
    record(right)
    await answerBoth('l', 'r')
    expect([plain(both), asked()]).toEqual([ready('l, r'), [1, 1]])
  })

  it('of a derived store loads what has failed again for each new subscriber', async () => {
    const { both, derive, answer, backends, fail, asked, clock } = pair()
    const outer = derive(read => `(${read(both)})`)
    record(outer.snapshot$)
    await answer(backends.left, 'l')
    await fail('right')
    await clock.advance(1000)
    const { told } = record(outer)
    await clock.advance(0)
    expect(asked()).toEqual([1, 2])
    await answer(backends.right, 'r')
    expect(told).toEqual(['(l, r)'])
  })

  it('from nothing is ready at once, for all and without a request', async () => {
    const { kit, derive, run } = pair()
    const five = derive(() => 5)
    expect(plain(five)).toEqual(ready(5))
    const [values, snapshots] = [record(five), record(five.snapshot$)]
    expect([values.told, snapshots.told]).toEqual([[5], [five.snapshot]])
    expect([await five.get(), await five.refresh()]).toEqual([5, 5])
    values.stop()
    snapshots.stop()
    await run()
    expect(inspect(kit)).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  })

  it.each(['values', 'snapshots'] as const)('emits what is known already to its first subscriber: %s', async what => {
    const { left, right, both, answerBoth } = pair()
    record(left)
    record(right)
    await answerBoth('l', 'r')
    const { told } = what === 'values' ? record(both) : record(both.snapshot$)
    expect(told).toEqual([what === 'values' ? 'l, r' : both.snapshot])
    expect(plain(both)).toEqual(ready('l, r'))
  })

  it('may be derived from views and from derived stores', async () => {
    const { kit, left$, both, derive, answerBoth, asked } = pair()
    const length$ = view(left$, text => text.length)
    const whole = derive(read => `${read(both)}: ${read(length$(kit))}`)
    const { told } = record(whole)
    await answerBoth('left', 'right')
    expect([told, asked(), await whole.get()]).toEqual([['left, right: 4'], [1, 1], 'left, right: 4'])
  })

  it('that is a member of another notifies its own subscribers too, in any order of subscription', async () => {
    const { both, derive, answerBoth, writeBoth, kit } = pair()
    const outer = derive(read => `(${read(both)})`)
    const [first, second] = [record(outer), record(both)]
    await answerBoth('l', 'r')
    await writeBoth(kit, { to: '1' })
    expect([first.told, second.told]).toEqual([
      ['(l, r)', '(left 1, right 1)'],
      ['l, r', 'left 1, right 1'],
    ])
  })
})

describe('a member of a derived store', () => {
  function choosing() {
    const one = pair()
    const others = new Backend<string>()
    const other$ = query(others.ask, { key: 'other', ownedBy: 'app' })
    const other = other$(one.kit)
    return {
      ...one,
      others,
      other,
      chosen: one.derive(read => (read(one.left) === 'right' ? read(one.right) : read(other))),
    }
  }

  it('is what the last run read: the one before is released, the new one loads', async () => {
    const { kit, left, chosen, backends, others, answer, asked, clock, cells } = choosing()
    const { told } = record(chosen)
    await answer(backends.left, 'right')
    await answer(backends.right, 'r')
    expect([told, asked(), others.asked.length, inspect(kit).subscriptions]).toEqual([['r'], [1, 1], 0, 1 + 2])
    await clock.advance(300)
    void left.refresh()
    await answer(backends.left, 'other')
    expect([others.asked.length, inspect(kit).subscriptions, cells()]).toEqual([1, 1 + 2, 3])
    await answer(others, 'o')
    await clock.advance(5000)
    // The right one has had its 5000 ms.
    expect([told, cells()]).toEqual([['r', 'o'], 2])
  })

  // Promise: derived-state
  it('makes it pending while it is unknown, if it has had no value or nothing watches it', async () => {
    const { left, chosen, backends, others, answer, clock } = choosing()
    const watching = record(chosen)
    await answer(backends.left, 'right')
    expect(plain(chosen)).toEqual({ status: 'pending' })
    await answer(backends.right, 'r')
    watching.stop()
    record(left)
    await clock.advance(300)
    void left.refresh()
    await answer(backends.left, 'other')
    expect(plain(chosen)).toEqual({ status: 'pending' })
    record(chosen)
    expect(plain(chosen)).toEqual({ status: 'pending' })
    await answer(others, 'o')
    expect(plain(chosen)).toMatchObject({ status: 'ready', value: 'o' })
  })

  // Promise: derived-state
  it('leaves the last value in place while it is unknown, which the snapshot says and values do not', async () => {
    const { left, chosen, backends, others, answer, clock } = choosing()
    const values = record(chosen)
    const snapshots = record(chosen.snapshot$)
    await answer(backends.left, 'right')
    await answer(backends.right, 'r')
    await clock.advance(300)
    void left.refresh()
    await answer(backends.left, 'other')
    expect(plain(chosen)).toEqual({ ...ready('r'), refreshing: true, isHeld: true })
    const next = chosen.get()
    await answer(others, 'o')
    expect(await next).toBe('o')
    expect(plain(chosen)).toMatchObject({ status: 'ready', value: 'o', refreshing: false })
    expect(chosen.snapshot).not.toHaveProperty('isHeld')
    expect(values.told).toEqual(['r', 'o'])
    expect(snapshots.told.filter(each => each === pending)).toHaveLength(1)
  })

  // Promise: derived-state
  it('that leaves the last value in place does so in all stores derived from it, whose values are never mixed', async () => {
    const { left, chosen, derive, backends, others, answer, clock } = choosing()
    const both = derive(read => `${read(left)}: ${read(chosen)}`)
    const { told } = record(both)
    await answer(backends.left, 'right')
    await answer(backends.right, 'r')
    await clock.advance(300)
    void left.refresh()
    await answer(backends.left, 'other')
    expect(plain(both)).toMatchObject({ status: 'ready', value: 'right: r', isHeld: true })
    await answer(others, 'o')
    expect(told).toEqual(['right: r', 'other: o'])
  })

  // Promise: derived-state
  it('that fails without a value ends what is in place', async () => {
    const { left, chosen, backends, others, answer, refuse, clock } = choosing()
    record(chosen.snapshot$)
    await answer(backends.left, 'right')
    await answer(backends.right, 'r')
    await clock.advance(300)
    void left.refresh()
    await answer(backends.left, 'other')
    expect(plain(chosen)).toMatchObject({ isHeld: true })
    await refuse(others as Backend<never>, new Error('broken'))
    expect(plain(chosen)).toMatchObject({ status: 'failed' })
  })

  // Promise: derived-state
  it('that is read before what belongs to the user leaves nothing of the user in place', async () => {
    const { kit, tokens, answer, clock } = ownKit()
    const [trigger, words, names] = [new Backend<string>(), new Backend<string>(), new Backend<string>()]
    const trigger$ = query(trigger.ask, { key: 'trigger', ownedBy: 'app' })
    const words$ = query<{ of: string }, string>(words.ask, { key: 'words', ownedBy: 'app' })
    const name$ = query(names.ask, { key: 'name', ownedBy: 'session', signedOut: 'nothing' })
    const text = derive(kit, read => `${read(words$(kit, { of: read(trigger$(kit)) }))} of ${read(name$(kit))}`)
    const whole = derive(kit, read => `shown: ${read(text)}`)
    const { told } = record(whole)
    await answer(trigger, 'en')
    await answer(words, 'hello')
    await answer(names, 'ada')
    await clock.advance(300)
    void trigger$(kit).refresh()
    await answer(trigger, 'fr')
    expect([plain(text), plain(whole)]).toEqual([{ status: 'pending' }, { status: 'pending' }])
    // The kit hears of the next user only when a store of the session is watched again.
    tokens.write(null)
    await answer(words, 'bonjour')
    expect(told).toEqual(['shown: hello of ada', 'shown: bonjour of nothing'])
  })

  // Promise: derived-state
  it('of another user leaves nothing in place', async () => {
    const { kit, tokens, answer, clock } = ownKit()
    const backend = new Backend<string>()
    const owned$ = query(backend.ask, { key: 'owned', ownedBy: 'session', signedOut: 'nothing' })
    const name = derive(kit, read => read(owned$(kit)))
    const told: string[] = []
    name.snapshot$.subscribe(each => {
      told.push(each.status === 'ready' ? `${each.value}${each.isHeld ? ' held' : ''}` : each.status)
    })
    await answer(backend, 'a')
    tokens.write(tokensOf('grace'))
    await clock.advance(0)
    expect(plain(name)).toEqual({ status: 'pending' })
    await answer(backend, 'g')
    expect(told).toEqual(['pending', 'a', 'pending', 'g'])
  })

  it('no longer notifies it once it is not read', async () => {
    const { right, chosen, counted, backends, others, answer } = choosing()
    record(chosen)
    record(right)
    await answer(backends.left, 'other')
    await answer(others, 'o')
    await answer(backends.right, 'r')
    expect(counted.times).toBe(0)
    expect(plain(chosen)).toEqual(ready('o'))
  })

  it('is released after the last listener, and dropped 5000 ms later', async () => {
    const { kit, both, answerBoth, cells, clock } = pair()
    const uses = [record(both), record(both.snapshot$), { stop: both.listen(() => undefined) }]
    await answerBoth('l', 'r')
    // The members that it watches count too: two.
    expect(inspect(kit).subscriptions).toBe(3 + 2)
    uses[0]?.stop()
    uses[1]?.stop()
    expect(inspect(kit).subscriptions).toBe(1 + 2)
    uses[2]?.stop()
    uses[2]?.stop()
    expect([inspect(kit).subscriptions, cells()]).toEqual([0, 2])
    await clock.advance(4999)
    expect([plain(both), cells()]).toEqual([ready('l, r'), 2])
    await clock.advance(1)
    expect([plain(both), inspect(kit)]).toEqual([
      { status: 'pending' },
      { subscriptions: 0, timers: 0, loads: 0, cells: 0 },
    ])
  })

  it.each([
    ['leaves', 2],
    ['disposes of the kit', 0],
  ])('is not held any more when a subscriber notified of its load %s', async (what, subscriptions) => {
    const { kit, left, right, derive, backends, answer, fail, clock, run } = pair()
    record(right)
    let act: () => void = () => undefined
    right.listen(() => {
      if (right.snapshot.status === 'ready' && right.snapshot.refreshing) act()
    })
    await answer(backends.right, 'r')
    await clock.advance(1000)
    right.refresh().catch(() => undefined)
    await fail('right')
    await clock.advance(1000)
    const both = record(derive(read => `${read(left)}, ${read(right)}`))
    act = what === 'leaves' ? both.stop : kit.dispose
    // Only now is the right one needed too, and it has no good value.
    await answer(backends.left, 'l')
    await run()
    expect([inspect(kit).subscriptions, coreOf(kit).commits.dependents.size]).toEqual([subscriptions, 0])
  })

  it('that is needed only now, and known without a load, is emitted at once', async () => {
    const { kit, left, right, left$, derive, backends, answer } = pair({ left: 'app' }, { person: null })
    const write = mutation((_: Kit, { to }: { readonly to: string }) => Promise.resolve(to), {
      refreshes: () => [],
      writes: (_, to) => [patch(left$, {}, () => to)],
    })
    const either = derive(read => (read(left) === 'right' ? read(right) : read(left)))
    const [values, snapshots] = [record(either), record(either.snapshot$)]
    await answer(backends.left, 'left')
    await write(kit, { to: 'right' })
    expect(values.told).toEqual(['left', 'no right'])
    expect(snapshots.told.at(-1)).toBe(either.snapshot)
  })

  it('is released after get() too', async () => {
    const { kit, both, answerBoth, clock } = pair()
    const asked = outcome(both.get())
    await answerBoth('l', 'r')
    await clock.advance(0)
    expect([asked.value, inspect(kit).subscriptions]).toEqual(['l, r', 0])
  })

  it('is reused by a new subscriber within 5000 ms, with the same reference and no request', async () => {
    const { left, right, derive, answerBoth, asked, clock } = pair()
    const list = derive(read => [read(left), read(right)])
    const before = record(list)
    await answerBoth('l', 'r')
    before.stop()
    await clock.advance(4999)
    const after = record(list)
    expect([after.told, after.told[0] === before.told[0], asked()]).toEqual([[['l', 'r']], true, [1, 1]])
  })

  it('may be created anew each time: a handle of the same store is the same member', async () => {
    const { kit, left$, left, derive, backends, answer, fail, asked, clock } = pair()
    const shout = derive(read => read(left$(kit)).toUpperCase())
    const { told } = record(shout)
    await answer(backends.left, 'one')
    expect(inspect(kit).subscriptions).toBe(1 + 1)
    await clock.advance(300)
    const refreshed = outcome(shout.refresh())
    await answer(backends.left, 'two')
    await clock.advance(60_000)
    expect([told, refreshed.value, asked()]).toEqual([['ONE', 'TWO'], 'TWO', [2, 0]])
    // A member that fails is not loaded again and again.
    void left.refresh().catch(() => undefined)
    await fail('left')
    await clock.advance(60_000)
    expect([plain(shout), asked()]).toMatchObject([{ status: 'ready', value: 'TWO', error: 'CALLBACK_FAILED' }, [3, 0]])
  })

  it('may depend on the value of another one', async () => {
    const { kit, left, backends, answer, derive } = pair()
    const pages = new Backend<string>()
    const page$ = query<{ readonly of: string }, string>(pages.ask, { key: 'page', ownedBy: 'app' })
    const page = derive(read => read(page$(kit, { of: read(left) })))
    const { told } = record(page)
    await answer(backends.left, 'a')
    await answer(pages, 'page of a')
    expect([told, pages.asked.map(({ input }) => input)]).toEqual([['page of a'], [{ of: 'a' }]])
    const refreshed = mutation(async () => undefined, { refreshes: () => [only(page$, { of: 'a' })] })
    await answer(pages, 'page of a')
    void refreshed(kit, {})
    await ownKit().run()
    expect(inspect(kit).subscriptions).toBe(1 + 2)
  })
})

describe('the end of the kit', () => {
  it('completes subscribers with a value, and ends those that wait with DISPOSED', async () => {
    const { kit, left, both, derive, answerBoth, run } = pair()
    const other = derive(
      read => read(query(new Backend<string>().ask, { key: 'slow', ownedBy: 'app' })(kit)) + read(left),
    )
    const [values, snapshots, waiting] = [record(both), record(both.snapshot$), record(other)]
    const asked = [outcome(other.get()), outcome(both.refresh())]
    await answerBoth('l', 'r')
    kit.dispose()
    await run()
    expect([values.told.at(-1), snapshots.told.at(-1), waiting.told]).toEqual([
      'complete',
      'complete',
      ['error: DISPOSED'],
    ])
    expect(asked.map(({ value }) => value)).toEqual(['error: DISPOSED', 'error: DISPOSED'])
  })

  it('makes everything afterwards throw DISPOSED, with or without listeners', async () => {
    for (const isWatched of [true, false]) {
      const { kit, both, run } = pair()
      if (isWatched) both.listen(() => undefined)
      kit.dispose()
      expect([record(both).told, record(both.snapshot$).told]).toEqual([['error: DISPOSED'], ['error: DISPOSED']])
      expect(() => both.listen(() => undefined)).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
      const asked = [outcome(both.get()), outcome(both.refresh())]
      await run()
      expect(asked.map(({ value }) => value)).toEqual(['error: DISPOSED', 'error: DISPOSED'])
      expect(both.snapshot).toEqual({ status: 'pending' })
    }
  })

  it('ends a store derived from nothing too', () => {
    const { kit } = ownKit()
    const five = derive(kit, () => 5)
    const { told } = record(five)
    kit.dispose()
    expect(told).toEqual([5, 'complete'])
    expect(() => five.listen(() => undefined)).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
  })
})
