import { onAbort } from '../../core/signals'
import { Refcount } from '../../core/refcount'
import { abortError, type AnyAuthError } from '../../errors/auth-error'
import type { Owner } from '../../transport/access-token'
import type { Dependent } from '../commit'
import { Computation, ignore, Members, type Computed, type Read, type MemberStore } from './computation'
import { coreOf, type Core, type Kit } from '../kit-parts'
import { View } from '../view'
import { isKnown, pending, type Snapshot } from '../snapshot'
import { KitStore, type ReadOptions, type Store } from '../store'

/**
 * A store computed from other stores of the same kit. It depends on the stores that the last run read.
 *
 * `compute` must be pure: with the same values it reads the same stores and returns the same result. It may call a query per
 * item (`read(team$(kit, { teamId }))`), with arguments from values that it has read or from outside, but not from a random
 * number, the time or a counter: each run would read another store, whose load causes the next run. After 25 such runs in a
 * row, or 500 that each read one store more, it fails with CALLBACK_FAILED; it is computed again for the first watcher after
 * the last has left.
 *
 * It is computed once per commit, from the values of that commit. It waits only for loads that a write has started, so that
 * it never shows half of the write's changes. It fails with the error of a member that failed without a value. While a member
 * is pending, it is pending too or, if it is watched and has a value of the same user, keeps that (`isHeld`). It fails with CALLBACK_FAILED if `compute` throws, or with INVALID_INPUT for a store of another kit.
 * `refresh()` refreshes its members.
 *
 * @example
 * const title$ = derive(kit, read => `${read(user$(kit))?.displayName} in ${read(teams$(kit)).length} teams`)
 * title$.subscribe(title => console.log(title))
 */
export function derive<T>(kit: Kit<never>, compute: (read: Read) => T): Store<T> {
  return new DerivedStore(coreOf(kit), compute)
}

class DerivedStore<T> extends KitStore<T> implements Dependent {
  readonly name = 'derived'
  readonly watchers: Refcount
  readonly compute: (read: Read) => T
  readonly #computation: Computation<T>
  readonly #members = new Members()
  readonly #view: View<unknown, T>
  /** Its result is outdated: computing had to wait for the rest of a write's changes. */
  #isBehind = true
  /** The store has watchers, and its state from before them is told. */
  #isWatched = false
  #owner: Owner
  /** Its last value was computed from a store of the session. */
  #hasOwnedValue = false
  /** The pass of the last computation. */
  #look = 0
  /** Properties derived from its members in that pass. */
  #traits: { isOwned?: boolean; isAwaited?: boolean; hasThrown?: boolean } = {}

