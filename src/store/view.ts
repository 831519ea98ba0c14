import { BehaviorSubject, type Subscriber, type Unsubscribable } from 'rxjs'
import { reuseEqualParts } from '../core/values'
import { toAuthError } from '../errors/auth-error'
import { sessionChanged } from '../session/identity'
import type { Commits } from './commit'
import { isKnown, pending, sameSnapshot, type Snapshot } from './snapshot'

/** The projection of a view; absent: the value itself. */
export type Projection<S, T> = ((value: S) => T) | undefined

/** The value of a store, or a projection of it, with all subscribers to it. */
export class View<S, T> {
  snapshot: Snapshot<T>
  readonly #commits: Commits
  readonly #project: Projection<S, T>
  /** Called once by each who leaves. */
  readonly #release: () => void
  readonly #listeners = new Set<() => void>()
  /** Head of the row of subscribers to its values. */
  readonly #values = new Seat<T>(undefined, () => undefined)
  /** The snapshot of the last notification. */
  readonly #state$: BehaviorSubject<Snapshot<T>>
  #source: Snapshot<S>

  constructor(commits: Commits, project: Projection<S, T>, source: Snapshot<S>, release: () => void) {
    this.#commits = commits
    this.#project = project
    this.#source = source
    this.#release = release
    this.snapshot = this.#view(source, undefined)
    this.#state$ = new BehaviorSubject(this.snapshot)
  }

  /** The value, or throws the reason for its absence. A value just loaded is pending only if the identity has changed. */
  get value(): T {
    const { snapshot } = this
    if (isKnown(snapshot)) return snapshot.value
    throw snapshot.status === 'failed' ? snapshot.error : sessionChanged()
  }

  /** Calls back after each commit that changes the snapshot, until the returned function is called. */
  listen(callback: () => void): () => void {
    const listeners = this.#listeners
    const { isPublishing: isTelling, joining } = this.#commits
    // Wrapped only if the set could not tell two apart, so that each of many listeners stays cheap.
    const listener =
      isTelling || listeners.has(callback)
        ? () => {
            callback()
          }
        : callback
    const stop = this.#stopOf(listener)
    if (!isTelling) {
      listeners.add(listener)
      return stop
    }
    let isThere = true
    joining.push({ join: () => isThere && listeners.add(listener) })
    return () => {
      isThere = false
      stop()
    }
  }

  /** In a scope of its own, so that the closure holds nothing else. */
  #stopOf(listener: () => void): () => void {
    let present: (() => void) | undefined = listener
    return () => {
      if (!present) return
      this.#listeners.delete(present)
      present = undefined
      this.#release()
    }
  }

  /** Emits the value, if there is one, and each different one; `joins`: at once, since no others are being told. */
  emitValues(subscriber: Subscriber<T>, joins: boolean): void {
    const { snapshot } = this
    const seat = new Seat(subscriber, this.#release)
    subscriber.add(seat)
    // A subscriber that comes during a notification gets the present value here, and later ones from the next commit on.
    if (joins) seat.join(this.#values)
    else this.#commits.joining.push({ join: () => seat.join(this.#values) })
    if (snapshot.status === 'ready') subscriber.next(snapshot.value)
  }

  /** Emits the snapshot and every later one. */
  emitSnapshots(subscriber: Subscriber<Snapshot<T>>): void {
    let known: Snapshot<T> | undefined
    const release = this.#release
    subscriber.add(release)
    subscriber.add(
      this.#state$.subscribe({
        next: snapshot => {
          // `#state$` may still hold the snapshot of the commit before; the subscriber gets the present one first.
          const now = known ? snapshot : this.snapshot
          if (now !== known) subscriber.next((known = now))
        },
        complete: () => {
          subscriber.complete()
        },
      }),
    )
  }

  /** Whether the snapshot has changed since the last notification. */
  get hasNews(): boolean {
    return this.#state$.value !== this.snapshot
  }

  /** Takes the cell's new state without notifying. */
  take(source: Snapshot<S>): void {
    if (source === this.#source) return
    this.#source = source
    this.snapshot = sameSnapshot(this.snapshot, this.#view(source, this.snapshot))
  }

  tell(onThrow: (error: unknown) => void): void {
    const before = this.#state$.value
    const now = this.snapshot
    if (now === before) return
    for (const listener of this.#listeners)
      try {
        listener()
      } catch (error) {
        onThrow(error)
      }
    this.#state$.next(now)
    if (now.status === 'ready') {
      if (before.status !== 'ready' || !Object.is(before.value, now.value))
        // A seat that was left meanwhile still leads to the next.
        for (let seat = this.#values.after; seat !== this.#values; seat = seat.after) seat.subscriber?.next(now.value)
    } else if (now.status === 'failed' && !(before.status === 'failed' && before.failedAt === now.failedAt))
      // A cell fails only without a value, so each subscriber here still waits for its first one.
      for (const subscriber of this.#values.all) subscriber.error(now.error)
  }

  /** Ends all notifications; `error` goes to those that still wait for a value. */
  end(error: unknown): void {
    this.snapshot = pending
    // Subscribers that have come while others were told, too.
    this.#commits.join()
    this.#listeners.clear()
    for (const subscriber of this.#values.all)
      if (error === undefined) subscriber.complete()
      else subscriber.error(error)
    this.#state$.complete()
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

/** A place in a row of subscribers: one object for each, since there may be thousands. */
class Seat<T> implements Unsubscribable {
  readonly subscriber: Subscriber<T> | undefined
  before: Seat<T> = this
  after: Seat<T> = this
  readonly #release: () => void

  constructor(subscriber: Subscriber<T> | undefined, release: () => void) {
    this.subscriber = subscriber
    this.#release = release
  }

  /** All subscribers of the row, from its head. */
  get all(): Subscriber<T>[] {
    const all: Subscriber<T>[] = []
    for (let seat = this.after; seat !== this; seat = seat.after) if (seat.subscriber) all.push(seat.subscriber)
    return all
  }

  join(head: Seat<T>): void {
    if (this.subscriber?.closed) return
    this.before = head.before
    this.after = head
    head.before = head.before.after = this
  }

  /** Called once, by RxJS. */
  unsubscribe(): void {
    this.before.after = this.after
    this.after.before = this.before
    this.#release()
  }
}
