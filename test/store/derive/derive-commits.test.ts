import { getEventListeners } from 'node:events'
import { anyUser$, auth$, AuthError, createKit, derive, inspect, mutation, patch, query, type Kit } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { endSession } from '../../../src/store/session-effects'
import { slowTokens } from '../../session/slow-tokens'
import { world } from '../../world'
import { outcome, plain, record, tokensOf } from '../own-backend'
import { pair } from '../pair'

describe('commits and what is derived', () => {
  // Promise: derived-once-per-commit
  it('it is computed once per commit, and notified once', async () => {
    const { kit, both, counted, answerBoth, writeBoth } = pair()
    const { told } = record(both)
    const listened = jest.fn()
    both.listen(listened)
    await answerBoth('l', 'r')
    const before = counted.times
    listened.mockClear()
    await writeBoth(kit, { to: '1' })
    expect([counted.times - before, listened.mock.calls.length, told.at(-1)]).toEqual([1, 1, 'left 1, right 1'])
    for (let times = 0; times < 5; times++) expect(plain(both)).toMatchObject({ value: 'left 1, right 1' })
    expect(counted.times - before).toBe(1)
  })

  // Promise: derived-once-per-commit
  it('every read inside next and listen belongs to the commit, derived or not', async () => {
    const { kit, left, right, both, derive, answerBoth, writeBoth } = pair()
    const outer = derive(read => `(${read(both)})`)
    const stores = [outer, left, both, right]
    for (const store of stores) record(store)
    await answerBoth('l', 'r')
    const seen: unknown[] = []
    const look = () => void seen.push(stores.map(store => plain(store)['value']))
    for (const store of stores) {
      store.listen(look)
      store.subscribe(look)
      store.snapshot$.subscribe(look)
    }
    seen.length = 0
    await writeBoth(kit, { to: '1' })
    const now = ['(left 1, right 1)', 'left 1', 'left 1, right 1', 'right 1']
    expect(seen).toEqual(Array.from({ length: 12 }, () => now))
  })

  it.each(['subscriber', 'listener'] as const)(
    'emissions equal snapshot, although a %s notified before makes a member known that is read only now',
    async how => {
      const { kit, left, right, left$, derive, backends, answer } = pair({ left: 'app' }, { person: null })
      const write = mutation((_: Kit, { to }: { readonly to: string }) => Promise.resolve(to), {
        refreshes: () => [],
        writes: (_, to) => [patch(left$, {}, () => to)],
      })
      const open = () => {
        if (left.snapshot.status === 'ready' && left.snapshot.value === 'right') right.listen(() => undefined)
      }
      if (how === 'subscriber') left.subscribe(open)
      const either = derive(read => (read(left) === 'right' ? read(right) : read(left)))
      if (how === 'listener') either.listen(open)
      const said: string[] = []
      either.snapshot$.subscribe(told => said.push(`${told.status} ${either.snapshot.status}`))
      await answer(backends.left, 'left')
      await write(kit, { to: 'right' })
      expect(said.filter(line => new Set(line.split(' ')).size > 1)).toEqual([])
      expect(either.snapshot).toMatchObject({ status: 'ready', value: 'no right' })
      expect(said.at(-1)).toBe('ready ready')
    },
  )

  it('changes that compute itself makes wait until the notifications end', async () => {
    const { kit, left, derive, backends, tokens, answer, clock } = pair({ left: 'app' })
    const mine = query(async () => 'of ada', { key: 'mine', ownedBy: 'session', signedOut: 'nothing' })(kit)
    record(mine).stop()
    await clock.advance(0)
    const statuses: unknown[] = []
    // Reading auth$ reads the token store while it has no watchers.
    const looking = derive(read => {
      statuses.push(auth$(kit).value.status)
      return read(left)
    })
    const { told } = record(looking)
    await answer(backends.left, 'l')
    tokens.write(null)
    await clock.advance(300)
    void left.refresh()
    await answer(backends.left, 'l2')
    expect([told, statuses.at(-1), plain(mine)]).toMatchObject([['l', 'l2'], 'signed-out', { value: 'nothing' }])
  })

  // Promise: derived-waits-for-writes
  it('it never shows half of a write, but waits for the loads that the write has started', async () => {
    const { kit, left, right, both, backends, answerBoth, answer, write, writes, clock } = pair()
    const [values, snapshots] = [record(both), record(both.snapshot$)]
    await answerBoth('old', 'old')
    await clock.advance(300)
    const done = outcome(write(kit, { to: 'new' }))
    await answer(writes, 'new')
    expect([plain(left), plain(right), plain(both)]).toMatchObject([
      { value: 'new' },
      { value: 'old', refreshing: true },
      { value: 'old, old' },
    ])
    expect(done.value).toBe('pending')
    await answer(backends.right, 'new')
    expect([values.told, done.value]).toEqual([['old, old', 'new, new'], 'new'])
    expect(JSON.stringify(snapshots.told)).not.toContain('new, old')
  })

  it.each(['subscribe', 'snapshot', 'get'] as const)('%s meanwhile never shows half of it', async how => {
    const { kit, left, right, derive, backends, answerBoth, answer, write, writes, clock } = pair()
    record(left)
    record(right)
    await answerBoth('old', 'old')
    await clock.advance(300)
    void write(kit, { to: 'new' })
    await answer(writes, 'new')
    const late = derive(read => `${read(left)}, ${read(right)}`)
    if (how === 'snapshot') expect(plain(late)).toEqual({ status: 'pending' })
    const told = how === 'subscribe' ? record(late).told : []
    if (how === 'get') void late.get().then(value => told.push(value))
    await answer(backends.right, 'new')
    expect(how === 'snapshot' ? plain(late)['value'] : told.join()).toBe('new, new')
  })

  it('a member that it has not read before may be half of a write too', async () => {
    const { kit, left, right, derive, backends, answerBoth, answer, write, writes, clock } = pair()
    const chosen = derive(read => (read(left) === 'new' ? `new ${read(right)}` : 'old'))
    const { told } = record(chosen)
    record(right)
    await answerBoth('old', 'old')
    await clock.advance(300)
    void write(kit, { to: 'new' })
    await answer(writes, 'new')
    expect(told).toEqual(['old'])
    await answer(backends.right, 'new')
    expect(told).toEqual(['old', 'new new'])
  })

  it('compute does not run on half of a write, however often the snapshot is read', async () => {
    const { kit, both, counted, backends, answerBoth, answer, write, writes, clock } = pair()
    record(both)
    await answerBoth('old', 'old')
    await clock.advance(300)
    const before = counted.times
    void write(kit, { to: 'new' })
    await answer(writes, 'new')
    for (let times = 0; times < 3; times++) expect(plain(both)).toMatchObject({ value: 'old, old' })
    expect(counted.times).toBe(before)
    await answer(backends.right, 'new')
    expect(counted.times).toBe(before + 1)
  })

  // Promise: derived-waits-for-writes
  it('it waits no longer when such a load has failed', async () => {
    const { kit, both, answerBoth, answer, fail, write, writes, clock } = pair()
    const { told } = record(both)
    await answerBoth('old', 'old')
    await clock.advance(300)
    void write(kit, { to: 'new' })
    await answer(writes, 'new')
    await fail('right')
    expect([told, plain(both)]).toMatchObject([['old, old', 'new, old'], { error: 'CALLBACK_FAILED' }])
  })

  // Promise: derived-waits-for-writes
  it('it waits no longer when such a load waits for another attempt', async () => {
    const { app, clock, platform } = await world()
    const note$ = query(async () => 'old', { key: 'note', ownedBy: 'app' })
    const write = mutation(async (_: Kit) => 'new', {
      refreshes: () => [anyUser$],
      writes: (_, note) => [patch(note$, {}, () => note)],
    })
    const { told } = record(app.derive(read => `${read(note$(app))} of ${read(app.user$)?.displayName}`))
    await clock.advance(300)
    platform.faults.every('GET /users/me', { loseResponse: true })
    const done = outcome(write(app, {}))
    await clock.advance(0)
    expect([told, done.value]).toEqual([['old of Ada', 'new of Ada'], 'new'])
  })

  // Promise: derived-waits-for-writes
  it('it keeps the overlay of a write whose answer is lost until the loads settle, while its members show the old values', async () => {
    const { kit, left, left$, right$, both, backends, answer, answerBoth, writes, clock } = pair()
    const { told } = record(both)
    await answerBoth('old', 'old')
    await clock.advance(300)
    const write = mutation<{ readonly to: string }, string>(writes.ask, {
      refreshes: () => [left$, right$],
      optimistic: ({ to }) => [patch(left$, {}, () => to), patch(right$, {}, () => to)],
    })
    const done = outcome(write(kit, { to: 'new' }))
    await clock.advance(0)
    writes.last.refuse(new AuthError('NETWORK_ERROR', 'gone'))
    await clock.advance(0)
    expect([done.value, plain(left), told]).toMatchObject([
      'error: NETWORK_ERROR',
      { value: 'old', refreshing: true, unconfirmed: 0 },
      ['old, old', 'new, new'],
    ])
    await answer(backends.left, 'new')
    expect(told).toEqual(['old, old', 'new, new'])
    await answer(backends.right, 'other')
    expect(told).toEqual(['old, old', 'new, new', 'new, other'])
  })

  // Promise: derived-waits-for-writes
  it('it waits for no other load', async () => {
    const { left, right, both, backends, answerBoth, answer, clock } = pair()
    const { told } = record(both)
    await answerBoth('old', 'old')
    await clock.advance(300)
    void left.refresh()
    void right.refresh()
    await answer(backends.left, 'new')
    await answer(backends.right, 'new')
    expect(told).toEqual(['old, old', 'new, old', 'new, new'])
  })
})

