/** @jest-environment ./test/setup/jsdom-environment.ts */
import 'fake-indexeddb/auto'
import { runs } from '../runs'
import { exploreCaches } from './explore-caches'
import type { CacheName } from './other-caches'

const only = process.env['RXAUTH_SEED']
const count = Number(process.env['RXAUTH_SEEDS'] ?? runs(2, 2000))
const limitMillis = 3 * 3_600_000

describe('five caches in three tabs', () => {
  // Promise: caches-show-one-user
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

  const searched = 100

  /** On failure, names a seed to record: a change of the sources changes the course of every seed. */
  async function findingOf(seed: number, finding: RegExp, without: CacheName): Promise<string | undefined> {
    const violation = await exploreCaches(seed, without)
    if (violation !== undefined && finding.test(violation)) return violation
    for (let other = 1; other <= searched; other++)
      if (finding.test((await exploreCaches(other, without)) ?? ''))
        return `seed ${seed} no longer finds it, record ${other}`
    return `none of the seeds up to ${searched} finds it`
  }

  // Promise: caches-show-one-user
  it.each<[CacheName, number]>([
    ['tanstack', 1],
    ['swr', 1],
    ['apollo', 1],
    ['rtkQuery', 2],
    ['dexie', 1],
  ])(
    'without the binding of %s they do, with seed %i',
    async (name, seed) => {
      const finding = new RegExp(`^${name} (shows|keeps)`)
      expect(await findingOf(seed, finding, name)).toMatch(finding)
    },
    limitMillis,
  )
})
