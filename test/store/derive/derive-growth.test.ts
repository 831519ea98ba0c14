import { AuthError, type Store } from 'rxauth'
import { outcome, record, tokensOf } from '../own-backend'
import { pair } from '../pair'

type Own = ReturnType<typeof pair>

/** A row of stores, each of which reads the one before. */
function chain({ left, derive, counted }: Own, length: number): Store<string> {
  let last: Store<string> = left
  for (let index = 0; index < length; index++) {
    const before = last
    last = derive(read => {
      counted.times++
      return `${read(before)}.`
    })
  }
  return last
}

/** A row of pairs, each of which joins the two that read the join before: each doubles the number of paths. */
function diamonds({ left, derive, counted }: Own, length: number): Store<string> {
  let last: Store<string> = left
  for (let index = 0; index < length; index++) {
    const before = last
    const sides = ['a', 'b'].map(side =>
      derive(read => {
        counted.times++
        return side + read(before).slice(-8)
      }),
    )
    last = derive(read => {
      counted.times++
      return sides.map(side => read(side)).join('')
    })
  }
  return last
}

/** The number of calls between derived stores and cells while `run` runs. */
async function operations(own: Own, run: () => unknown): Promise<number> {
  let count = 0
  const restores: (() => void)[] = []
  for (const prototype of [own.left, own.both].map(store => Object.getPrototypeOf(store) as object))
    for (const name of ['snapshot', 'isAwaited', 'isOwned', 'hasThrown', 'listen', 'keep', 'get', 'refresh']) {
      const original = Object.getOwnPropertyDescriptor(prototype, name)
      if (!original) continue
      const counting = <A extends unknown[], R>(call: ((...args: A) => R) | undefined) =>
        function (this: unknown, ...args: A): R | undefined {
          count++
          return call?.apply(this, args)
        }
      Object.defineProperty(
        prototype,
        name,
        original.get
          ? { ...original, get: counting(original.get as () => unknown) }
          : { ...original, value: counting(original.value as () => unknown) },
      )
      restores.push(() => void Object.defineProperty(prototype, name, original))
    }
  try {
    await run()
    await own.run()
  } finally {
    for (const restore of restores) restore()
  }
  return count
}

const shapes = [
  ['a chain', chain, 1, 20],
  ['diamonds', diamonds, 3, 3],
] as const

describe.each(shapes)('%s', (_name, build, each, length) => {
  async function watched(count: number, { isAnswered = true } = {}) {
    const own = pair()
    const last = build(own, count)
    const { told } = record(last)
    if (isAnswered) await own.answer(own.backends.left, 'one')
    return { ...own, last, told }
  }

  /** For `length`, twice and three times as many: the second step costs the same as the first. */
  async function steps(measure: (count: number) => Promise<number>): Promise<readonly [number, number]> {
    const [one, two, three] = [await measure(length), await measure(2 * length), await measure(3 * length)]
    expect(one).toBeGreaterThan(0)
    return [two - one, three - two]
  }

  // Promise: derived-cost
  it.each<[what: string, act: (own: Awaited<ReturnType<typeof watched>>) => unknown]>([
    ['a write', own => own.writeBoth(own.kit, { to: '1' })],
    ['a read of the snapshot', own => own.last.snapshot],
    [
      'a write that is half done',
      async own => {
        await own.clock.advance(300)
        void own.write(own.kit, { to: '1' })
        await own.answer(own.writes, '1')
      },
    ],
    ['the sign-in of another user', own => own.tokens.write(tokensOf('grace'))],
    ['get()', own => own.last.get()],
    [
      'refresh()',
      async own => {
        await own.clock.advance(300)
        void own.last.refresh()
        await own.answer(own.backends.left, 'two')
      },
    ],
    ['one more listener', own => own.last.listen(() => undefined)],
  ])('%s costs the same for each store', async (_what, act) => {
    const [second, third] = await steps(async count => {
      const own = await watched(count)
      return operations(own, () => act(own))
    })
    expect(third).toBe(second)
  })

  it('a read of the snapshot costs the same for each store although it is not watched', async () => {
    const [second, third] = await steps(async count => {
      const own = pair()
      const last = build(own, count)
      record(own.left)
      await own.answer(own.backends.left, 'one')
      return operations(own, () => last.snapshot)
    })
    expect(third).toBe(second)
  })

  it('a subscriber after a failure costs the same for each store', async () => {
    const [second, third] = await steps(async count => {
      const own = await watched(count, { isAnswered: false })
      own.last.snapshot$.subscribe()
      await own.fail('left', new AuthError('NETWORK_ERROR', 'no answer'))
      return operations(own, () => record(own.last))
    })
    expect(third).toBe(second)
  })

  // Promise: derived-cost
  it('a write computes each once and notifies once', async () => {
    const own = await watched(length)
    own.counted.times = 0
    await own.writeBoth(own.kit, { to: '1' })
    expect([own.counted.times, own.told.length]).toEqual([each * length, 2])
  })

  // Promise: derived-refresh
  it('refresh() loads the store that all are computed from once', async () => {
    const own = await watched(length)
    await own.clock.advance(300)
    const refreshed = outcome(own.last.refresh())
    await own.answer(own.backends.left, 'two')
    await own.clock.advance(10_000)
    expect([refreshed.value, own.asked()]).toEqual([own.told.at(-1), [2, 0]])
  })
})
