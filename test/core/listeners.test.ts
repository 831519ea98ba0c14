import { Listeners } from '../../src/core/listeners'

function heard() {
  const errors: unknown[] = []
  const calls: string[] = []
  const listeners = new Listeners<[text: string]>(error => errors.push(error))
  const add = (name: string) => listeners.add(text => calls.push(`${name} ${text}`))
  return { listeners, calls, errors, add }
}

describe('listeners', () => {
  it('are called in the order in which they were added, each time', () => {
    const { listeners, calls, add } = heard()
    for (const name of ['a', 'b', 'c']) add(name)
    listeners.tell('1')
    listeners.tell('2')
    expect(calls).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'c 2'])
  })

  it('are two if one function is added twice, and each is removed once', () => {
    const { listeners } = heard()
    const run = jest.fn()
    const removes = [listeners.add(run), listeners.add(run)]
    const told = () => {
      run.mockClear()
      listeners.tell('')
      return run.mock.calls.length
    }
    const counts = [told()]
    for (const remove of removes) {
      remove()
      remove()
      counts.push(told())
    }
    expect(counts).toEqual([2, 1, 0])
  })

  // Promise: listeners-in-order
  it('that are removed during a notification are not called any more, also by another one', () => {
    const { listeners, calls, add } = heard()
    const removes: (() => void)[] = []
    removes.push(
      listeners.add(text => {
        calls.push(`first ${text}`)
        for (const remove of removes) remove()
      }),
      add('second'),
    )
    add('third')
    listeners.tell('1')
    listeners.tell('2')
    expect(calls).toEqual(['first 1', 'third 1', 'third 2'])
  })

  // Promise: listeners-in-order
  it('that are added during a notification are called from the next one on', () => {
    const { listeners, calls, add } = heard()
    listeners.add(text => {
      if (text === '1') add('later')
    })
    listeners.tell('1')
    expect(calls).toEqual([])
    listeners.tell('2')
    expect(calls).toEqual(['later 2'])
  })

  it('that throw keep no other from running, and their errors are reported', () => {
    const { listeners, calls, errors, add } = heard()
    const error = new Error('of a listener')
    listeners.add(() => {
      throw error
    })
    add('next')
    listeners.tell('1')
    expect([calls, errors]).toEqual([['next 1'], [error]])
  })
})
