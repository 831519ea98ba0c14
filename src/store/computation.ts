import { AuthError, invalidInput } from '../errors/auth-error'
import { combine } from './combine'
import type { Computed } from './combine'
import type { Core } from './kit'
import type { Member } from './members'
import type { Snapshot } from './snapshot'
import { KitStore, sameStoreKey } from './store'
import type { Store } from './store'

/**
 * Gives the value of a store to a computation, which then depends on it.
 *
 * @example
 * const nameOf = (read: Read) => read(app.user$)?.displayName ?? 'guest'
 * const name$ = app.derive(nameOf)
 */
export type Read = <V>(store: Store<V>) => V

/** How often in a row a computation may ask for another store for no reason that it has read. */
const maxStrays = 25

/** How often in a row it may ask for one more before it comes to rest. One that reads a list asks for its items one by one. */
const maxSteps = 500

/** The function that a derived store is computed by, and what it has read. */
export class Computation<T> {
  readonly #core: Core
  readonly #compute: (read: Read) => T
  /** What was read last, in this order, and what it said. */
  #seen: ReadonlyMap<Member, Snapshot<unknown>> = new Map()
  #strays = 0
  #steps = 0
  #hasStopped = false

  constructor(core: Core, compute: (read: Read) => T) {
    this.#core = core
    this.#compute = compute
  }

  /** What was read last. */
  get members(): readonly Member[] {
    return [...this.#seen.keys()]
  }

  /** Whether something of the session was read. */
  get readsOwned(): boolean {
    return this.members.some(store => store.isOwned)
  }

  /** Whether something was read of which a write has started a load. */
  get readsAwaited(): boolean {
    return this.members.some(store => store.isAwaited)
  }

  /** Whether computing again would come to the same. */
  get isCurrent(): boolean {
    return this.#hasStopped || [...this.#seen].every(([store, snapshot]) => store.snapshot === snapshot)
  }

  /** What has been read last and has failed. */
  get failed(): readonly Member[] {
    return [...this.#seen].flatMap(([store, { status }]) => (status === 'failed' ? [store] : []))
  }

  /** Computes anew. `held`: what is watched already, which stands for every other handle of the same store. */
  run(held: readonly Member[], before: Snapshot<T>): Snapshot<T> {
    const seenBefore = [...this.#seen]
    const known = [...held, ...this.#seen.keys()]
    const seen = new Map<Member, Snapshot<unknown>>()
    this.#seen = seen
    /** All that it has been told so far is what it was told last time. */
    let isTold = true
    let stray: Member | undefined
    const read = <V>(store: Store<V>) => {
      const own = this.#own(store)
      const [expected, said] = seenBefore[seen.size] ?? []
      // Most often it reads what it has read before in the same order, and may read many.
      const member =
        expected && isSameStore(expected, own)
          ? expected
          : ([...known, ...seen.keys()].find(other => isSameStore(other, own)) ?? own)
      const { snapshot } = member
      if (isTold && !seen.has(member)) {
        if (expected !== member) stray = member
        isTold = expected === member && said === snapshot
      }
      seen.set(member, snapshot)
      // Both are handles of one store, which gives a V.
      if (snapshot.status === 'ready') return snapshot.value as V
      throw new Error('it is not known yet')
    }
    let computed: Computed<T>
    try {
      computed = { value: this.#compute(read) }
    } catch (error) {
      computed = { error }
    }
    const latest = [...seen.keys()].find(member => !known.includes(member))
    if (stray) this.#strays++
    if (latest) this.#steps++
    if (this.#strays > maxStrays || this.#steps > maxSteps) computed = this.#stop((stray ?? latest)?.name)
    return combine([...this.#seen.values()], computed, before, this.#core.clock.now())
  }

  /** What has been read is watched now, and nothing of it is being loaded: what it asks for from here on has another cause. */
  restIfSettled(): void {
    const isSettled = [...this.#seen.values()].every(snapshot => snapshot.status !== 'pending' && !snapshot.refreshing)
    if (isSettled) this.#strays = this.#steps = 0
  }

  /** Others watch from now on. True if it had been stopped, so that there is something to compute. */
  restart(): boolean {
    const hadStopped = this.#hasStopped
    this.#strays = this.#steps = 0
    this.#hasStopped = false
    return hadStopped
  }

  /** It would ask for ever, or never return. Depends on nothing from now on, until it is started again. */
  #stop(name = ''): Computed<T> {
    this.#seen = new Map()
    this.#hasStopped = true
    return {
      error: new AuthError(
        'CALLBACK_FAILED',
        `the function given to derive() reads another store each time, lastly "${name}", although what it has read is the same; it must be pure: no random number, time or counter in the arguments of a store`,
      ),
    }
  }

  #own(store: Store<unknown>): Member {
    if (store instanceof KitStore && store.belongsTo(this.#core)) return store
    throw invalidInput(
      'store',
      'given to read() is of another kit than derive(); put stores of two kits together with combineLatest()',
    )
  }
}

const isSameStore = (one: Member, other: Member): boolean => one === other || one[sameStoreKey](other)
