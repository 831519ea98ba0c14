import { onAbort } from '../core/on-abort'
import { Refcount } from '../core/refcount'
import { abortError } from '../errors/abort'
import type { AnyAuthError } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import type { Dependent } from './commit'
import { Computation } from './computation'
import type { Read } from './computation'
import { coreOf } from './kit'
import type { Core, Kit } from './kit'
import { Members } from './members'
import type { Member } from './members'
import { Outlet } from './outlet'
import { pending, valueOf } from './snapshot'
import type { Snapshot } from './snapshot'
import { KitStore, sameStoreKey } from './store'
import type { ReadOptions, Store } from './store'

/**
 * A store computed from other stores of the same kit; it depends on what `read` was asked for, this time.
 *
 * `compute` must be pure: as long as the stores that it reads say the same, it reads the same stores and gives the same. It
 * may call a query for each (`read(team$(kit, { teamId }))`), with arguments that come from what it has read or from outside
 * of it, and never from a random number, the time or a counter: every run would ask for another store, whose load makes it run
 * again. After 25 such runs in a row, or 500 that each read one store more, it fails with CALLBACK_FAILED, and is computed
 * again when somebody watches after the last watcher has left.
 *
 * Computed once per commit, from one commit. It waits for the loads that a write has started, and for nothing else, so that
 * it never shows half of what a write has changed. If a member has failed without a value it fails with that error, while
 * one is not known yet it is pending, and if `compute` throws it fails with CALLBACK_FAILED; a store of another kit makes it
 * fail with INVALID_INPUT. `refresh()` refreshes its members.
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
  readonly #computation: Computation<T>
  readonly #members = new Members()
  readonly #outlet = new Outlet<unknown, T>(undefined, pending, () => {
    this.watchers.leave()
  })
  /** It has not been computed from what was seen: that was half of what a write had changed. */
  #isBehind = true
  /** It has watchers, who have been told. */
  #isWatched = false
  #identity: Identity
  #servedAt = -Infinity
  /** The look in which it was worked out last. */
  #look = 0
  /** What its members say of themselves, as of that look. */
  #traits: { isOwned?: boolean; isAwaited?: boolean; hasThrown?: boolean } = {}

  constructor(core: Core, compute: (read: Read) => T) {
    super(core)
    this.#computation = new Computation(core, compute)
    this.#identity = core.sessionState.identity
    this.watchers = new Refcount(() => {
      core.assertAlive()
      core.commits.dependents.add(this)
      if (this.#computation.restart()) this.#isBehind = true
      this.#evaluate()
      this.#followMembers()
      // What was there before anybody watched has been told to nobody.
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
    return this.#outlet.snapshot
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
    return (this.#traits.hasThrown ??=
      this.last.status === 'failed' && this.#computation.failed.every(store => store.hasThrown))
  }

  protected get last(): Snapshot<T> {
    return this.#outlet.snapshot
  }

  protected get servedAt(): number {
    return this.#servedAt
  }

  [sameStoreKey](other: object): boolean {
    return this === other
  }

  get(options: ReadOptions & { readonly maxAgeMillis?: number } = {}): Promise<T> {
    return this.#settle(store => store.get(options), options.signal)
  }

  refresh(options: ReadOptions = {}): Promise<T> {
    return this.#settle(store => store.refresh(options), options.signal)
  }

  listen(callback: () => void): () => void {
    this.#hold(true)
    return this.#outlet.listen(callback, this.core.commits)
  }

  keep(): () => void {
    return this.#hold(false)
  }

  override ask(asked: Set<Member>): void {
    this.#members.ask(asked)
  }

  override collect(into: Set<Member>): void {
    for (const store of this.#computation.members) {
      if (into.has(store)) continue
      into.add(store)
      store.collect?.(into)
    }
  }

  protected watch(): Outlet<unknown, T> {
    this.#hold(true)
    return this.#outlet
  }

  take(): boolean {
    this.#evaluate()
    // What it depends on now is watched once this commit is told.
    this.core.commits.after(() => {
      this.#followMembers()
      // What is watched only now may be known without a load, and without a commit that tells of it.
      if (this.#outlet.hasNews) this.core.commits.run('derived', ignore)
    })
    return this.#outlet.hasNews
  }

  tell(): void {
    this.#outlet.tell(this.core.onUnhandled)
  }

  dispose(error: AnyAuthError): void {
    this.watchers.end()
    this.#outlet.end(this.#outlet.snapshot.status === 'ready' ? undefined : error)
  }

  /** What is told by the outlet need not call the returned function: the outlet's own `leave` stands for it. */
  #hold(asks: boolean): () => void {
    if (asks) this.#members.ask(new Set())
    return this.watchers.hold()
  }

  async #settle(load: (store: Member) => Promise<unknown>, signal: AbortSignal | undefined): Promise<T> {
    if (signal?.aborted) throw abortError(signal)
    const release = this.#hold(false)
    // Told of an abort before its members are, so that a load that nobody else waits for is cancelled.
    const forget = onAbort(signal, release)
    try {
      let owner: Identity | undefined
      const loaded = new Set<Member>()
      for (;;) {
        this.#evaluate()
        const missing = this.#sources.filter(store => !loaded.has(store) || store.isAwaited)
        if (missing.length === 0) break
        owner ??= await this.owner(signal)
        await Promise.all(missing.map(load))
        for (const store of missing) loaded.add(store)
      }
      this.assertStill(owner)
      this.#servedAt = this.core.clock.monotonic()
      return valueOf(this.#outlet.snapshot)
    } finally {
      forget()
      release()
    }
  }

  #evaluate(): void {
    // Until all are told of a commit it stands, whatever becomes known meanwhile: what is told and what is read agree.
    const { commits } = this.core
    if (this.#isWatched && commits.stands) return
    commits.look(() => {
      // Members with a member in common each ask for it, and as many more times on every level above them.
      const { looks } = commits
      if (this.#look === looks) return
      this.#update()
      this.#traits = {}
      this.#look = looks
    })
  }

  /** The stores at the bottom: what is loaded rather than computed. */
  get #sources(): readonly Member[] {
    const all = new Set<Member>()
    this.collect(all)
    return [...all].filter(store => !store.collect)
  }

  #update(): void {
    if (!this.#isBehind && this.#computation.isCurrent) return
    const { identity } = this.core.sessionState
    const isOther = identity !== this.#identity && this.#computation.readsOwned
    // Half of what a write has changed is not shown; the other half is being loaded.
    if (this.#computation.readsAwaited && !isOther) return
    const next = this.#computation.run(this.#members.all, this.#outlet.snapshot)
    this.#identity = identity
    this.#isBehind = this.#computation.readsAwaited
    if (!this.#isBehind) this.#outlet.take(next)
    else if (isOther) this.#outlet.take(pending)
  }

  /** Watches what it depends on now. */
  #followMembers(): void {
    const read = () => {
      this.#evaluate()
      return this.#computation.members
    }
    this.#members.follow(this.#computation.members, read, () => this.watchers.isHeld)
    this.#computation.restIfSettled()
  }
}

/** There is nothing more to change. */
function ignore(): void {}