describe('identities and what is derived', () => {
  it.each(['first', 'last'])(
    'a sign-in as another user never mixes with the old values, even while a write is half done: read %s',
    async order => {
      // An app-owned store is loading after a write when the user changes.
      const one = pair({ right: 'app' })
      const { kit, left, right, derive, backends, answerBoth, answer, write, writes, clock, tokens } = one
      const both = derive(read => {
        if (order === 'last') read(right)
        return `${read(left)}, ${read(right)}`
      })
      const [values, snapshots] = [record(both), record(both.snapshot$)]
      if (order === 'last') await answer(backends.right, 'all')
      await answerBoth('ada', 'all')
      await clock.advance(300)
      void write(kit, { to: 'Ada' }).catch(() => undefined)
      await answer(writes, 'Ada')
      expect(plain(both)).toMatchObject({ value: 'ada, all' })
      tokens.write(tokensOf('grace'))
      expect(both.snapshot).toEqual({ status: 'pending' })
      await answer(backends.left, 'grace')
      expect(both.snapshot).toEqual({ status: 'pending' })
      await answer(backends.right, 'all 2')
      expect(values.told).toEqual(['ada, all', 'grace, all 2'])
      const shown = snapshots.told.map(snapshot => (snapshot as { value?: unknown }).value)
      expect(shown).toEqual([undefined, 'ada, all', undefined, 'grace, all 2'])
    },
  )

  it('a sign-out inside a subscriber of it is one commit for all', async () => {
    const { kit, left, both, answerBoth, writeBoth, run } = pair()
    const orders = [record(both), record(left), record(both)]
    both.subscribe(value => {
      if (value === 'left 1, right 1') void endSession(kit, 'signed-out')
    })
    const after = record(both)
    await answerBoth('l', 'r')
    await writeBoth(kit, { to: '1' })
    await run()
    const told = ['l, r', 'left 1, right 1', 'no left, no right']
    expect([...orders, after].map(({ told }) => told)).toEqual([told, ['l', 'left 1', 'no left'], told, told])
  })

  it('a store derived from no store of the session stays, and keeps waiting', async () => {
    const { kit, both, backends, answerBoth, answer, write, writes, clock, run } = pair({ left: 'app', right: 'app' })
    const { told } = record(both)
    await answerBoth('old', 'old')
    await clock.advance(300)
    void write(kit, { to: 'new' })
    await answer(writes, 'new')
    await endSession(kit, 'signed-out')
    await run()
    expect(plain(both)).toMatchObject({ value: 'old, old' })
    await answer(backends.right, 'new')
    expect(told).toEqual(['old, old', 'new, new'])
  })

  it.each(['get', 'refresh'] as const)('%s() that overlaps a change rejects with SESSION_CHANGED', async how => {
    const { both, backends, answer, tokens, run } = pair({ right: 'app' })
    const asked = outcome(both[how]())
    await answer(backends.left, 'ada')
    tokens.write(tokensOf('grace'))
    await answer(backends.right, 'all')
    await run()
    expect(asked.value).toBe('error: SESSION_CHANGED')
  })

  it.each(['get', 'refresh'] as const)('%s() that overlaps a sign-out follows no new user either', async how => {
    const { kit, both, backends, answer, run } = pair({ right: 'app' })
    const asked = outcome(both[how]())
    await answer(backends.left, 'ada')
    await endSession(kit, 'signed-out')
    await answer(backends.right, 'all')
    await run()
    expect(asked.value).toBe('error: SESSION_CHANGED')
  })

  it('refresh() that overlaps a sign-out follows no new user, whatever is read then', async () => {
    const { kit, left, right, derive, backends, answerBoth, answer, run, clock } = pair({ right: 'app' })
    const last$ = query(async () => 'last', { key: 'last', ownedBy: 'app' })
    const whole = derive(read => [read(left), read(right), read(left) === 'no left' && read(last$(kit))].join())
    record(whole)
    await answerBoth('ada', 'all')
    await clock.advance(300)
    const asked = outcome(whole.refresh())
    await run()
    await answer(backends.left, 'ada')
    await endSession(kit, 'signed-out')
    await answer(backends.right, 'all')
    await clock.advance(300)
    expect(asked.value).toBe('error: SESSION_CHANGED')
  })

  it('over an asynchronous token store get() returns the value too', async () => {
    const clock = virtualClock()
    const { store: tokens } = slowTokens(clock, 10, tokensOf('ada'))
    const hello$ = query(async () => 'hello', { key: 'hello', ownedBy: 'session', signedOut: 'signed out' })
    const kit = createKit({ baseUrl: 'http://localhost', clock, tokens })
    const hello = derive(kit, read => `${read(hello$(kit))}!`)
    const asked = outcome(hello.get())
    await clock.advance(100)
    expect([asked.value, hello.snapshot]).toEqual(['hello!', { status: 'pending' }])
    await clock.advance(1000)
    const { told } = record(hello)
    expect(told).toEqual([])
    await clock.advance(100)
    expect(told).toEqual(['hello!'])
  })
})

