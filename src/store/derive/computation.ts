import { OUTSIDE_BROWSERS } from '../../core/outside-browsers'
import { reuseEqualParts } from '../../core/values'
import { toAuthError, developerError, misuse, type AnyAuthError } from '../../errors/auth-error'
import { CellStore, storeOf } from '../cell-store'
import type { Core } from '../kit-parts'
import { isKnown, pending, type Snapshot } from '../snapshot'
import { KitStore, type Store } from '../store'

/**
 * The store in this kit; undefined for one of another kit, and for what is no store. On an edge runtime, a store of an app has its
 * counterpart in every kit of the app.
 */
export function storeIn(core: Core, store: unknown): KitStore<unknown> | undefined {
  if (!(store instanceof KitStore)) return undefined
  if (store.core === core) return store
  if (OUTSIDE_BROWSERS && core.recipe && core.recipe === store.core.recipe) {
    if (store instanceof CellStore) return storeOf(core, store.place.source, store.place.input, store.project)
    // Its class is made of this one, and cannot be imported here: a derived store uses this function.
    const derived = store as KitStore<unknown> & { readonly compute: unknown }
    return Reflect.construct(derived.constructor, [core, derived.compute]) as KitStore<unknown>
  }
  return undefined
}

/** Reads the value of a store in a computation, which then depends on the store. */
export type Read = <V>(store: Store<V>) => V

/** The limit of consecutive runs in which a computation reads another store although no value changed. */
const maxStrays = 25

/** The limit of consecutive runs that each read one store more: a computation over a list reads its items one by one. */
const maxSteps = 500

/** The function of a derived store, and the stores that it has read. */
export class Computation<T> {
  readonly #core: Core
  readonly #compute: (read: Read) => T
  /** The stores of the last run in order, with the snapshots read: another map for each run. */
  members: ReadonlyMap<MemberStore, Snapshot<unknown>> = new Map()
  #strays = 0
  #steps = 0
  #hasStopped = false

  constructor(core: Core, compute: (read: Read) => T) {
    this.#core = core
    this.#compute = compute
  }

  /** Whether it read a store of the session. */
  get readsOwned(): boolean {
    return this.#hasRead(store => store.isOwned)
  }

  /** Whether it read a store that a write has started to load. */
  get readsAwaited(): boolean {
    return this.#hasRead(store => store.isAwaited)
  }

  /** Whether another run would give the same result. */
  get isCurrent(): boolean {
    return this.#hasStopped || !this.#hasRead((store, snapshot) => store.snapshot !== snapshot)
  }

  /** Whether code of the app has failed in each store of the last run that has failed. */
  get hasThrown(): boolean {
    return !this.#hasRead((store, { status }) => status === 'failed' && !store.hasThrown)
  }

  /** Whether it has read stores, and `see` has the same values of all of them. */
  isSeenBy(see: (store: MemberStore) => Snapshot<unknown>): boolean {
    const differs = (store: MemberStore, snapshot: Snapshot<unknown>) => {
      const seen = see(store)
      return !(isKnown(seen) && isKnown(snapshot) && Object.is(seen.value, snapshot.value))
    }
    return this.members.size > 0 && !this.#hasRead(differs)
  }

  /** Computes. `held`: the watched stores, used in place of other handles of the same stores. */
  run(held: StoreSet, before: Snapshot<T>): Snapshot<T> {
    const last = this.members
    const expectedReads = [...last]
    const seen = (this.members = new Map<MemberStore, Snapshot<unknown>>())
    /** All values read so far equal those of the last run. */
    let isTold = true
    let stray: MemberStore | undefined
    let latest: MemberStore | undefined
    let isMissing = false
    const read = <V>(store: Store<V>) => {
      const own = this.#own(store)
      const [expected, said] = expectedReads[seen.size] ?? []
      // Mostly the same stores in the same order, possibly many.
      const member =
        expected && isSameStore(expected, own)
          ? expected
          : ([...held.keys(), ...last.keys(), ...seen.keys()].find(other => isSameStore(other, own)) ?? own)
      const { snapshot } = member
      if (!seen.has(member)) {
        if (isTold && expected !== member) stray = member
        isTold &&= expected === member && said === snapshot
        if (!held.has(member) && !last.has(member)) latest ??= member
      }
      seen.set(member, snapshot)
      // `member` and `own` are handles of one store of V.
      if (isKnown(snapshot)) return snapshot.value as V
      isMissing = true
      throw new Error('it is not known yet')
    }
    let computed: Computed<T>
    try {
      const value = this.#compute(read)
      // An asynchronous function rejects with what `read` threw, and runs again when the value is known.
      if (isMissing) Promise.resolve(value).catch(() => undefined)
      computed = { value }
    } catch (error) {
      computed = { error }
    }
    if (stray) this.#strays++
    if (latest) this.#steps++
    if (this.#strays > maxStrays || this.#steps > maxSteps) computed = this.#stop((stray ?? latest)?.title)
    return joined(this.members.values(), computed, before, this.#core.clock.now())
  }

  /** All stores read are watched and none is loading: later runs have another cause, so the counts restart. */
  restIfSettled(): void {
    const isLoading = this.#hasRead((_, snapshot) => snapshot.status === 'pending' || snapshot.refreshing)
    if (!isLoading) this.#strays = this.#steps = 0
  }

  /** Whether a test holds for a store of the last run. A loop: a copy of the stores would cost more than most tests. */
  #hasRead(test: (store: MemberStore, snapshot: Snapshot<unknown>) => boolean): boolean {
    for (const [store, snapshot] of this.members) if (test(store, snapshot)) return true
    return false
  }

  /** Starts again for new watchers. True if it had been stopped and has to be computed. */
  restart(): boolean {
    const hadStopped = this.#hasStopped
    this.#strays = this.#steps = 0
    this.#hasStopped = false
    return hadStopped
  }

  /** Ends a computation that would request stores for ever, or never return: it depends on nothing until it is restarted. */
  #stop(name = ''): Computed<T> {
    this.members = new Map()
    this.#hasStopped = true
    return {
      error: developerError(
        'CALLBACK_FAILED',
        `the function given to derive() reads another store on every run, lastly "${name}", though no value changed; it must be pure: no random number, time or counter in the arguments of a store`,
        { what: `derive() never ends: ${name}` },
      ),
    }
  }

