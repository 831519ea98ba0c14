import { virtualClock } from 'rxauth/platform'
import { wait } from '../../../src/core/clock'
import { ada, wireWorld } from '../wire-world'

describe('a virtual clock', () => {
  it('stands still until it is moved', async () => {
    const clock = virtualClock(new Date(1000))
    expect(clock.now()).toBe(1000)
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(clock.now()).toBe(1000)
    await clock.advance(250)
    expect(clock.now()).toBe(1250)
  })

  it('has a wall time that moves alone, back and forward, without running timers', async () => {
    const clock = virtualClock(new Date(10_000))
    const seen: number[] = []
    clock.setTimeout(() => seen.push(clock.now()), 100)
    clock.shiftWall(-5000)
    expect([clock.now(), clock.monotonic()]).toEqual([5000, 0])
    clock.shiftWall(8 * 3_600_000)
    await clock.advance(99)
    expect([seen, clock.monotonic()]).toEqual([[], 99])
    await clock.advance(1)
    expect([seen, clock.monotonic()]).toEqual([[28_805_100], 100])
  })

  it('starts at the same instant each time', () => {
    expect(new Date(virtualClock().now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
  })

  it('runs timers by time, then by creation, each at its own time', async () => {
    const clock = virtualClock(new Date(0))
    const seen: string[] = []
    const note = (name: string, millis: number) => clock.setTimeout(() => seen.push(`${name}@${clock.now()}`), millis)
    note('c', 20)
    note('a', 10)
    note('d', 20)
    note('b', 10)
    note('late', 21)
    await clock.advance(20)
    expect(seen).toEqual(['a@10', 'b@10', 'c@20', 'd@20'])
    await clock.advance(1)
    expect(seen).toHaveLength(5)
  })

  it('runs timers that timers set, within the same advance', async () => {
    const clock = virtualClock(new Date(0))
    const seen: number[] = []
    const every = () => {
      seen.push(clock.now())
      clock.setTimeout(every, 100)
    }
    clock.setTimeout(every, 100)
    await clock.advance(350)
    expect(seen).toEqual([100, 200, 300])
  })

  it('runs a timer for now without moving, in the same advance', async () => {
    const clock = virtualClock(new Date(0))
    const seen: string[] = []
    clock.setTimeout(() => {
      seen.push('first')
      clock.setTimeout(() => seen.push('second'), 0)
      clock.setTimeout(() => seen.push('third'), -5)
    }, 0)
    await clock.advance(0)
    expect(seen).toEqual(['first', 'second', 'third'])
  })

  it('drains microtasks between two timers of the same time', async () => {
    const clock = virtualClock()
    const seen: string[] = []
    clock.setTimeout(() => {
      void Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => seen.push('microtask of the first'))
    }, 10)
    clock.setTimeout(() => seen.push('second'), 10)
    await clock.advance(10)
    expect(seen).toEqual(['microtask of the first', 'second'])
  })

  it('forgets a cancelled timer, even one that is due at the same time', async () => {
    const clock = virtualClock()
    const seen: string[] = []
    let cancel = () => {}
    clock.setTimeout(() => cancel(), 10)
    cancel = clock.setTimeout(() => seen.push('cancelled'), 10)
    await clock.advance(10)
    cancel()
    expect(seen).toEqual([])
  })

  it('resolves wait', async () => {
    const clock = virtualClock()
    let woken = false
    void wait(clock, 300).then(() => (woken = true))
    await clock.advance(299)
    expect(woken).toBe(false)
    await clock.advance(1)
    expect(woken).toBe(true)
  })

  it('runs overlapping advances one after the other', async () => {
    const clock = virtualClock(new Date(0))
    const seen: number[] = []
    clock.setTimeout(() => seen.push(clock.now()), 15)
    await Promise.all([clock.advance(10), clock.advance(10)])
    expect([clock.now(), seen]).toEqual([20, [15]])
  })

  it('rejects when a timer throws, and continues from there', async () => {
    const clock = virtualClock(new Date(0))
    const seen: string[] = []
    clock.setTimeout(() => {
      throw new Error('oops')
    }, 5)
    clock.setTimeout(() => seen.push('later'), 10)
    await expect(clock.advance(20)).rejects.toThrow('oops')
    expect([clock.now(), seen]).toEqual([5, []])
    await clock.advance(15)
    expect([clock.now(), seen]).toEqual([20, ['later']])
  })

  it('does not advance by less than nothing, nor move by no number of milliseconds', async () => {
    for (const millis of [-1, NaN, Infinity]) await expect(virtualClock().advance(millis)).rejects.toThrow(RangeError)
    for (const millis of [NaN, Infinity])
      expect(() => virtualClock().shiftWall(millis)).toThrow(`cannot shift a clock's wall time by ${millis} ms`)
  })

  it('has the same random numbers each time, and others with another seed', () => {
    const draw = (seed?: number) => {
      const { random } = virtualClock(undefined, seed === undefined ? {} : { seed })
      return Array.from({ length: 100 }, random)
    }
    expect(draw()).toEqual(draw())
    expect(draw(2)).not.toEqual(draw())
    expect(draw().every(lot => lot >= 0 && lot < 1)).toBe(true)
    expect(new Set(draw()).size).toBe(100)
  })

  it('takes two turns of the event loop to advance, and no timer of the machine', async () => {
    const [turns, timers] = [jest.spyOn(globalThis, 'setImmediate'), jest.spyOn(globalThis, 'setTimeout')]
    const clock = virtualClock()
    for (let count = 0; count < 100; count++) await clock.advance(1)
    const calls = [turns, timers].map(({ mock }) => mock.calls.length)
    jest.restoreAllMocks()
    expect(calls).toEqual([200, 0])
  })
})

describe('work that is announced', () => {
  it('is awaited, with the work that it starts', async () => {
    const clock = virtualClock()
    const seen: string[] = []
    const later = async (name: string) => {
      const work = clock.begin()
      await new Promise(resolve => setTimeout(resolve, 5))
      seen.push(name)
      work.end()
    }
    void later('first').then(() => later('second'))
    await clock.advance(0)
    expect(seen).toEqual(['first', 'second'])
  })

  it('does not hold up the clock while it is paused', async () => {
    const clock = virtualClock()
    const work = clock.begin()
    work.pause()
    await clock.advance(1)
    work.resume()
    let moved = false
    const moving = clock.advance(1).then(() => (moved = true))
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(moved).toBe(false)
    work.end()
    await moving
  })
})

describe('requests to a platform on the clock', () => {
  it('are answered, decoded and followed up within advance(0)', async () => {
    const { clock, ask } = wireWorld()
    const seen: unknown[] = []
    void (async () => {
      const { body } = await ask('POST /auth/password/sign-in', { body: { email: ada.email, password: ada.password } })
      const user = await ask('GET /users/me', { accessToken: body.access_token })
      seen.push(user.body.display_name)
      const again = await ask('GET /users/me', { accessToken: body.access_token })
      seen.push(again.body.display_name)
    })()
    await clock.advance(0)
    expect(seen).toEqual(['Ada', 'Ada'])
  })

  it('are answered before the next timer runs', async () => {
    const { clock, ask } = wireWorld()
    const seen: string[] = []
    clock.setTimeout(() => {
      const body = { email: ada.email, password: ada.password }
      void ask('POST /auth/password/sign-in', { body }).then(() => seen.push('answer'))
    }, 10)
    clock.setTimeout(() => seen.push('timer'), 10)
    await clock.advance(10)
    expect(seen).toEqual(['answer', 'timer'])
  })

  it('that wait on the clock themselves do not hold it up', async () => {
    const { clock, platform, ask } = wireWorld()
    platform.faults.next('GET /projects/current', { delayMillis: 500 })
    const seen: number[] = []
    const start = clock.now()
    void ask('GET /projects/current').then(() => seen.push(clock.now() - start))
    await clock.advance(499)
    expect(seen).toEqual([])
    await clock.advance(1)
    expect(seen).toEqual([500])
  })

  it('may use password hashes at production cost', async () => {
    const { clock, ask } = wireWorld({ passwordCost: 'real', seed: { users: [ada] } })
    let status = 0
    void ask('POST /auth/password/sign-in', { body: { email: ada.email, password: ada.password } }).then(
      answer => (status = answer.status),
    )
    await clock.advance(0)
    expect(status).toBe(200)
  })
})

describe('without setImmediate', () => {
  const { setImmediate: immediate } = globalThis
  beforeEach(() => Reflect.deleteProperty(globalThis, 'setImmediate'))
  afterEach(() => Object.assign(globalThis, { setImmediate: immediate }))

  it('a clock still lets microtasks and requests run', async () => {
    const { clock, ask } = wireWorld()
    let status = 0
    void ask('GET /projects/current').then(answer => (status = answer.status))
    await clock.advance(0)
    expect(status).toBe(200)
  })
})
