import { BehaviorSubject } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { share } from '../core/equal'
import { toAuthError } from '../errors/auth-error'
import { Audience } from './audience'
import type { Commits } from './commit'
import type { Snapshot } from './snapshot'
import { pending, sameSnapshot } from './snapshot'

/** What a view makes of a value; absent: the value itself. */
export type Project<S, T> = ((value: S) => T) | undefined

/** One face of a cell: the cell's own, or what a view makes of it. Everybody who is told is told by an outlet. */
export class Outlet<S, T> {
  snapshot: Snapshot<T>
  /** Whoever is told something watches, and calls this once when it goes. */
  readonly leave: () => void

  readonly #snapshots$: BehaviorSubject<Snapshot<T>>
  readonly #audience = new Audience<T>()

  readonly #project: Project<S, T>
  readonly #listeners = new Set<() => void>()
  /** Those who have come while somebody was being told. */
  readonly #joining = new Set<() => void>()
  #source: Snapshot<S>

  constructor(project: Project<S, T>, source: Snapshot<S>, leave: () => void) {
    this.leave = leave
    this.#project = project
    this.#source = source
    this.snapshot = this.#view(source, undefined)
    this.#snapshots$ = new BehaviorSubject(this.snapshot)
  }

  /** Gives the value, if there is one, and from the next commit on each different one; `isNested` as in `tellSnapshots`. */
  tellValues(subscriber: Subscriber<T>, commits: Commits, isNested: boolean): void {
    const audience = this.#audience
    const seat = audience.seat(subscriber, this.leave)
    if (this.snapshot.status === 'ready') subscriber.next(this.snapshot.value)
    if (isNested)
      commits.join(() => {
        audience.add(seat)
      })
    else audience.add(seat)
  }

  /** Gives the snapshot and every later one. `isNested`: asked for by somebody who was just being told something. */
  tellSnapshots(subscriber: Subscriber<Snapshot<T>>, commits: Commits, isNested: boolean): void {
    const { leave } = this
    subscriber.add(leave)
    if (!isNested) {
      this.#snapshots$.subscribe(subscriber)
      return
    }
    // The subject has not been told yet what is committed already, or tells it a second time.
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

  /** Calls back after each commit that changes the snapshot, until the returned function is called, which leaves too. */
  listen(callback: () => void, commits: Commits): () => void {
    const listeners = this.#listeners
    const joining = this.#joining
    // Wrapped only if it listens already, since many listen and each should cost little.
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

  /** Made in a scope of its own, so that it holds nothing else. The same callback may listen anew when it is called again. */
  #stopOf(listener: () => void): () => void {
    let present: (() => void) | undefined = listener
    return () => {
      if (!present) return
      this.#listeners.delete(present)
      this.#joining.delete(present)
      present = undefined
      this.leave()
    }
  }

  /** Whether there is something that nobody has been told. */
  get hasNews(): boolean {
    return this.#snapshots$.value !== this.snapshot
  }

  /** Takes the cell's new state without telling anybody. */
  take(source: Snapshot<S>): void {
    if (source === this.#source) return
    this.#source = source
    this.snapshot = sameSnapshot(this.snapshot, this.#view(source, this.snapshot))
  }

  /** Tells everybody what has changed since the last time. */
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
      // Whoever waits here has received no value of this identity.
      this.#audience.fail(now.error)
    }
  }

  /** Nobody is told any more; `error`: those who still wait for a value get it. */
  end(error: unknown): void {
    this.snapshot = pending
    this.#listeners.clear()
    this.#audience.end(error)
    this.#snapshots$.complete()
  }

  #view(source: Snapshot<S>, previous: Snapshot<T> | undefined): Snapshot<T> {
    const project = this.#project
    // Without a projection S and T are the same type.
    if (!project) return source as unknown as Snapshot<T>
    if (source.status !== 'ready') return source
    try {
      const value = project(source.value)
      return { ...source, value: previous?.status === 'ready' ? share(previous.value, value) : value }
    } catch (error) {
      return { status: 'failed', error: toAuthError(error), failedAt: source.fetchedAt, refreshing: source.refreshing }
    }
  }
}