  #own(store: Store<unknown>): MemberStore {
    const own = storeIn(this.#core, store)
    if (own) return own
    throw misuse(
      'store',
      'given to read() is no store of the kit of derive(), or one of another copy of rxauth (`npm ls rxauth`); combine those of two kits, and observables, with combineLatest()',
    )
  }
}

const isSameStore = (one: MemberStore, other: MemberStore): boolean => one === other || one.isSame(other)

/** A store that a derived store reads. */
export type MemberStore = KitStore<unknown>

/** Stores, with whatever belongs to each. */
type StoreSet = ReadonlyMap<MemberStore, unknown>

/** The stores that a derived store watches, while it is watched. */
export class Members {
  readonly held = new Map<MemberStore, () => void>()
  /** The stores of the run whose stores it watches, and no others. */
  followed: StoreSet | undefined
  /** Whether to load stores without a good value; otherwise they are only watched. */
  #asks = false
  #isFollowing = false

  /** Loads stores without a good value from now on. After a failure, each new watcher starts a load. */
  ask(asked: Set<MemberStore>): void {
    for (const store of [...this.held.keys()]) {
      if (asked.has(store)) continue
      asked.add(store)
      if (store.ask) store.ask(asked)
      else store.listen(ignore)()
    }
    this.#asks = true
  }

  /**
   * Watches the stores in `present` and releases the others. New ones come first, so that shared cells stay. Watching may
   * make values known, so `read` gives the stores anew after each. Ends when `isWanted` returns false: a subscriber notified
   * of a load may be the last one, or dispose of the kit.
   */
  follow(present: StoreSet, read: () => StoreSet, isWanted: () => boolean): void {
    // Watching may commit and call this again; the run under way covers it.
    if (this.#isFollowing || !isWanted()) return
    this.#isFollowing = true
    try {
      while (isWanted()) {
        const missing = [...present.keys()].find(store => !this.held.has(store))
        if (!missing) break
        const release = this.#asks ? missing.listen(ignore) : missing.retain()
        if (isWanted()) this.held.set(missing, release)
        else release()
        present = read()
      }
      for (const [store, release] of this.held)
        if (!present.has(store)) {
          this.held.delete(store)
          release()
        }
      this.followed = present
    } finally {
      this.#isFollowing = false
    }
  }

  /** Watches nothing any more. */
  release(): void {
    for (const release of this.held.values()) release()
    this.held.clear()
    this.followed = undefined
    this.#asks = false
  }
}

/** A derived store is notified by commits. */
export function ignore(): void {}

/** The result of a computation. */
export type Computed<T> = { readonly value: T } | { readonly error: unknown }

/**
 * The snapshot of a computation from `members`. A member that failed without a value comes first, then one whose value is not
 * known, whatever was computed. Parts equal to those of `before` keep their reference.
 */
export function joined<T>(
  members: Iterable<Snapshot<unknown>>,
  computed: Computed<T>,
  before: Snapshot<T>,
  now: number,
): Snapshot<T> {
  let hasUnknown = false
  let refreshing = false
  let unconfirmed = 0
  let fetchedAt: Date | undefined
  let error: AnyAuthError | undefined
  for (const member of members) {
    if (member.status === 'failed') return member
    if (isKnown(member)) {
      if (!fetchedAt || member.fetchedAt < fetchedAt) ({ fetchedAt } = member)
      refreshing ||= member.refreshing
      unconfirmed += member.unconfirmed
      error ??= member.error
    } else hasUnknown = true
  }
  if (hasUnknown) return pending
  if ('error' in computed)
    return { status: 'failed', error: toAuthError(computed.error), failedAt: new Date(now), refreshing }
  return {
    status: 'ready',
    value: before.status === 'ready' ? reuseEqualParts(before.value, computed.value) : computed.value,
    fetchedAt: fetchedAt ?? new Date(now),
    refreshing,
    unconfirmed,
    ...(error && { error }),
  }
}
