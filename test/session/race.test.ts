import type { Host, TokenContext, Tokens, TokenStore } from 'rxauth'
import { cookieTokens } from 'rxauth'
import { SingleFlight } from '../../src/core/promises'
import { TokenSession } from '../../src/session/token-session'
import { explore } from './race'
import type { Plant } from './race'

const limitMillis = 600_000

/** The tab's own token store, wrapped. */
function withStore(wrap: (store: TokenStore) => TokenStore): Plant {
  return options => ({
    ...options,
    tokens: (context: TokenContext) => {
      const source = cookieTokens()
      return wrap(typeof source === 'function' ? source(context) : source)
    },
  })
}

/** After acquiring the lock, it uses what it read before. */
const noReadAfterTheLock: Plant = options => {
  let store: TokenStore | undefined
  let believed: { readonly tokens: Tokens | null | Promise<Tokens | null> } | undefined
  const wrapped = withStore(inner => {
    store = inner
    return { ...inner, read: () => (believed ? believed.tokens : inner.read()) }
  })(options)
  return {
    ...wrapped,
    wrap(given) {
      const host = options.wrap!(given)
      const request = async (name: string, ask: LockOptions, work: LockGrantedCallback<unknown>): Promise<unknown> => {
        const before = { tokens: store!.read() }
        return host.locks!.request(name, ask, async lock => {
          believed = before
          try {
            return await work(lock)
          } finally {
            believed = undefined
          }
        })
      }
      return { ...host, locks: { request: request as LockManager['request'] } }
    },
  }
}

const writeWithoutCompareAndSet = withStore(inner => ({
  ...inner,
  replace: (_, next) => inner.replace(inner.read() as Tokens | null, next),
}))

/** Swaps the order of two cookies that are written together. */
const cookiesInTheWrongOrder: Plant = options => ({
  ...options,
  wrap(given) {
    const host = options.wrap!(given)
    const { get, set } = host.cookies!
    let held: string | undefined
    const swapping: NonNullable<Host['cookies']> = {
      get,
      set(text) {
        if (held === undefined) {
          held = text
          return
        }
        set(text)
        set(held)
        held = undefined
      },
    }
    return { ...host, cookies: swapping }
  },
})

/** Returns a failed promise to later callers too. */
function poisonedPromise(): void {
  const real = SingleFlight.prototype.run
  const failed = new WeakMap<object, Map<string, Promise<unknown>>>()
  jest.spyOn(SingleFlight.prototype, 'run').mockImplementation(function (this: SingleFlight<unknown>, key, start) {
    const known = failed.get(this)?.get(key)
    if (known) return known
    const promise = real.call(this, key, start)
    promise.catch(() => failed.set(this, (failed.get(this) ?? new Map<string, Promise<unknown>>()).set(key, promise)))
    return promise
  })
}

/** A repeated call uses the credentials of its first attempt. */
function credentialsReadOnce(): void {
  const real = TokenSession.prototype.tokensFor
  const first = new WeakMap<AbortSignal, Promise<Tokens | null>>()
  jest.spyOn(TokenSession.prototype, 'tokensFor').mockImplementation(function (this: TokenSession, ...args) {
    const [, signal] = args
    if (!signal) return real.apply(this, args)
    if (!first.has(signal)) first.set(signal, real.apply(this, args))
    return first.get(signal)!
  })
}

// Promise: refresh-compare-and-set, tab-races
describe('the explorer finds a planted bug', () => {
  afterEach(() => {
    jest.restoreAllMocks()
  })

  const searched = 2000

  /** On failure, names a seed to record: a change of the sources changes the course of every seed. */
  async function findingOf(seed: number, finding: RegExp, plant?: Plant): Promise<string | undefined> {
    const violation = await explore(seed, plant)
    if (violation !== undefined && finding.test(violation)) return violation
    for (let other = 1; other <= searched; other++)
      if (finding.test((await explore(other, plant)) ?? '')) return `seed ${seed} no longer finds it, record ${other}`
    return `none of the seeds up to ${searched} finds it`
  }

  it.each<[string, number, RegExp, Plant]>([
    ['no re-read after the lock', 1, /two refreshes for one expiry/, noReadAfterTheLock],
    ['a write without compare-and-set', 1, /comes back|two accounts/, writeWithoutCompareAndSet],
    ['cookies written in the wrong order', 3, /emptied/, cookiesInTheWrongOrder],
  ])(
    '%s, with seed %i',
    async (_, seed, finding, plant) => {
      expect(await findingOf(seed, finding, plant)).toMatch(finding)
    },
    limitMillis,
  )

  it.each<[string, number, RegExp, () => void]>([
    // Promise: tab-races
    ['a poisoned promise', 184, /in the end/, poisonedPromise],
    // Promise: tab-races
    ['credentials read once per call', 10, /for a session that has gone/, credentialsReadOnce],
  ])(
    '%s, with seed %i',
    async (_, seed, finding, plant) => {
      plant()
      expect(await findingOf(seed, finding)).toMatch(finding)
    },
    limitMillis,
  )
})
