import { SingleFlight } from '../../src/core/promises'

function deferred<T>() {
  let settle!: { resolve(value: T): void; reject(error: unknown): void }
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...settle }
}

describe('a single flight', () => {
  it('is shared by all callers while it lasts, and by none after', async () => {
    const flight = new SingleFlight<number>()
    const work = deferred<number>()
    const start = jest.fn(() => work.promise)
    const both = [flight.run('k', start), flight.run('k', start)]
    expect(both[0]).toBe(both[1])
    expect(flight.current('k')).toBe(both[0])
    work.resolve(7)
    expect(await Promise.all(both)).toEqual([7, 7])
    expect(flight.current('k')).toBeUndefined()
    await flight.run('k', start)
    expect(start).toHaveBeenCalledTimes(2)
  })

  it('has one run per key', () => {
    const flight = new SingleFlight<number>()
    const start = jest.fn(() => Promise.resolve(1))
    void flight.run('a', start)
    void flight.run('b', start)
    expect(start).toHaveBeenCalledTimes(2)
  })

  it('that fails, fails only for the callers that share it', async () => {
    const flight = new SingleFlight<number>()
    const both = [1, 2].map(() => flight.run('k', () => Promise.reject(new Error('no'))))
    for (const one of both) await expect(one).rejects.toThrow('no')
    expect(await flight.run('k', () => Promise.resolve(7))).toBe(7)
  })

  it('that cannot even start leaves nothing behind', async () => {
    const flight = new SingleFlight<number>()
    const start = () => {
      throw new Error('no')
    }
    expect(() => flight.run('k', start)).toThrow('no')
    expect(await flight.run('k', () => Promise.resolve(7))).toBe(7)
  })
})
