/** @jest-environment ./test/setup/jsdom-environment.ts */
import 'fake-indexeddb/auto'
import { runs } from '../runs'
import { exploreCaches } from './explore-caches'

const only = process.env['RXAUTH_SEED']
const count = Number(process.env['RXAUTH_SEEDS'] ?? runs(5, 2000))
const limitMillis = 3 * 3_600_000

describe('five caches in three tabs', () => {
  it(
    'never show the text of one person under another',
    async () => {
      for (const seed of only === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(only)]) {
        const violation = await exploreCaches(seed)
        if (violation) throw new Error(`RXAUTH_SEED=${seed}: ${violation}`)
      }
    },
    limitMillis,
  )

  // Seed 1 finds it, of RTK Query seed 2.
  it.each(['tanstack', 'swr', 'apollo', 'rtkQuery', 'dexie'] as const)(
    'without the binding of %s they do, within 100 seeds',
    async name => {
      let violation: string | undefined
      for (let seed = 1; seed <= 100 && !violation; seed++) violation = await exploreCaches(seed, name)
      expect(violation).toMatch(new RegExp(`^${name} (shows|keeps)`))
    },
    limitMillis,
  )
})
