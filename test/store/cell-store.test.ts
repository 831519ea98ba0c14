import { createKit, memoryTokens, query, view } from 'rxauth'
import { Backend, ownKit, record } from './own-backend'

const setUp = () => {
  const own = ownKit()
  const backend = new Backend<string>()
  const note$ = query<{ readonly id: string; readonly of?: string }, string>(backend.ask, {
    key: 'note',
    ownedBy: 'app',
  })
  return { ...own, backend, note$, length$: view(note$, note => note.length) }
}

describe('a store called twice with the same arguments', () => {
  // Promise: same-store-object
  it('is one object while it has a subscriber, and for five seconds more', async () => {
    const { kit, clock, backend, note$, answer } = setUp()
    const first = note$(kit, { id: 'a' })
    expect(note$(kit, { id: 'a' })).not.toBe(first)
    const { stop } = record(first)
    await answer(backend, 'A')
    expect(note$(kit, { id: 'a' })).toBe(first)
    stop()
    await clock.advance(4_999)
    expect(note$(kit, { id: 'a' })).toBe(first)
    await clock.advance(1)
    expect(note$(kit, { id: 'a' })).not.toBe(first)
  })

  // Promise: same-store-object
  it('is one object while a call waits for it, and for five seconds more', async () => {
    const { kit, clock, run, backend, note$ } = setUp()
    const first = note$(kit, { id: 'a' })
    const value = first.get()
    await run()
    expect(note$(kit, { id: 'a' })).toBe(first)
    await clock.advance(60_000)
    expect(note$(kit, { id: 'a' })).toBe(first)
    backend.last.answer('A')
    expect(await value).toBe('A')
    await clock.advance(5_000)
    expect(note$(kit, { id: 'a' })).not.toBe(first)
  })

  // Promise: same-store-object
  it('is the object that was used first, and the others show the same', async () => {
    const { kit, backend, note$, answer } = setUp()
    const [one, two] = [note$(kit, { id: 'a' }), note$(kit, { id: 'a' })]
    const told = [record(two).told, record(one).told]
    expect(note$(kit, { id: 'a' })).toBe(two)
    await answer(backend, 'A')
    expect(told).toEqual([['A'], ['A']])
    expect(backend.asked).toHaveLength(1)
    expect(one.snapshot).toBe(two.snapshot)
  })

  it('is one object whatever the order of the arguments, and however unset ones are written', () => {
    const { kit, note$ } = setUp()
    const store = note$(kit, { id: 'a', of: 'b' })
    record(store)
    expect(note$(kit, { of: 'b', id: 'a' })).toBe(store)
    const short = note$(kit, { id: 'c' })
    record(short)
    expect(note$(kit, { id: 'c', of: undefined as never })).toBe(short)
  })

  it('is another object for other arguments, a view of it, and another kit', () => {
    const { kit, note$, length$ } = setUp()
    const note = note$(kit, { id: 'a' })
    const length = length$(kit, { id: 'a' })
    record(note)
    record(length)
    expect(length$(kit, { id: 'a' })).toBe(length)
    expect(note$(kit, { id: 'a' })).toBe(note)
    const other = createKit({ baseUrl: 'http://localhost', tokens: memoryTokens() })
    expect([length, note$(kit, { id: 'b' }), note$(other, { id: 'a' })]).not.toContain(note)
    other.dispose()
  })

  it('is not kept by a kit that has ended', () => {
    const { kit, note$ } = setUp()
    const store = note$(kit, { id: 'a' })
    record(store)
    kit.dispose()
    expect(note$(kit, { id: 'a' })).not.toBe(store)
  })
})

it('gives the same stream of snapshots each time', () => {
  const { kit, note$ } = setUp()
  const store = note$(kit, { id: 'a' })
  expect(store.snapshot$).toBe(store.snapshot$)
})

it('is subscribed to through a proxy too, as Vue makes one of what it holds', async () => {
  const { kit, backend, note$, answer } = setUp()
  const proxy = new Proxy(note$(kit, { id: 'a' }), {})
  const [values, snapshots] = [record(proxy), record(proxy.snapshot$)]
  await answer(backend, 'A')
  expect(values.told).toEqual(['A'])
  expect(snapshots.told).toMatchObject([{ status: 'pending' }, { status: 'ready', value: 'A' }])
})
