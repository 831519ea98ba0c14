import { virtualClock } from 'rxauth/platform'
import { Cache, LoadLimit } from '../../../src/extras/changes/cached'

/** A cache whose loads end when the test says so. */
function cacheOf() {
  const clock = virtualClock()
  const loads: { readonly key: string; readonly signal: AbortSignal; end: (value: number) => void }[] = []
  const cache = new Cache<number>(
    clock,
    new LoadLimit(),
    (key, signal) =>
      new Promise((resolve, reject) => {
        loads.push({ key, signal, end: resolve })
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error)
        })
      }),
  )
  return { clock, loads, cache }
}

it('loads a value once for all callers, and keeps it for a second', async () => {
  const { clock, loads, cache } = cacheOf()
  const both = [cache.get('a'), cache.get('a')]
  loads[0]!.end(1)
  expect((await Promise.all(both)).map(({ value }) => value)).toEqual([1, 1])
  await clock.advance(999)
  expect((await cache.get('a')).value).toBe(1)
  await clock.advance(1)
  void cache.get('a').catch(() => undefined)
  expect(loads).toHaveLength(2)
})

it('names what an event has told of since the load began, and loads again for the next caller', async () => {
  const { loads, cache } = cacheOf()
  const first = cache.get('a')
  cache.doubt('a', 'ada')
  cache.doubt(undefined, 'grace')
  loads[0]!.end(1)
  expect([...(await first).doubts]).toEqual(['ada', 'grace'])
  const second = cache.get('a')
  loads[1]!.end(2)
  expect(await second).toEqual({ value: 2, doubts: new Set() })
})

it('loads anew for callers after an event that changes all of it', async () => {
  const { loads, cache } = cacheOf()
  const first = cache.get('a')
  cache.forget('a')
  const second = cache.get('a')
  loads[1]!.end(2)
  loads[0]!.end(1)
  expect([(await first).value, (await second).value, (await cache.get('a')).value]).toEqual([1, 2, 2])
})

it('fails for a load that takes eight seconds, and for one that two hundred events have overtaken', async () => {
  const { clock, loads, cache } = cacheOf()
  const slow = expect(cache.get('a')).rejects.toMatchObject({ code: 'TIMED_OUT' })
  await clock.advance(8000)
  await slow
  const overtaken = expect(cache.get('b')).rejects.toMatchObject({ code: 'TIMED_OUT' })
  for (let each = 0; each < 1000; each++) cache.doubt('b', `user-${each}`)
  loads[1]!.end(1)
  await overtaken
})

it('keeps at most 201 doubts of a value', async () => {
  const { loads, cache } = cacheOf()
  const cached = cache.get('a')
  loads[0]!.end(1)
  const { doubts } = await cached
  for (let each = 0; each < 1000; each++) cache.doubt('a', `user-${each}`)
  expect(doubts.size).toBeLessThanOrEqual(201)
})

it('runs eight loads at once, and the others in their order', async () => {
  const { clock, loads, cache } = cacheOf()
  for (let each = 0; each < 10; each++) void cache.get(`${each}`).catch(() => undefined)
  expect(loads).toHaveLength(8)
  loads[3]!.end(1)
  await clock.advance(1)
  expect(loads.map(({ key }) => key).at(-1)).toBe('8')
})
