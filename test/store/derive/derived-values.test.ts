import { mutation, patch } from 'rxauth'
import { outcome, ownKit, plain, ready, record } from '../own-backend'
import { pair } from '../pair'

describe('the value of a derived store', () => {
  it('emits no equal value, and keeps the reference of equal parts', async () => {
    const { left, backends, answer, answerBoth, clock, derive, right } = pair()
    const parts = derive(read => ({ left: { is: read(left).slice(0, 1) }, right: { is: read(right) } }))
    const values = record(parts)
    await answerBoth('l1', 'r1')
    await clock.advance(300)
    void left.refresh()
    await answer(backends.left, 'l2')
    expect(values.told).toEqual([{ left: { is: 'l' }, right: { is: 'r1' } }])
    void right.refresh()
    await answer(backends.right, 'r2')
    const [before, after] = values.told as { left: object; right: object }[]
    expect(after).toEqual({ left: { is: 'l' }, right: { is: 'r2' } })
    expect([after?.left === before?.left, after?.right === before?.right]).toEqual([true, false])
  })

  // Promise: derived-snapshot
  it('is refreshing while one of its members is, and as old as the oldest; values do not emit for that', async () => {
    const { left, right, both, backends, answerBoth, answer, clock } = pair()
    const values = record(both)
    await answerBoth('l', 'r')
    await clock.advance(1000)
    void left.refresh()
    await clock.advance(0)
    expect(plain(both)).toEqual(ready('l, r', { refreshing: true }))
    await answer(backends.left, 'l')
    expect([plain(left), plain(both)]).toEqual([ready('l', { fetchedAt: 1000 }), ready('l, r')])
    void right.refresh()
    await answer(backends.right, 'r')
    expect([plain(both), values.told]).toEqual([ready('l, r', { fetchedAt: 1000 }), ['l, r']])
  })

  it('emits its snapshot only when that has changed', async () => {
    const { left, right, both, answerBoth, clock } = pair()
    const snapshots = record(both.snapshot$)
    await answerBoth('l', 'r')
    await clock.advance(300)
    void left.refresh()
    await clock.advance(0)
    const before = snapshots.told.length
    // It is refreshing already.
    void right.refresh()
    await clock.advance(0)
    expect(snapshots.told.length).toBe(before)
  })

  // Promise: derived-snapshot
  it('adds up the writes that are unconfirmed', async () => {
    const { kit, left$, right$, both, answerBoth } = pair()
    const never = mutation(() => new Promise<string>(() => undefined), {
      refreshes: () => [],
      optimistic: () => [patch(left$, {}, text => `${text}+`), patch(right$, {}, text => `${text}-`)],
    })
    record(both)
    await answerBoth('l', 'r')
    void never(kit, {})
    await ownKit().run()
    expect(plain(both)).toEqual(ready('l+, r-', { unconfirmed: 2 }))
  })

  it('has the error of a member beside its value', async () => {
    const { left, both, answerBoth, fail, clock } = pair()
    const values = record(both)
    await answerBoth('l', 'r')
    await clock.advance(300)
    void left.refresh().catch(() => undefined)
    await fail('left')
    expect([plain(both), values.told]).toEqual([ready('l, r', { error: 'CALLBACK_FAILED' }), ['l, r']])
  })
})

