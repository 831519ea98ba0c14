import { createServerApp, tokenVerifier, type KeysCache } from 'rxauth/server'
import { world } from '../world'
import { baseUrl, codeOf, hosted, projectId, tokenOf } from './verifier-world'

const minute = 60_000
const url = `${baseUrl}/api/v1/projects/${projectId}/.well-known/jwks.json`

/** A cache over the texts of `kv`, as it would be in another process. */
function cacheOver(kv: Map<string, string>): KeysCache {
  return {
    get: key => Promise.resolve(JSON.parse(kv.get(key) ?? 'null') as Awaited<ReturnType<KeysCache['get']>>),
    set: (key, value) => Promise.resolve(void kv.set(key, JSON.stringify(value))),
  }
}

/** A platform, and verifiers as of several processes that share a cache. */
async function scene(keysCache?: KeysCache) {
  const kv = new Map<string, string>()
  const cache = keysCache ?? cacheOver(kv)
  const one = await hosted({ keysCache: cache })
  const newVerifier = (given: KeysCache = cache) => {
    const { clock, fetch } = one
    return tokenVerifier({ projectId, baseUrl, clock, fetch, keysCache: given })
  }
  /** Puts a value in the cache, as another writer would. */
  const put = (value: unknown) => kv.set(url, JSON.stringify(value))
  return { ...one, kv, newVerifier, put }
}

describe('a cache of keys', () => {
  // Promise: keys-cache
  it('saves other processes the fetch, for ten minutes', async () => {
    const { asked, clock, first, kv, newVerifier, verify } = await scene()
    await verify(await first.sign())
    expect([...kv.keys()]).toEqual([url])
    await clock.advance(10 * minute - 1)
    await newVerifier()(await first.sign())
    expect(asked).toHaveLength(1)
    await clock.advance(1)
    await newVerifier()(await first.sign())
    expect(asked).toHaveLength(2)
    await newVerifier()(await first.sign())
    expect(asked).toHaveLength(2)
  })

  // Promise: keys-cache
  it('is asked once by all waiting callers, and when its keys have become too old', async () => {
    const gets: string[] = []
    const kv = new Map<string, string>()
    const { asked, clock, first, newVerifier } = await scene({
      ...cacheOver(kv),
      get: key => {
        gets.push(key)
        return cacheOver(kv).get(key)
      },
    })
    const [one, other] = [newVerifier(), newVerifier()]
    await Promise.all([1, 2, 3].map(async () => one(await first.sign())))
    expect([gets.length, asked.length]).toEqual([1, 1])
    await clock.advance(10 * minute)
    await other(await first.sign())
    // What the other process has fetched serves this one.
    await one(await first.sign())
    expect([gets.length, asked.length]).toEqual([3, 2])
  })

  // Promise: keys-cache
  it('does not keep a new key from being found, nor save a fetch for an unknown one', async () => {
    const { asked, clock, first, kv, newKey, newVerifier, state, verify } = await scene()
    await verify(await first.sign())
    const second = await newKey('second')
    state.keys = [first.publicKey, second.publicKey]
    const later = newVerifier()
    await later(await second.sign())
    expect(asked).toHaveLength(2)
    expect(kv.get(url)).toContain('second')
    const unknown = await newKey('unknown')
    for (const [millis, count] of [
      [0, 2],
      [29_999, 2],
      [1, 3],
      [0, 3],
    ] as const) {
      await clock.advance(millis)
      expect(await codeOf(later(await unknown.sign()))).toBe('INVALID_ACCESS_TOKEN')
      expect(asked).toHaveLength(count)
    }
  })

  // Promise: keys-cache
  it.each<[string, (now: number, keys: readonly object[]) => unknown]>([
    ['a text', () => 'keys'],
    ['a list', (_, keys) => keys],
    ['no keys', now => ({ at: now })],
    ['keys that are none', now => ({ keys: ['key'], at: now })],
    ['no time', (_, keys) => ({ keys })],
    ['a text as its time', (now, keys) => ({ keys, at: String(now) })],
    ['the time null', (_, keys) => ({ keys, at: null })],
    ['a time in the future', (now, keys) => ({ keys, at: now + 60_001 })],
    ['a time too long ago', (now, keys) => ({ keys, at: now - 600_000 })],
    ['too many keys', (now, keys) => ({ keys: Array(101).fill(keys[0]), at: now })],
    ['a key that cannot be used', (now, keys) => ({ keys: [{ ...keys[0], x: 7 }], at: now })],
    ['other keys', now => ({ keys: [], at: now })],
  ])('that has %s is passed over', async (_, value) => {
    const { asked, clock, first, put, state, verify } = await scene()
    put(value(clock.now(), state.keys))
    expect(await codeOf(verify(await first.sign()))).toBe('good')
    expect(asked).toHaveLength(1)
  })

  it('that gives keys with methods is believed', async () => {
    const { asked, clock, first, newVerifier, state } = await scene()
    const keys = state.keys.map(key => ({ ...key, save: () => undefined }))
    const verify = newVerifier({
      get: () => Promise.resolve({ keys, at: clock.now() }),
      set: () => Promise.resolve(),
    })
    expect(await codeOf(verify(await first.sign()))).toBe('good')
    expect(asked).toHaveLength(0)
  })

  it('that gives what cannot be read is passed over', async () => {
    const { asked, clock, first, newVerifier } = await scene()
    const value = {
      at: clock.now(),
      get keys(): never {
        throw new Error('no KV')
      },
    }
    const verify = newVerifier({ get: () => Promise.resolve(value), set: () => Promise.resolve() })
    expect(await codeOf(verify(await first.sign()))).toBe('good')
    expect(asked).toHaveLength(1)
  })

  it('is believed if the clock that has written is a little ahead, and no longer than its own', async () => {
    const { asked, clock, first, put, state, verify } = await scene()
    put({ keys: state.keys, at: clock.now() + 60_000 })
    expect(await codeOf(verify(await first.sign()))).toBe('good')
    expect(asked).toHaveLength(0)
    await clock.advance(10 * minute)
    put(null)
    await verify(await first.sign())
    expect(asked).toHaveLength(1)
  })

  // Promise: keys-cache
  it.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('no KV')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no KV'))],
    ['never answers', () => new Promise(() => undefined)],
  ])('that %s breaks no verification', async (name, fail) => {
    const { asked, clock, first, verify } = await scene({ get: fail, set: fail })
    // Signatures take real time, in which the loop below would move the clock past their end.
    const tokens = await Promise.all([first.sign(), first.sign()])
    const codes = Promise.all(tokens.map(async token => codeOf(verify(token))))
    if (name === 'never answers') {
      // Each of both uses of the cache is given up after a second.
      while (asked.length === 0) await clock.advance(1000)
      await clock.advance(1000)
    }
    expect(await codes).toEqual(['good', 'good'])
    expect(asked).toHaveLength(1)
    expect(await codeOf(verify(await first.sign()))).toBe('good')
    expect(asked).toHaveLength(1)
  })

  it('of a server app serves its verifications', async () => {
    const { platform, app, settled } = await world()
    const kv = new Map<string, string>()
    const server = createServerApp({ ...platform.serverOptions, keysCache: cacheOver(kv) })
    await server.verifyAccessToken(await settled(tokenOf(app)))
    expect(kv.size).toBe(1)
  })
})

