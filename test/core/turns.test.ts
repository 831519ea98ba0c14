import { Turns } from '../../src/core/promises'
import { kindsOfPromise } from '../session/foreign'

describe('turns', () => {
  it('start at once while none is under way', () => {
    const turns = new Turns()
    expect([turns.take(() => 1), turns.take(() => 2)]).toEqual([1, 2])
  })

  it.each(kindsOfPromise)('wait for the one before, a promise of %s', async (_, later) => {
    const turns = new Turns()
    const order: string[] = []
    const run = (name: string) => () => {
      order.push(`${name} begins`)
      return later(() => order.push(`${name} ends`))
    }
    await Promise.all([turns.take(run('one')), turns.take(run('two')), turns.take(() => order.push('three'))])
    expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three'])
    expect(turns.take(() => 'at once again')).toBe('at once again')
  })

  it('go on after one that failed', async () => {
    const turns = new Turns()
    const failed = turns.take(() => Promise.reject(new Error('full')))
    const next = turns.take(() => 'next')
    await expect(failed).rejects.toThrow('full')
    expect(await next).toBe('next')
    expect(() =>
      turns.take(() => {
        throw new Error('at once')
      }),
    ).toThrow('at once')
  })
})