describe('states of a derived store', () => {
  // Promise: derived-state
  it('pending as long as one of its members is', async () => {
    const { both, backends, answer } = pair()
    const snapshots = record(both.snapshot$)
    await answer(backends.left, 'l')
    expect([snapshots.told, both.snapshot]).toEqual([[{ status: 'pending' }], { status: 'pending' }])
    await answer(backends.right, 'r')
    expect(snapshots.told.length).toBe(2)
  })

  // Promise: derived-state
  it('failed with the error of a member that failed without a value', async () => {
    const { left, both, fail } = pair()
    const [values, snapshots] = [record(both), record(both.snapshot$)]
    const asked = outcome(both.get())
    await fail('left')
    expect([values.told, asked.value]).toEqual([['error: CALLBACK_FAILED'], 'error: CALLBACK_FAILED'])
    expect([snapshots.told.at(-1), both.snapshot]).toEqual([left.snapshot, left.snapshot])
    expect(plain(both)).toEqual({ status: 'failed', error: 'CALLBACK_FAILED', failedAt: 0, refreshing: false })
  })

  // Promise: derived-state
  it('failed if one has failed and another one is pending, whichever was read first', async () => {
    const { left, right, derive, fail } = pair()
    const swallowing = derive(read => {
      const seen: unknown[] = []
      for (const store of [right, left])
        try {
          seen.push(read(store))
        } catch {
          seen.push('nothing')
        }
      return seen
    })
    record(swallowing.snapshot$)
    await fail('left')
    expect(swallowing.snapshot).toEqual(left.snapshot)
  })

  it('pending while a member is, whatever compute returns', async () => {
    const { left, derive, backends, answer } = pair()
    const wrapping = derive(read => {
      try {
        return read(left)
      } catch (cause) {
        throw new Error('no left', { cause })
      }
    })
    const { told } = record(wrapping)
    expect(wrapping.snapshot).toEqual({ status: 'pending' })
    await answer(backends.left, 'l')
    expect(told).toEqual(['l'])
  })

  // Promise: derived-snapshot
  it('CALLBACK_FAILED with its cause if compute throws, until it no longer does', async () => {
    const { left, derive, backends, answer, clock, unhandled } = pair()
    const thrown = new Error('no digit')
    const digit = derive(read => {
      if (!/\d/.test(read(left))) throw thrown
      return Number(read(left))
    })
    const [values, snapshots] = [record(digit), record(digit.snapshot$)]
    const asked = outcome(digit.get())
    await answer(backends.left, 'x')
    expect([values.told, asked.value, plain(digit)]).toEqual([
      ['error: CALLBACK_FAILED'],
      'error: CALLBACK_FAILED',
      { status: 'failed', error: 'CALLBACK_FAILED', failedAt: 0, refreshing: false },
    ])
    const { snapshot } = digit
    expect(snapshot.status === 'failed' && snapshot.error.cause).toBe(thrown)
    await clock.advance(300)
    void left.refresh()
    await answer(backends.left, '7')
    expect(snapshots.told.at(-1)).toMatchObject({ status: 'ready', value: 7 })
    expect(unhandled).toEqual([])
  })

  it.each(['no one', 'another'])(
    'CALLBACK_FAILED is emitted at once to a new subscriber while %s watches',
    async who => {
      const { left, derive, backends, answer, asked } = pair()
      const wrong = derive((read): string => {
        throw new Error(read(left))
      })
      record(left)
      await answer(backends.left, 'l')
      if (who === 'another') record(wrong.snapshot$)
      expect([record(wrong).told, asked()]).toEqual([['error: CALLBACK_FAILED'], [1, 0]])
      await expect(wrong.get()).rejects.toMatchObject({ code: 'CALLBACK_FAILED' })
      expect(asked()).toEqual([1, 0])
    },
  )

  it.each(['subscribe', 'listen', 'get'] as const)(
    'after a failure %s starts a new load, with or without watchers',
    async how => {
      for (const isWatched of [false, true]) {
        const { both, answerBoth, backends, fail, answer, asked, clock } = pair()
        const before = record(both.snapshot$)
        await answer(backends.right, 'r').catch(() => undefined)
        await fail('left')
        if (!isWatched) before.stop()
        await clock.advance(300)
        expect(asked()[0]).toBe(1)
        const told: unknown[] = []
        if (how === 'subscribe') both.subscribe(value => told.push(value))
        if (how === 'listen') both.listen(() => both.snapshot.status === 'ready' && told.push(both.snapshot.value))
        if (how === 'get') void both.get().then(value => told.push(value))
        await clock.advance(0)
        expect(asked()[0]).toBe(2)
        await answerBoth('l', 'r')
        expect(told).toEqual(['l, r'])
      }
    },
  )
})
