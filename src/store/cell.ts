import { millisSince, momentOf } from '../core/clock'
import { Refcount } from '../core/refcount'
import { toAuthError, type AnyAuthError } from '../errors/auth-error'
import { sessionChanged } from '../session/identity'
import type { Participant } from './commit'
import type { KitParts } from './kit'
import { KnownValue, type ValueChange } from './known'
import { Loads, type LoadOutcome } from './loads'
import { pending, sameSnapshot, type Snapshot } from './snapshot'
import type { Source } from './source'
import { View, type Projection } from './view'

/** The greatest age of a value that is returned without a request. */
export const defaultMaxAgeMillis = 5_000
/** How long a cell lives on after its last watcher. */
const idleMillis = 5_000
/** How long a component may take to show what it has awaited: React delays what follows a fallback. */
const servedMillis = 1_000

/** Where a cell is kept. */
export interface CellHome {
  /** Called when a cell gets its first watcher; returns a function to call when the last is gone. */
  onRetained(cell: Cell): () => void
  /** Numbers the loads and answers of a kit in order. */
  tick(): number
}

/** The cached value of one store: what is known of it, its loads, and its views. */
export class Cell extends Loads implements Participant {
  readonly name: string
  /** Whether it belongs to the session and is dropped with it. */
  readonly isOwned: boolean
  readonly known = new KnownValue()
  /** The committed snapshot, which views show. */
  state: Snapshot<unknown> = pending
  /** The tick of the last answer that changed it, compared with the ticks at which writes began. */
  changedAtTick = 0
  /** A write has started a load that has neither settled nor had to retry. */
  isAwaited = false
  /** When `get()` last returned its value, in monotonic time. */
  #servedAt = -Infinity
  /** The store that was first used, by its projection. */
  readonly handles = new Map<unknown, object>()
  readonly #end: () => void
  readonly #views = new Map<unknown, View<unknown, unknown>>()
  readonly #watchers: Refcount
  /** When its idle time began, in monotonic time. */
  restsSince = 0
  #cancelEnd: (() => void) | undefined

  constructor(core: KitParts, home: CellHome, source: Source, input: object, end: () => void) {
    super(core, source, input, () => home.tick())
    this.name = source.key
    this.isOwned = source.ownedBy === 'session'
    this.#end = end
    this.#watchers = new Refcount(() => home.onRetained(this))
    // The session of the last commit: what is read while watchers are told is of one commit.
    if (this.isOwned && core.committedSession.kind === 'signed-out') {
      this.#setValue(source.signedOut)
      this.take()
    }
  }

  get isWatched(): boolean {
    return this.#watchers.isHeld
  }

  get watchers(): number {
    return this.#watchers.count
  }

  /** The value is neither stale nor followed by a failure, at any age. */
  get isGood(): boolean {
    const { base, failure, isStale } = this.known
    return base !== undefined && !isStale && !failure
  }

  /** Whether the value may be returned without a request. */
  isFresh(maxAgeMillis = defaultMaxAgeMillis): boolean {
    const { base } = this.known
    return this.isGood && base !== undefined && millisSince(base.fetchedAt, this.core.clock) <= maxAgeMillis
  }

  /** Whether `get()` has just returned the value, so that its owner is known. */
  get returnedByGet(): boolean {
    // The time is read only then: a page that a build renders must not read it.
    return this.#servedAt > -Infinity && this.core.clock.monotonic() - this.#servedAt <= servedMillis
  }

  /** The view with this projection. */
  view<T>(project: Projection<unknown, T>): View<unknown, T> {
    let view = this.#views.get(project)
    if (!view)
      this.#views.set(
        project,
        (view = new View<unknown, unknown>(this.core.commits, project, this.state, this.#release)),
      )
    // The view under a projection was made with it.
    return view as View<unknown, T>
  }

  /**
   * Counts a watcher, until its view counts it out, and starts a load if the value is not good. `reading` resolves when the
   * owner of the value is known; it emits nothing to present watchers.
   */
  retain(reading: Promise<void> | undefined, asks: boolean): void {
    if (reading && !this.isWatched && this.known.base && !this.returnedByGet) this.#hide(reading)
    const isGood = this.isWatched ? this.isGood : this.isFresh()
    this.#cancelEnd?.()
    this.#cancelEnd = undefined
    this.#watchers.retain()
    if (asks && !isGood) this.ask(false)
  }

  readonly #release = (): void => {
    this.core.clock.tap.tell?.({ in: 'leave', of: this })
    this.#watchers.release()
    if (this.isWatched) return
    if (this.dropStart()) this.known.isStale = true
    this.#rest(true)
  }

  /** `get()` returned the value. This does not extend the idle time, but starts it for a cell created by `get()`. */
  noteReturned(): void {
    this.#servedAt = this.core.clock.monotonic()
    this.#unhide()
    this.#rest(false)
  }