describe('on an edge runtime', () => {
  beforeEach(() => Object.defineProperty(globalThis, 'EdgeRuntime', { value: 'edge-runtime', configurable: true }))
  afterEach(() => void Reflect.deleteProperty(globalThis, 'EdgeRuntime'))

  /** A platform whose answers come when the test says so. */
  async function slow() {
    const one = await hosted()
    const answers: (() => void)[] = []
    const answer = () =>
      new Promise<Response>(resolve => {
        answers.push(() => resolve(Response.json({ keys: one.state.keys })))
      })
    return { ...one, answers, answer }
  }

  // Promise: keys-cache
  it('requests that overlap do not wait for each other’s fetch', async () => {
    const { answer, answers, asked, clock, first, state, verify } = await slow()
    state.answer = answer
    const [one, other] = [codeOf(verify(await first.sign())), codeOf(verify(await first.sign()))]
    while (answers.length < 2) await clock.advance(0)
    // The first request was cancelled, and its fetch never ends.
    answers[1]?.()
    expect(await other).toBe('good')
    expect(await codeOf(verify(await first.sign()))).toBe('good')
    expect(asked).toHaveLength(2)
    answers[0]?.()
    expect(await one).toBe('good')
  })

  // Promise: keys-cache
  it('a token of a new key is accepted by all requests that overlap, with one fetch', async () => {
    const { answer, answers, asked, clock, first, newKey, state, verify } = await slow()
    await verify(await first.sign())
    const second = await newKey('second')
    state.keys = [second.publicKey]
    state.answer = answer
    await clock.advance(30_000)
    const tokens = await Promise.all([1, 2, 3].map(() => second.sign()))
    const codes = Promise.all(tokens.map(token => codeOf(verify(token))))
    while (answers.length < 1) await clock.advance(0)
    await clock.advance(1_000)
    answers[0]?.()
    await clock.advance(1_000)
    expect(await codes).toEqual(['good', 'good', 'good'])
    expect(asked).toHaveLength(2)
  })

  it('a fetch that never ends holds up tokens of unknown keys for 5 s, and no others', async () => {
    const { answer, answers, clock, first, newKey, state, verify } = await slow()
    await verify(await first.sign())
    const unknown = await newKey('unknown')
    state.answer = answer
    await clock.advance(30_000)
    const codes = Promise.all([await unknown.sign(), await unknown.sign()].map(token => codeOf(verify(token))))
    while (answers.length < 1) await clock.advance(0)
    expect(await codeOf(verify(await first.sign()))).toBe('good')
    await clock.advance(6_000)
    expect((await codes).sort()).toEqual(['INVALID_ACCESS_TOKEN', 'TIMED_OUT'])
  })
})
