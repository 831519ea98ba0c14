import { memoryTokens, type Clock, type Tokens, type TokenStore } from 'rxauth'
import { Subject } from 'rxjs'
import { wait } from '../../src/core/clock'
import type { Simulation } from './simulation'
import type { SimulatedTab } from './tab'

/** A store of all tabs that answers after a while: a database, or the storage of an extension. */
export class LaterStore {
  readonly #inner = memoryTokens()
  readonly #changed$ = new Subject<SimulatedTab>()
  readonly #simulation: Simulation

  constructor(simulation: Simulation) {
    this.#simulation = simulation
  }

  get tokens(): Tokens | null {
    return this.#inner.read() as Tokens | null
  }

  of(tab: SimulatedTab, clock: Clock): TokenStore {
    const travel = async () => {
      await wait(clock, this.#simulation.upTo(30))
      this.#simulation.storeUsed()
    }
    const changes$ = new Subject<void>()
    this.#changed$.subscribe(by => {
      if (by !== tab) tab.whenAwake(() => changes$.next())
    })
    return {
      sharedAs: 'simulated',
      changes$,
      read: async () => {
        // Some stores read at the call, others when they answer.
        const [before, isEarly] = [this.tokens, this.#simulation.upTo(2) === 0]
        await travel()
        return isEarly ? before : this.tokens
      },
      replace: async (expected, next) => {
        await travel()
        const isReplaced = this.#inner.replace(expected, next) as boolean
        if (isReplaced) {
          this.#simulation.history.storeChanged()
          this.#changed$.next(tab)
        } else this.#simulation.history.reach('a write of the store comes too late')
        await wait(clock, this.#simulation.upTo(20))
        return isReplaced
      },
    }
  }
}
