import { query } from 'rxauth'
import { Backend, ownKit, record } from './own-backend'

describe('the key of a query', () => {
  const text = () => query(async () => 'text', { key: 'text', ownedBy: 'app' })

  it('is refused for a second query while the first has values, for other tabs could not tell them apart', () => {
    const { kit } = ownKit()
    record(text()(kit))
    expect(record(text()(kit)).told).toEqual(['error: INVALID_INPUT'])
  })

  it('is free again 5000 ms after the last use of the first, as when its module was reloaded', async () => {
    const { kit, clock, run } = ownKit()
    record(text()(kit)).stop()
    await clock.advance(5000)
    const { told } = record(text()(kit))
    await run()
    expect(told).toEqual(['text'])
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
