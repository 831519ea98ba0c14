import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** A scenario's own work takes less; on a busy machine it may take longer. */
const budgetMillis = 2000

/** Prints how long each scenario took, also of a run that is interrupted. */
export default class Times implements Reporter {
  readonly #times = new Map<string, number[]>()

  printsToStdio(): boolean {
    return false
  }

  onTestEnd(test: TestCase, { duration, status }: TestResult): void {
    if (status === 'skipped' || status === 'interrupted') return
    const title = test.titlePath().slice(3).join(' ')
    const times = this.#times.get(title) ?? []
    this.#times.set(title, times)
    times.push(duration)
  }

  onEnd(): void {
    const rows = Array.from(this.#times, ([title, given]) => {
      const times = given.sort((one, other) => one - other)
      const mean = Math.round(times.reduce((sum, time) => sum + time, 0) / times.length)
      return { title, runs: times.length, best: times[0]!, mean, p95: at(times, 0.95), max: at(times, 1) }
    }).sort((one, other) => other.mean - one.mean)
    console.log('\nmilliseconds:  runs    best    mean     p95     max')
    for (const { title, runs, best, mean, p95, max } of rows)
      console.log(`${[runs, best, mean, p95, max].map(value => String(value).padStart(8)).join('')}  ${title}`)
    const over = (name: 'best' | 'mean' | 'p95' | 'max') => rows.filter(row => row[name] > budgetMillis).length
    console.log(
      `over ${budgetMillis} ms, of ${rows.length} scenarios: ${over('best')} at best, ${over('mean')} in the mean, ` +
        `${over('p95')} at the 95th percentile, ${over('max')} at worst`,
    )
  }
}

const at = (sorted: readonly number[], part: number): number => sorted[Math.ceil(sorted.length * part) - 1]!
