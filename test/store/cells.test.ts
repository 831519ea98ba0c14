import { inspect, query } from 'rxauth'
import { Backend, ownKit, record } from './own-backend'

describe('the key of a query', () => {
  const text = () => query(async () => 'text', { key: 'text', ownedBy: 'app' })

  it('is refused for a second query while the first has values, for other tabs could not tell them apart', () => {
    const { kit } = ownKit()
    record(text()(kit))
    expect(record(text()(kit)).told).toEqual(['error: INVALID_INPUT'])
  })

  it('is free again once nothing uses the first, as when its module was reloaded', async () => {
    const { kit, clock, run } = ownKit()
    const first = record(text()(kit))
    await run()
    first.stop()
    const { told } = record(text()(kit))
    await run()
    expect(told).toEqual(['text'])
    // Its idle time ends nothing of the second.
    await clock.advance(6000)
    expect(told).toEqual(['text'])
    expect(inspect(kit)).toMatchObject({ cells: 1, subscriptions: 1 })
  })

  it('is not free while a call waits for the first', async () => {
    const { kit, run } = ownKit()
    let answer = (_text: string) => {}
    const slow$ = query(() => new Promise<string>(resolve => (answer = resolve)), { key: 'text', ownedBy: 'app' })
    const read = slow$(kit).get()
    await run()
    expect(record(text()(kit)).told).toEqual(['error: INVALID_INPUT'])
    answer('slow')
    expect(await read).toBe('slow')
  })
})

describe('the values of a query', () => {
  it('for other arguments stay when the unused ones are dropped', async () => {
    const { kit, clock, answer } = ownKit()
    const backend = new Backend<string>()
    const store$ = query<{ readonly of: string }, string>(backend.ask, { key: 'text', ownedBy: 'app' })
    const unused = record(store$(kit, { of: 'left' }))
    await answer(backend, 'left')
    record(store$(kit, { of: 'kept' }))
    await answer(backend, 'kept')
    unused.stop()
    await clock.advance(5000)
    expect([record(store$(kit, { of: 'kept' })).told, backend.asked.length]).toEqual([['kept'], 2])
  })
})
