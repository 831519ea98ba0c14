import type { Host, TokenContext, Tokens, TokenStore } from 'rxauth'
import { cookieTokens } from 'rxauth'
import type * as singleFlight from '../../src/core/single-flight'
import type * as session from '../../src/session/session'
import { explore } from './race'
import type { Plant } from './race'

const mockBugs = { poisonedPromise: false }

jest.mock('../../src/core/single-flight', () => {
  const real = jest.requireActual<typeof singleFlight>('../../src/core/single-flight')
  return {
    SingleFlight: class<T> extends real.SingleFlight<T> {
      readonly #failed = new Map<string, Promise<T>>()

      override run(key: string, start: () => Promise<T>): Promise<T> {
        const failed = this.#failed.get(key)
        if (failed && mockBugs.poisonedPromise) return failed
        const promise = super.run(key, start)
        promise.catch(() => this.#failed.set(key, promise))
        return promise
      }
    },
  }
})

const mockCredentials = { readOnce: false }

jest.mock('../../src/session/session', () => {
  const real = jest.requireActual<typeof session>('../../src/session/session')
  const memo = new WeakMap<AbortSignal, Promise<Tokens | null>>()
  return {
    ...real,
    Session: class extends real.Session {
      override tokensFor(...args: Parameters<typeof real.Session.prototype.tokensFor>): Promise<Tokens | null> {
        const [, signal] = args
        if (!mockCredentials.readOnce || !signal) return super.tokensFor(...args)
        if (!memo.has(signal)) memo.set(signal, super.tokensFor(...args))
        return memo.get(signal)!
      }
    },
  }
})

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

/** Once it has the lock it believes what it read before it asked for it. */
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

/** Of two cookies that are written together the second is written first. */
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

describe('the explorer finds a planted bug', () => {
  afterEach(() => {
    mockBugs.poisonedPromise = false
    mockCredentials.readOnce = false
  })

  async function firstFinding(plant?: Plant): Promise<string | undefined> {
    for (let seed = 1; seed <= 300; seed++) {
      const violation = await explore(seed, plant)
      if (violation) return violation
    }
    return undefined
  }

  it.each<[string, Plant | undefined, RegExp]>([
    ['no re-read after the lock', noReadAfterTheLock, /two refreshes for one expiry/],
    ['a write without compare-and-set', writeWithoutCompareAndSet, /comes back|two accounts/],
    ['cookies written in the wrong order', cookiesInTheWrongOrder, /emptied/],
  ])(
    '%s',
    async (_, plant, finding) => {
      expect(await firstFinding(plant)).toMatch(finding)
    },
    limitMillis,
  )

  it(
    'a poisoned promise',
    async () => {
      mockBugs.poisonedPromise = true
      expect(await firstFinding()).toMatch(/in the end/)
    },
    limitMillis,
  )

  it(
    'credentials read once per call',
    async () => {
      mockCredentials.readOnce = true
      expect(await firstFinding()).toMatch(/for a session that has gone/)
    },
    limitMillis,
  )
})
