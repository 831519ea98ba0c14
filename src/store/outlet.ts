import { BehaviorSubject } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { reuseEqualParts } from '../core/equal'
import { toAuthError } from '../errors/auth-error'
import { Audience } from './audience'
import type { Commits } from './commit'
import type { Snapshot } from './snapshot'
import { pending, sameSnapshot } from './snapshot'

/** The projection of a view; absent: the value itself. */
export type Projection<S, T> = ((value: S) => T) | undefined

/** The emissions of a cell for one view, or for the cell itself. All subscribers and listeners are notified by an outlet. */
export class Outlet<S, T> {
  snapshot: Snapshot<T>
  /** Called once by every watcher when it unsubscribes. */
  readonly release: () => void

  readonly #snapshots$: BehaviorSubject<Snapshot<T>>
  readonly #audience = new Audience<T>()

  readonly #project: Projection<S, T>
  readonly #listeners = new Set<() => void>()
  /** Listeners added during notification. */
  readonly #joining = new Set<() => void>()
  #source: Snapshot<S>

  constructor(project: Projection<S, T>, source: Snapshot<S>, release: () => void) {
    this.release = release
    this.#project = project
    this.#source = source
    this.snapshot = this.#view(source, undefined)
    this.#snapshots$ = new BehaviorSubject(this.snapshot)
  }

  /** Emits the value, if there is one, and each different one from the next commit on; `isNested` as in `tellSnapshots`. */
  tellValues(subscriber: Subscriber<T>, commits: Commits, isNested: boolean): void {
    const audience = this.#audience
    const seat = audience.seat(subscriber, this.release)
    if (this.snapshot.status === 'ready') subscriber.next(this.snapshot.value)
    if (isNested)
      commits.join(() => {
        audience.add(seat)
      })
    else audience.add(seat)
  }

  /** Emits the snapshot and every later one. `isNested`: subscribed during a notification. */
  tellSnapshots(subscriber: Subscriber<Snapshot<T>>, commits: Commits, isNested: boolean): void {
    const { release } = this
    subscriber.add(release)
    if (!isNested) {
      this.#snapshots$.subscribe(subscriber)
      return
    }
    // The subject does not have the committed snapshot yet, or is about to emit it a second time.
    subscriber.next(this.snapshot)
    commits.join(() => {
      let isKnown = true
      const next = (snapshot: Snapshot<T>) => {
        if (!isKnown) subscriber.next(snapshot)
        isKnown = false
      }
      const complete = () => {
        subscriber.complete()
      }
      if (!subscriber.closed) subscriber.add(this.#snapshots$.subscribe({ next, complete }))
    })
  }

  /** Calls back after each commit that changes the snapshot, until the returned function is called, which also releases. */
  listen(callback: () => void, commits: Commits): () => void {
    const listeners = this.#listeners
    const joining = this.#joining
    // Wrapped only if already registered, so that each of many listeners stays cheap.
    const listener =
      listeners.has(callback) || joining.has(callback)
        ? () => {
            callback()
          }
        : callback
    if (commits.isTelling) {
      joining.add(listener)
      commits.join(() => joining.delete(listener) && listeners.add(listener))
    } else listeners.add(listener)
    return this.#stopOf(listener)
  }

  /**
   * In a scope of its own, so that the closure holds nothing else. The same callback may be registered again when it is
   * called.
   */
  #stopOf(listener: () => void): () => void {
    let present: (() => void) | undefined = listener
    return () => {
      if (!present) return
      this.#listeners.delete(present)
      this.#joining.delete(present)
      present = undefined
      this.release()
    }
  }

  /** Whether the snapshot has changed since the last notification. */
  get hasNews(): boolean {
    return this.#snapshots$.value !== this.snapshot
  }

  /** Takes the cell's new state without notifying. */
  take(source: Snapshot<S>): void {
    if (source === this.#source) return
    this.#source = source
    this.snapshot = sameSnapshot(this.snapshot, this.#view(source, this.snapshot))
  }

  /** Notifies of the change since the last time. */
  tell(onThrow: (error: unknown) => void): void {
    const before = this.#snapshots$.value
    const now = this.snapshot
    if (before === now) return
    for (const listener of this.#listeners)
      try {
        listener()
      } catch (error) {
        onThrow(error)
      }
    this.#snapshots$.next(now)
    if (now.status === 'ready') {
      if (before.status !== 'ready' || !Object.is(before.value, now.value)) this.#audience.next(now.value)
    } else if (now.status === 'failed' && !(before.status === 'failed' && before.failedAt === now.failedAt)) {
      // Only subscribers without a value of this identity are left here.
      this.#audience.fail(now.error)
    }
  }

  /** Ends all notifications; `error` goes to subscribers that still wait for a value. */
  end(error: unknown): void {
    this.snapshot = pending
    this.#listeners.clear()
    this.#audience.end(error)
    this.#snapshots$.complete()
  }

  #view(source: Snapshot<S>, previous: Snapshot<T> | undefined): Snapshot<T> {
    const project = this.#project
    // Without a projection, S and T are the same type.
    if (!project) return source as unknown as Snapshot<T>
    if (source.status !== 'ready') return source
    try {
      const value = project(source.value)
      return { ...source, value: previous?.status === 'ready' ? reuseEqualParts(previous.value, value) : value }
    } catch (error) {
      return { status: 'failed', error: toAuthError(error), failedAt: source.fetchedAt, refreshing: source.refreshing }
    }
  }
}
