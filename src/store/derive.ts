import { onAbort } from '../core/on-abort'
import { Refcount } from '../core/refcount'
import { abortError } from '../errors/abort'
import type { AnyAuthError } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import { combine } from './combine'
import type { Computed } from './combine'
import type { Dependent } from './commit'
import { coreOf } from './kit'
import type { Core, Kit } from './kit'
import { Outlet } from './outlet'
import { pending, valueOf } from './snapshot'
import type { Snapshot } from './snapshot'
import { KitStore, sameStoreKey } from './store'
import type { ReadOptions, Store } from './store'

/** Gives the value of a store to a computation, which then depends on it. */
export type Read = <V>(store: Store<V>) => V

/**
 * A store computed from other stores; it depends on what `read` was asked for, this time.
 *
 * Computed once per commit, from one commit. It waits for the loads that a write has started, and for nothing else, so that
 * it never shows half of what a write has changed. If a member has failed without a value it fails with that error, while
 * one is not known yet it is pending, and if `compute` throws it fails with CALLBACK_FAILED. `refresh()` refreshes its
 * members.
 */
export function derive<T>(kit: Kit<never>, compute: (read: Read) => T): Store<T> {
  return new DerivedStore(coreOf(kit), compute)
}

type Member = Store<unknown>

class DerivedStore<T> extends KitStore<T> implements Dependent {
  readonly name = 'derived'
  readonly #compute: (read: Read) => T
  readonly #outlet = new Outlet<unknown, T>(undefined, pending, () => {
    this.watchers.leave()
  })
  readonly watchers: Refcount
  /** What was read last, and what it said. */
  #seen: ReadonlyMap<Member, Snapshot<unknown>> = new Map()
  /** It has not been computed from what was seen: that was half of what a write had changed. */
  #isBehind = true
  #identity: Identity
  readonly #held = new Map<Member, () => void>()
  /** Whether somebody watches who wants what is no good to be loaded. */
  #asks = false
  #isHolding = false
  #servedAt = -Infinity

  constructor(core: Core, compute: (read: Read) => T) {
    super(core)
    this.#compute = compute
    this.#identity = core.sessionState.identity
    this.watchers = new Refcount(() => {
      core.assertAlive()
      core.commits.dependents.add(this)
      this.#holdMembers()
      // What was there before anybody watched has been told to nobody.
      this.tell()
      return () => {
        core.commits.dependents.delete(this)
        for (const release of this.#held.values()) release()
        this.#held.clear()
        this.#asks = false
      }
    })
  }

  get snapshot(): Snapshot<T> {
    this.#evaluate()
    return this.#outlet.snapshot
  }

  get isOwned(): boolean {
    return this.#some(store => store.isOwned)
  }

  get isAwaited(): boolean {
    return this.#some(store => store.isAwaited)
  }

  get hasThrown(): boolean {
    const failed = [...this.#seen].filter(([, { status }]) => status === 'failed')
    return this.last.status === 'failed' && failed.every(([store]) => store instanceof KitStore && store.hasThrown)
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

  protected watch(): Outlet<unknown, T> {
    this.#hold(true)
    return this.#outlet
  }

  take(): boolean {
    this.#evaluate()
    // What it depends on now is watched once this commit is told.
    this.core.commits.after(() => {
      this.#holdMembers()
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
    // Who comes after a failure starts a new load, whoever watches already.
    if (asks) for (const store of this.#held.keys()) store.listen(ignore)()
    this.#asks ||= asks
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
        const missing = [...this.#seen.keys()].filter(store => !loaded.has(store) || isAwaited(store))
        if (missing.length === 0) break
        owner ??= await this.owner(signal)
        await Promise.all(missing.map(load))
        for (const store of missing) loaded.add(store)
      }
      if (owner) this.core.session.assertPresent(owner)
      this.#servedAt = this.core.clock.monotonic()
      return valueOf(this.#outlet.snapshot)
    } finally {
      forget()
      release()
    }
  }

  #evaluate(): void {
    const { identity } = this.core.sessionState
    const before = this.#seen
    if (!this.#isBehind && [...before].every(([store, snapshot]) => store.snapshot === snapshot)) return
    const isOther = identity !== this.#identity && this.isOwned
    // Half of what a write has changed is not shown; the other half is being loaded.
    if (this.isAwaited && !isOther) return
    const next = this.#snapshotNow(before)
    this.#identity = identity
    this.#isBehind = this.isAwaited
    if (!this.#isBehind) this.#outlet.take(next)
    else if (isOther) this.#outlet.take(pending)
  }

  #snapshotNow(before: ReadonlyMap<Member, unknown>): Snapshot<T> {
    const known = [...this.#held.keys(), ...before.keys()]
    const seen = new Map<Member, Snapshot<unknown>>()
    this.#seen = seen
    const read = <V>(store: Store<V>) => {
      // A handle that `compute` has made anew stands for the member that is watched already.
      const member = [...known, ...seen.keys()].find(other => isSameStore(other, store)) ?? store
      const { snapshot } = member
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
    return combine([...seen.values()], computed, this.#outlet.snapshot, this.core.clock.now())
  }

  /** Watches what it depends on, and no longer what it does not. The new ones first, so that shared cells stay. */
  #holdMembers(): void {
    // Watching one may commit, and ask for this again: the run under way sees to it.
    if (this.#isHolding || !this.watchers.isHeld) return
    this.#isHolding = true
    try {
      this.#evaluate()
      while (this.watchers.isHeld) {
        const missing = [...this.#seen.keys()].find(store => !this.#held.has(store))
        if (!missing) break
        const isQuiet = !this.#asks && missing instanceof KitStore
        const release = isQuiet ? missing.keep() : missing.listen(ignore)
        // Whoever was told of its load may have been the last, or have disposed of the kit.
        if (this.watchers.isHeld) this.#held.set(missing, release)
        else release()
        this.#evaluate()
      }
      for (const [store, release] of this.#held)
        if (!this.#seen.has(store)) {
          this.#held.delete(store)
          release()
        }
    } finally {
      this.#isHolding = false
    }
  }

  #some(is: (store: KitStore<unknown>) => boolean): boolean {
    return [...this.#seen.keys()].some(store => store instanceof KitStore && is(store))
  }
}

const isAwaited = (store: Member): boolean => store instanceof KitStore && store.isAwaited

const isSameStore = (one: Member, other: Member): boolean =>
  one === other || (one instanceof KitStore && one[sameStoreKey](other))

/** Its commits are what tells a derived store. */
function ignore(): void {}
