import { isRoute, requireRoute } from './faults'
import { patternOf } from './router'
import type { Address } from './router'

/** Counts requests as they arrive, for as long as somebody has a budget. */
export class Budgets {
  readonly #open = new Set<Map<string, number>>()

  count(address: Address): void {
    for (const counts of this.#open) {
      // The most telling entry pays: '*' is for what no other names.
      const routes = [...counts.keys()].filter(route => isRoute(route, address))
      const route = routes.find(each => each !== '*') ?? routes[0] ?? patternOf(address)
      counts.set(route, (counts.get(route) ?? 0) + 1)
    }
  }

  /** Rejects if `run` made more requests than allowed; a route that is not named is allowed none. */
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
