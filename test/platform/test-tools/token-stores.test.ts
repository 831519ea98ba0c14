import { cookieTokens, memoryTokens, systemClock, type Tokens, type TokenStore } from 'rxauth'
import { tokenStoreConformance } from 'rxauth/platform'
import { CookieJar } from '../../tabs'

function inCookies(): TokenStore {
  const source = cookieTokens()
  const host = { cookies: new CookieJar(systemClock).on('https://app.example/') }
  return typeof source === 'function' ? source({ projectId: 'project-1', clock: systemClock, host }) : source
}

describe('memoryTokens', () => {
  tokenStoreConformance(test, () => memoryTokens())
})

describe('cookieTokens', () => {
  tokenStoreConformance(test, inCookies)
})

describe('the conformance suite finds a store that', () => {
  const failing = async (make: () => TokenStore): Promise<string[]> => {
    const runs: [name: string, run: () => Promise<void>][] = []
    tokenStoreConformance((name, run) => runs.push([name, run]), make)
    const failed: string[] = []
    for (const [name, run] of runs) await run().catch(() => failed.push(name))
    return failed
  }
  const broken = (change: (store: TokenStore) => Partial<TokenStore>) => () => {
    const store = memoryTokens()
    return { ...store, ...change(store) }
  }
  let held: Tokens | null = null

  it.each<[string, () => TokenStore, string]>([
    [
      'writes without comparing',
      broken(store => ({ replace: (_, next) => store.replace(store.read() as Tokens | null, next) })),
      'it refuses to replace what it no longer holds',
    ],
    ['never writes', broken(() => ({ replace: () => true })), 'what was written is read back'],
    [
      'forgets to clear',
      broken(store => ({ replace: (expected, next) => (next ? store.replace(expected, next) : true) })),
      'clearing leaves nothing',
    ],
    [
      'takes anything for a token',
      () => ({ read: () => held, replace: (_, next) => ((held = next), true) }),
      'the text "undefined", an empty text and what is no access token are refused',
    ],
    [
      'lets both of two writers win',
      broken(store => ({
        replace: async (expected, next) => {
          const isHeld = (await store.read())?.refreshToken === expected?.refreshToken
          await Promise.resolve()
          return isHeld && store.replace(store.read() as Tokens | null, next)
        },
      })),
      'of two that replace the same tokens at the same time one is refused',
    ],
    [
      'ends its changes',
      broken(() => ({
        changes$: { subscribe: (o: { complete(): void }) => (o.complete(), { unsubscribe() {} }) } as never,
      })),
      'listeners for changes can unsubscribe, and changes never end',
    ],
  ])('%s', async (_, make, name) => {
    expect(await failing(make)).toContain(name)
  })
})