  /** Loads if the cell is watched and its value is not fresh. The age counts from the start of the load: an answer may take long. */
  refreshIfStale(maxAgeMillis = defaultMaxAgeMillis): void {
    const age = this.core.clock.monotonic() - this.began
    if (!this.isWatched || this.isPutOff) return
    if (!(this.isFresh(maxAgeMillis) && (age <= maxAgeMillis || age === Infinity))) this.ask(false)
  }

  /** A write that ended at `since` has changed the entity: earlier loads are out of date, and a watched cell loads again. */
  invalidate(since: number): Promise<void> | undefined {
    this.changedAtTick = since
    // A load that began after the answer needs no repeat, as after a sign-in, which has reset the cell.
    if (this.loadedAt > since) return this.isLoading && this.isWatched ? this.settled() : undefined
    this.known.isStale = true
    this.outdate()
    if (!this.isWatched) return undefined
    this.isAwaited = true
    return this.settled()
  }

  /** Applies the value in an answer. False: there is no value to apply it to, or the change threw. */
  write(change: ValueChange, answered: number): boolean {
    if (!this.known.base) return false
    this.changedAtTick = answered
    try {
      this.known.change(change, this.core.clock)
    } catch (error) {
      this.core.onUnhandled(toAuthError(error))
      return false
    }
    this.outdate()
    this.core.commits.touch(this)
    return true
  }

  /**
   * Drops the value and rejects its callers, for another identity or another reason. `endedElsewhere`: the session
   * has ended without a `signOut` here, and waiting callers resolve to the signed-out value; else they reject. Part of a commit.
   */
  reset(reason: AnyAuthError = sessionChanged(), endedElsewhere = false): void {
    const { signedOut } = this.source
    this.known.forget()
    this.changedAtTick = 0
    this.isAwaited = false
    this.dismiss(endedElsewhere ? { value: signedOut } : { error: reason }, reason)
    if (this.isOwned && this.core.session.identity.kind === 'signed-out') this.#setValue(signedOut)
    else if (this.isWatched) this.ask(false)
    this.core.commits.touch(this)
    this.#rest(true)
  }

  /** Ends it now, not after its idle time. False: it is in use. */
  endIfUnused(): boolean {
    if (this.isWatched || this.isBusy) return false
    this.#cancelEnd?.()
    this.#end()
    return true
  }

  /** For the disposal of the kit. */
  dispose(error: AnyAuthError): void {
    this.dismiss({ error }, error)
    this.#cancelEnd?.()
    this.#watchers.end()
    this.#end()
    for (const view of this.#views.values()) view.end(this.known.base ? undefined : error)
  }

  take(): boolean {
    const before = this.state
    const isHeld = this.isOwned && this.core.committedSession.held
    this.state = isHeld ? pending : sameSnapshot(before, this.#snapshot(before))
    if (this.state === before) return false
    for (const view of this.#views.values()) view.take(this.state)
    return true
  }

  tell(): void {
    for (const view of this.#views.values()) view.tell(this.core.onUnhandled)
  }

  #snapshot(before: Snapshot<unknown>): Snapshot<unknown> {
    const { onUnhandled, session } = this.core
    const show: ValueChange = value => this.source.shown?.(value, session.identity) ?? value
    return this.known.shown(before, this.isLoading, show, onUnhandled)
  }

  #setValue(value: unknown): void {
    this.known.setValue(value, momentOf(this.core.clock))
  }

  #hide(reading: Promise<void>): void {
    this.commit('read tokens', () => (this.known.isHidden = true))
    const forget = () => {
      if (!this.known.isHidden) return
      this.commit('tokens unavailable', () => {
        this.known.forget()
      })
      // The load reports the error.
      this.ask(false)
    }
    reading.then(() => {
      this.#unhide()
    }, forget)
  }

  #unhide(): void {
    if (this.known.isHidden) this.commit('tokens read', () => (this.known.isHidden = false))
  }

  /** Starts the 5 s of an unused cell, whose timer keeps no process running; `anew`: from now, whatever was left. */
  #rest(anew: boolean): void {
    if (this.isWatched || this.core.session.ended.aborted || (this.#cancelEnd && !anew)) return
    this.#cancelEnd?.()
    this.restsSince = this.core.clock.monotonic()
    this.#cancelEnd = this.core.clock.setTimeout(
      () => {
        this.#cancelEnd = undefined
        // A load that has started meanwhile restarts the idle time when it ends.
        this.endIfUnused()
      },
      idleMillis,
      { keepAlive: false },
    )
  }

  loaded(outcome: LoadOutcome | undefined): void {
    this.isAwaited = false
    if (!outcome) return
    if ('error' in outcome) this.known.setFailure(outcome.error, new Date(this.core.clock.now()))
    else {
      this.changedAtTick = this.tick()
      this.#setValue(outcome.value)
      this.source.heard?.(this.core.kit, outcome.value)
    }
  }

  /** A load that was called off changes only the flag that it runs. */
  rested(): void {
    this.commit('idle')
    this.#rest(true)
  }

  protected commit(cause: string, change?: () => unknown): void {
    const { commits } = this.core
    commits.run(cause, () => {
      change?.()
      commits.touch(this)
    })
  }
}
