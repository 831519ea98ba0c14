import { Observable } from 'rxjs'
import { Refcount } from '../core/refcount'
import type { Member } from './commit'
import { coreOf } from './kit'
import type { Core, Kit } from './kit'
import { Outlet } from './outlet'
import { pending, sameSnapshot, toAuthError } from './snapshot'
import type { Snapshot } from './snapshot'
import { share } from '../core/equal'
import { isAwaitedKey, recentFailureKey } from './store'
import type { ReadOptions, Store } from './store'

/** Gives the value of a store to a computation, which then depends on that store. */
export type Read = <V>(store: Store<V>) => V

/**
 * A store computed from other stores; it depends on what `read` was asked for, this time.
 *
 * Computed once per commit, from one commit. It waits for the loads that a write has started, and for nothing else, so that
 * it never shows half of what a write has changed. While a member is not known yet it is pending; if a member has failed
 * without a value it fails with that error, and with CALLBACK_FAILED if `compute` throws. `refresh()` refreshes its members.
 */
export function derive<T>(kit: Kit<never>, compute: (read: Read) => T): Store<T> {
  return new DerivedStore(coreOf(kit), compute)
}

/** A member has no value yet, so there is nothing to compute. */
class NotReady extends Error {
  readonly snapshot: Exclude<Snapshot<never>, { status: 'ready' }>

  constructor(snapshot: NotReady['snapshot']) {
    super('not ready')
    this.snapshot = snapshot
  }
}

class DerivedStore<T> extends Observable<T> implements Store<T>, Member {
  readonly name = 'derived'
  readonly snapshot$: Observable<Snapshot<T>>
  readonly #core: Core
  readonly #compute: (read: Read) => T
  readonly #outlet: Outlet<T, T>
  readonly #watchers: Refcount
  #state: Snapshot<T> = pending
  /** What the present state was computed from. */
  #seen = new Map<Store<unknown>, Snapshot<unknown>>()
  readonly #held = new Map<Store<unknown>, () => void>()
  #isHolding = false

  constructor(core: Core, compute: (read: Read) => T) {
    super(subscriber => {
      subscriber.add(this.#watchers.hold())
      const { isTelling } = core.commits
      core.commits.tell(() => {
        this.#outlet.tellValues(subscriber, core.commits, isTelling)
      })
    })
    this.#core = core
    this.#compute = compute
    this.#outlet = new Outlet(undefined, this.#state)
    this.snapshot$ = new Observable(subscriber => {
      const { isTelling } = core.commits
      subscriber.add(this.#watchers.hold())
      core.commits.tell(() => {
        this.#outlet.tellSnapshots(subscriber, core.commits, isTelling)
      })
    })
    this.#watchers = new Refcount(() => {
      core.assertAlive()
      core.commits.dependents.add(this)
      this.#holdMembers()
      return () => {
        core.commits.dependents.delete(this)
        for (const release of this.#held.values()) release()
        this.#held.clear()
      }
    })
  }

  get snapshot(): Snapshot<T> {
    this.#evaluate()
    return this.#state
  }

  get [isAwaitedKey](): boolean {
    return [...this.#seen.keys()].some(store => isAwaitedKey in store && store[isAwaitedKey])
  }

  get [recentFailureKey](): boolean {
    this.#core.assertAlive()
    if (this.snapshot.status !== 'failed') return false
    const failed = [...this.#seen].filter(([, { status }]) => status === 'failed').map(([store]) => store)
    // What `compute` throws, it throws again, however often the members are loaded.
    return failed.length === 0 || failed.some(store => recentFailureKey in store && store[recentFailureKey] === true)
  }

  get(options: ReadOptions & { readonly maxAgeMillis?: number } = {}): Promise<T> {
    return this.#settle(store => store.get(options), options)
  }

  refresh(options: ReadOptions = {}): Promise<T> {
    return this.#settle(store => store.refresh(options), options)
  }

  listen(callback: () => void): () => void {
    const release = this.#watchers.hold()
    const listener = this.#outlet.add(callback, this.#core.commits)
    return () => {
      this.#outlet.remove(listener)
      release()
    }
  }

  take(): boolean {
    const before = this.#state
    this.#evaluate()
    // What it depends on now is watched once this commit is told.
    this.#core.commits.after(() => {
      this.#holdMembers()
    })
    return this.#state !== before
  }

  tell(): void {
    this.#outlet.tell(this.#core.onUnhandled)
  }

  async #settle(load: (store: Store<unknown>) => Promise<unknown>, { signal }: ReadOptions): Promise<T> {
    const release = this.#watchers.hold()
    try {
      const loaded = new Set<Store<unknown>>()
      for (;;) {
        this.#evaluate()
        const missing = [...this.#seen.keys()].filter(store => !loaded.has(store))
        if (missing.length === 0) break
        await Promise.all(missing.map(load))
        for (const store of missing) loaded.add(store)
      }
      signal?.throwIfAborted()
      if (this.#state.status === 'ready') return this.#state.value
      throw this.#state.status === 'failed' ? this.#state.error : toAuthError(new Error('no value'))
    } finally {
      release()
    }
  }

  #evaluate(): void {
    const seen = this.#seen
    if (
      (seen.size > 0 || this.#state !== pending) &&
      [...seen].every(([store, snapshot]) => store.snapshot === snapshot)
    )
      return
    // Half of what a write has changed is not shown; the other half is being loaded.
    if (this.#state.status === 'ready' && this[isAwaitedKey]) return
    this.#seen = new Map()
    const next = this.#snapshotNow()
    this.#state = sameSnapshot(this.#state, next)
    this.#outlet.take(this.#state)
  }

  #snapshotNow(): Snapshot<T> {
    const before = this.#state
    try {
      const value = this.#compute(store => this.#read(store))
      const ready = [...this.#seen.values()].filter(snapshot => snapshot.status === 'ready')
      const now = this.#core.clock.now()
      const error = ready.find(snapshot => snapshot.error)?.error
      return {
        status: 'ready',
        value: before.status === 'ready' ? share(before.value, value) : value,
        fetchedAt: new Date(Math.min(now, ...ready.map(snapshot => snapshot.fetchedAt.getTime()))),
        refreshing: ready.some(snapshot => snapshot.refreshing),
        unconfirmed: ready.reduce((sum, snapshot) => sum + snapshot.unconfirmed, 0),
        ...(error && { error }),
      }
    } catch (error) {
      if (error instanceof NotReady) return error.snapshot
      return {
        status: 'failed',
        error: toAuthError(error),
        failedAt: new Date(this.#core.clock.now()),
        refreshing: false,
      }
    }
  }

  #read<V>(store: Store<V>): V {
    const { snapshot } = store
    this.#seen.set(store, snapshot)
    if (snapshot.status === 'ready') return snapshot.value
    throw new NotReady(snapshot)
  }

  /** Watches what it depends on, and no longer what it does not. The new ones first, so that shared cells stay. */
  #holdMembers(): void {
    // Watching one may commit, and ask for this again: the run under way sees to it.
    if (this.#isHolding || !this.#watchers.isHeld) return
    this.#isHolding = true
    try {
      this.#evaluate()
      for (let missing = this.#missing(); missing; missing = this.#missing()) {
        this.#held.set(missing, missing.listen(ignore))
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

  #missing(): Store<unknown> | undefined {
    return [...this.#seen.keys()].find(store => !this.#held.has(store))
  }
}

/** Its commits are what tells a derived store. */
function ignore(): void {
  // Nothing to do here.
}
