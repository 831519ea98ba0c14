import { runs } from '../runs'
import { explore } from './race'

const [only, count] = [process.env['RXAUTH_SEED'], Number(process.env['RXAUTH_SEEDS'] ?? runs(10, 60))]
const perTest = 10
const limitMillis = 600_000

/**
 * Explores every `step`-th seed from `first` on, a batch per test, so that several files share the work. A failure prints
 * its seed: `RXAUTH_SEED=701` explores only that one, `RXAUTH_SEEDS=20000` that many; `npm run nightly -- explore` takes 2,000.
 */
export function exploreSeeds(first: number, step: number): void {
  const all = only === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(only)]
  const seeds = all.filter(seed => seed % step === first % step)
  const batches = Array.from({ length: Math.ceil(seeds.length / perTest) }, (_, index) =>
    seeds.slice(index * perTest, (index + 1) * perTest),
  )
  it('has seeds, or leaves the requested one to another file', () => {
    expect(seeds.length > 0 || only !== undefined).toBe(true)
  })
  for (const batch of batches)
    it(
      `tabs that race never break the rules of the ledger, seeds ${batch[0]} to ${batch.at(-1)}`,
      async () => {
        for (const seed of batch) {
          const violation = await explore(seed)
          if (violation) throw new Error(`RXAUTH_SEED=${seed}: ${violation}`)
        }
      },
      limitMillis,
    )
}