  constructor(core: Core, compute: (read: Read) => T) {
    super(core)
    this.compute = compute
    this.#view = new View<unknown, T>(core.commits, undefined, pending, () => {
      this.watchers.release()
    })
    this.#computation = new Computation(core, compute)
    this.#owner = core.committedSession.identity.owner
    this.watchers = new Refcount(() => {
      core.assertAlive()
      core.commits.dependents.add(this)
      if (this.#computation.restart()) this.#isBehind = true
      this.#evaluate()
      this.#followMembers()
      // The state from before the first watcher has no listeners.
      this.tell()
      this.#isWatched = true
      return () => {
        core.commits.dependents.delete(this)
        this.#isWatched = false
        this.#members.release()
      }
    })
  }

  get snapshot(): Snapshot<T> {
    this.#evaluate()
    return this.#view.snapshot
  }

  get isOwned(): boolean {
    return this.core.commits.look(() => {
      this.#evaluate()
      return (this.#traits.isOwned ??= this.#computation.readsOwned)
    })
  }

  get isAwaited(): boolean {
    return this.core.commits.look(() => {
      this.#evaluate()
      return (this.#traits.isAwaited ??= this.#computation.readsAwaited)
    })
  }

  get hasThrown(): boolean {
    return (this.#traits.hasThrown ??= this.#view.snapshot.status === 'failed' && this.#computation.hasThrown)
  }

  isSame(other: object): boolean {
    return this === other
  }

  get(options: ReadOptions & { readonly maxAgeMillis?: number } = {}): Promise<T> {
    return this.#settle(store => store.get(options), options.signal)
  }

  refresh(options: ReadOptions = {}): Promise<T> {
    return this.#settle(store => store.refresh(options), options.signal)
  }

  override ask(asked: Set<MemberStore>): void {
    this.#members.ask(asked)
  }

  override collect(into: Set<MemberStore>): void {
    for (const store of this.#computation.members.keys()) {
      if (into.has(store)) continue
      into.add(store)
      store.collect?.(into)
    }
  }

  /** The result of the last run, if that has read the same values: a server's page shows what `dehydrate` has computed. */
  recall(see: (store: MemberStore) => Snapshot<unknown>): Computed<T> | undefined {
    const { snapshot } = this.#view
    if (this.#isBehind || !isKnown(snapshot) || !this.#computation.isSeenBy(see)) return undefined
    return { value: snapshot.value }
  }

  protected retained(asks: boolean): View<unknown, T> {
    if (asks) this.#members.ask(new Set())
    this.watchers.retain()
    return this.#view
  }

  take(): boolean {
    this.#evaluate()
    // The members are watched after this commit's notifications.
    if (this.#members.followed !== this.#computation.members)
      this.core.commits.after(() => {
        this.#followMembers()
        // A member that is watched only now may have a value without a load, and without a commit that reports it.
        if (this.#view.hasNews) this.core.commits.run('derived', ignore)
      })
    return this.#view.hasNews
  }

  tell(): void {
    this.#view.tell(this.core.onUnhandled)
  }

  dispose(error: AnyAuthError): void {
    this.watchers.end()
    this.#view.end(this.#view.snapshot.status === 'ready' ? undefined : error)
  }

  async #settle(load: (store: MemberStore) => Promise<unknown>, signal: AbortSignal | undefined): Promise<T> {
    if (signal?.aborted) throw abortError(signal)
    const release = this.retain()
    // Notified of an abort before its members, so that a load without other waiters is cancelled.
    const forget = onAbort(signal, release)
    try {
      let owner: Owner | undefined
      const loaded = new Set<MemberStore>()
      for (;;) {
        this.#evaluate()
        const missing = this.#sources.filter(store => !loaded.has(store) || store.isAwaited)
        if (missing.length === 0) break
        owner ??= await this.owner(signal)
        await Promise.all(missing.map(load))
        for (const store of missing) loaded.add(store)
      }
      if (this.mayShow(owner)) return this.#view.value
      return await this.#settle(load, signal)
    } finally {
      forget()
      release()
    }
  }

  #evaluate(): void {
    // Unchanged until the notifications of a commit end, so that emitted and read values agree.
    const { commits } = this.core
    if (this.#isWatched && commits.isTelling) return
    commits.look(() => {
      // Members that share a member would each compute it, and again on every level above them.
      const { passes: looks } = commits
      if (this.#look === looks) return
      this.#update()
      this.#traits = {}
      this.#look = looks
    })
  }

  /** The loaded stores at the bottom. */
  get #sources(): readonly MemberStore[] {
    const all = new Set<MemberStore>()
    this.collect(all)
    return [...all].filter(store => !store.collect)
  }

  #update(): void {
    if (!this.#isBehind && this.#computation.isCurrent) return
    const { owner } = this.core.committedSession.identity
    const isOther = owner !== this.#owner && this.#computation.readsOwned
    // Half of a write's changes is not shown; the other half is loading.
    if (this.#computation.readsAwaited && !isOther) return
    const next = this.#computation.run(this.#members.held, this.#view.snapshot)
    this.#owner = owner
    this.#isBehind = this.#computation.readsAwaited
    // A run that stops before it reads what belongs to the user no longer hears of another one.
    const { readsOwned } = this.#computation
    const mayHold = this.#isWatched && !isOther && (readsOwned || !this.#hasOwnedValue)
    if (this.#isBehind) {
      if (isOther) this.#view.take(pending)
      return
    }
    if (next.status === 'ready') this.#hasOwnedValue = readsOwned
    this.#view.take(mayHold ? held(next, this.#view.snapshot) : next)
  }

  /** Watches the present members. */
  #followMembers(): void {
    const read = () => {
      this.#evaluate()
      return this.#computation.members
    }
    this.#members.follow(this.#computation.members, read, () => this.watchers.isHeld)
    this.#computation.restIfSettled()
  }
}

/** `next` or, while it is pending, the last value: a screen does not go blank because it reads another store. */
function held<T>(next: Snapshot<T>, last: Snapshot<T>): Snapshot<T> {
  return next.status === 'pending' && last.status === 'ready' ? { ...last, refreshing: true, isHeld: true } : next
}
