import { isRoute, requireRoute } from './faults'
import { patternOf } from '../http/router'
import type { Address } from '../http/router'

/** Counts requests as they arrive, while at least one budget is open. */
export class Budgets {
  readonly #open = new Set<Map<string, number>>()

  count(address: Address): void {
    for (const counts of this.#open) {
      // The request counts for the most specific entry; '*' counts what no other entry names.
      const routes = [...counts.keys()].filter(route => isRoute(route, address))
      const route = routes.find(each => each !== '*') ?? routes[0] ?? patternOf(address)
      counts.set(route, (counts.get(route) ?? 0) + 1)
    }
  }

  /** Rejects if `run` made more requests than allowed. Routes without an entry are allowed none. */
  async spend<T>(
    allowed: Readonly<Record<string, number>>,
    run: () => Promise<T>,
    addresses: readonly Address[],
  ): Promise<T> {
    for (const route of Object.keys(allowed)) requireRoute(route, addresses)
    const counts = new Map(Object.keys(allowed).map(route => [route, 0]))
    this.#open.add(counts)
    try {
      const result = await run()
      const over = [...counts].filter(([route, count]) => count > (allowed[route] ?? 0))
      if (over.length === 0) return result
      const lines = over.map(([route, count]) => `${route}: ${count} requests, ${allowed[route] ?? 0} allowed`)
      throw new Error(`more requests than the budget allows\n  ${lines.join('\n  ')}`)
    } finally {
      this.#open.delete(counts)
    }
  }
}