describe('get() and refresh() of what is derived', () => {
  it('get() without watchers loads each member once', async () => {
    const { both, answerBoth, asked } = pair()
    const got = outcome(both.get())
    await answerBoth('l', 'r')
    expect([got.value, asked()]).toEqual(['l, r', [1, 1]])
  })

  // Promise: derived-refresh
  it.each([true, false])('refresh() loads each member once, watched: %s', async isWatched => {
    const { both, answerBoth, asked, clock } = pair()
    const before = record(both)
    await answerBoth('l', 'r')
    if (!isWatched) before.stop()
    await clock.advance(300)
    const refreshed = outcome(both.refresh())
    await answerBoth('L', 'R')
    await clock.advance(10_000)
    expect([refreshed.value, asked()]).toEqual(['L, R', [2, 2]])
  })

  it('refresh() of what was never loaded loads each member once', async () => {
    const { both, answerBoth, asked, clock } = pair()
    const refreshed = outcome(both.refresh())
    await answerBoth('l', 'r')
    await clock.advance(10_000)
    expect([refreshed.value, asked()]).toEqual(['l, r', [1, 1]])
  })

  it('maxAgeMillis limits the age of the value of get(), watched or not', async () => {
    for (const isWatched of [true, false]) {
      const { left, both, answerBoth, asked, clock } = pair()
      const before = record(both)
      await answerBoth('l', 'r')
      await clock.advance(8000)
      if (!isWatched) before.stop()
      expect(await both.get({ maxAgeMillis: 8000 })).toBe('l, r')
      await clock.advance(0)
      expect(asked()).toEqual([1, 1])
      void both.get({ maxAgeMillis: 7999 }).catch(() => undefined)
      await clock.advance(0)
      expect([asked(), plain(left)]).toMatchObject([[2, 2], { refreshing: true }])
    }
  })

  it('they load the stores read in the end, however those depend on loaded values', async () => {
    const { left, right, derive, backends, answer, asked } = pair()
    const chosen = derive(read => (read(left) === 'right' ? read(right) : 'none'))
    const got = outcome(chosen.get())
    await answer(backends.left, 'right')
    expect([got.value, asked()]).toEqual(['pending', [1, 1]])
    await answer(backends.right, 'r')
    expect(got.value).toBe('r')
  })

  it('they wait for a write that is half done when all else is loaded', async () => {
    const { kit, both, backends, answer, writes, left$, clock } = pair()
    const touch = mutation(writes.ask, { refreshes: () => [left$] })
    const got = outcome(both.get())
    await answer(backends.left, 'old')
    void touch(kit, {})
    await answer(writes, 'done')
    await answer(backends.right, 'r')
    expect(got.value).toBe('pending')
    await clock.advance(300)
    await answer(backends.left, 'new')
    expect(got.value).toBe('new, r')
  })

  it('they reject with the error of a member that fails', async () => {
    const { both, fail } = pair()
    const asked = [outcome(both.get()), outcome(both.refresh())]
    await fail('left', new AuthError('NETWORK_ERROR', 'no answer'))
    expect(asked[0]?.value).toBe('error: NETWORK_ERROR')
  })

  it('abort rejects that caller alone with ABORTED; the last one cancels the requests', async () => {
    const { both, backends, run } = pair()
    const [one, two] = [new AbortController(), new AbortController()]
    const asked = [outcome(both.get({ signal: one.signal })), outcome(both.get({ signal: two.signal }))]
    await run()
    one.abort()
    await run()
    expect([asked.map(({ value }) => value), backends.left.last.signal.aborted]).toEqual([
      ['error: ABORTED', 'pending'],
      false,
    ])
    two.abort()
    await run()
    expect(getEventListeners(one.signal, 'abort')).toEqual([])
    expect([asked[1]?.value, backends.left.last.signal.aborted]).toEqual(['error: ABORTED', true])
  })

  it('abort before the call sends nothing', async () => {
    const { kit, both, derive, asked, run } = pair()
    const signal = AbortSignal.abort()
    const nothing = derive(() => 5)
    const all = [both.get({ signal }), both.refresh({ signal }), nothing.get({ signal })].map(outcome)
    await run()
    expect(all.map(({ value }) => value)).toEqual(all.map(() => 'error: ABORTED'))
    expect([asked(), inspect(kit).cells]).toEqual([[0, 0], 0])
  })
})
