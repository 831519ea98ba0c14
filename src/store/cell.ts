import { Refcount } from '../core/refcount'
import type { AnyAuthError } from '../errors/auth-error'
import { sessionChanged } from '../session/identity'
import type { Member } from './commit'
import type { Source } from './definition'
import type { Core } from './kit'
import { Known } from './known'
import { Loader } from './loader'
import { Outlet } from './outlet'
import type { Project } from './outlet'
import { pending, sameSnapshot, toAuthError } from './snapshot'
import type { Snapshot } from './snapshot'
import type { Write } from './write'

/** Spec §9: how long a cell lives on after its last subscriber. */
const idleMillis = 5_000
/** How old a value may be to be served without asking the platform. */
export const defaultMaxAgeMillis = 5_000

/** The cached value of one store, and everybody who looks at it. */
export class Cell implements Member {
  readonly source: Source
  readonly input: object
  /** What is committed; what outlets tell. */
  state: Snapshot<unknown> = pending
  /** When a write last touched it; compared with when other writes began. */
  writtenAt = 0

  readonly #core: Core
  readonly #known = new Known()
  readonly #loader: Loader<unknown>
  readonly #watchers: Refcount
  readonly #outlets = new Map<unknown, Outlet<unknown, unknown>>()
  readonly #leave: () => void
  #loadedAt = 0
  #cancelIdle: (() => void) | undefined

  constructor(core: Core, source: Source, input: object, leave: () => void) {
    this.#core = core
    this.source = source
    this.input = input
    this.#leave = leave
    this.#watchers = new Refcount(() => core.cells.watch(this))
    this.#loader = new Loader({
      clock: core.clock,
      isWatched: () => this.isWatched,
      load: (signal, onBackoff) => this.#load(signal, onBackoff),
      begun: () => {
        this.#loadedAt = core.cells.tick()
        this.#commit('load', () => undefined)
      },
      loaded: value => {
        this.#commit('loaded', () => {
          this.#known.setValue(value, this.#now())
        })
      },
      failed: error => {
        this.#commit('load failed', () => {
          this.#known.setFailure(error, this.#now())
        })
      },
      idle: () => {
        this.#rest(true)
      },
    })
    if (this.#isSignedOut) {
      this.#known.setValue(source.signedOut, this.#now())
      this.take()
    }
  }

  get name(): string {
    return this.source.key
  }

  get isWatched(): boolean {
    return this.#watchers.isHeld
  }

  /** Whether it belongs to the session, and goes with it. */
  get isOwned(): boolean {
    return this.source.ownedBy === 'session'
  }

  get #isSignedOut(): boolean {
    return this.isOwned && this.#core.session.identity.kind === 'signed-out'
  }

  /** Whether the value may be served without asking the platform. */
  isFresh(maxAgeMillis = defaultMaxAgeMillis): boolean {
    return this.#known.isFresh(this.#core.clock.now(), maxAgeMillis)
  }

  /** The cell's face for one view; the cell's own for none. */
  outlet<T>(view: Project<unknown, T>): Outlet<unknown, T> {
    const found = this.#outlets.get(view) ?? new Outlet<unknown, unknown>(view, this.state)
    this.#outlets.set(view, found)
    // What is kept under a view was made by that view.
    return found as Outlet<unknown, T>
  }

  /** Somebody watches from now on, until the returned function is called. */
  retain(): () => void {
    const known = this.#known
    const isGood = this.isWatched ? known.hasValue && !known.isStale && !known.hasFailed : this.isFresh()
    this.#cancelIdle?.()
    this.#cancelIdle = undefined
    const release = this.#watchers.hold()
    if (!isGood) this.#loader.ask(false)
    return () => {
      const wasWatched = this.isWatched
      release()
      if (!wasWatched || this.isWatched) return
      if (this.#loader.callOff()) known.isStale = true
      this.#rest(true)
    }
  }

  /** Served without a load. That extends no idle life, but a cell made for it has one too. */
  serve(): void {
    this.#rest(false)
  }

  /** The value of a load: one under way, or for `anew` one that starts from now on. */
  load(anew: boolean, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#loader.wait(anew, signal)
  }

  /** Loads if somebody watches and the value is no longer fresh. */
  revive(): void {
    if (this.isWatched && !this.isFresh()) this.#loader.ask(false)
  }

  /** A write that was answered at `since` has touched this entity: what was loaded before is out of date. */
  invalidate(since: number): Promise<void> | undefined {
    // Begun after the write was answered: a sign-in has emptied the cell, and it loads already.
    if (this.#loadedAt > since) return this.#loader.isRunning && this.isWatched ? this.#loader.settle(false) : undefined
    this.#known.isStale = true
    this.#loader.outdate()
    return this.isWatched ? this.#loader.settle(true) : undefined
  }

  /** Shows a write before the platform has answered it. Nothing to show it on: nothing happens. */
  lay(write: Write, change: (value: unknown) => unknown): void {
    if (!this.isWatched || !this.#known.hasValue) return
    this.#known.lay(write, change)
    this.#core.commits.touch(this)
  }

  lift(write: Write): void {
    if (this.#known.lift(write)) this.#core.commits.touch(this)
  }

  /** Takes what an answer tells. False: there is nothing that it could be told to, or the change threw. */
  write(change: (value: unknown) => unknown): boolean {
    if (!this.#known.hasValue) return false
    try {
      this.#known.changeValue(change, this.#now())
    } catch (error) {
      this.#core.onUnhandled(toAuthError(error))
      return false
    }
    this.#loader.outdate()
    this.#core.commits.touch(this)
    return true
  }

  /** Another identity: nothing of the old one stays, nobody waits for it any longer. Part of a commit. */
  reset(): void {
    this.#known.forget()
    this.writtenAt = 0
    this.#loader.reset(sessionChanged())
    if (this.#isSignedOut) this.#known.setValue(this.source.signedOut, this.#now())
    else if (this.isWatched) this.#loader.ask(false)
    this.#core.commits.touch(this)
    this.#rest(true)
  }

  /** The end of the kit. */
  dispose(error: AnyAuthError): void {
    this.#loader.reset(error)
    this.#cancelIdle?.()
    this.#watchers.end()
    this.#leave()
    for (const outlet of this.#outlets.values()) outlet.end(this.#known.hasValue ? undefined : error)
  }

  take(): boolean {
    const next = this.#known.snapshot(this.state, this.#loader.isRunning, this.#core.onUnhandled)
    const before = this.state
    this.state = sameSnapshot(before, next)
    if (this.state === before) return false
    for (const outlet of this.#outlets.values()) outlet.take(this.state)
    return true
  }

  tell(): void {
    for (const outlet of this.#outlets.values()) outlet.tell(this.#core.onUnhandled)
  }

  async #load(signal: AbortSignal, onBackoff: () => void): Promise<unknown> {
    const { session, kit } = this.#core
    const owner = this.isOwned ? await session.capture() : undefined
    if (owner?.kind === 'signed-out') return this.source.signedOut
    // A cell's input is what its own source has normalised.
    return this.source.load(kit, this.input as never, { signal, owner, onBackoff })
  }

  #commit(cause: string, change: () => void): void {
    this.#core.commits.run(cause, () => {
      change()
      this.#core.commits.touch(this)
    })
  }

  #now(): Date {
    return new Date(this.#core.clock.now())
  }

  /** Unused, it has 5 s to live; `anew`: counted from now, whatever was left. */
  #rest(anew: boolean): void {
    if (this.isWatched || this.#loader.isBusy || (this.#cancelIdle && !anew)) return
    this.#cancelIdle?.()
    this.#cancelIdle = this.#core.clock.setTimeout(
      () => {
        this.#cancelIdle = undefined
        // A load that has begun meanwhile rests the cell anew when it is through.
        if (!this.isWatched && !this.#loader.isBusy) this.#leave()
      },
      idleMillis,
      { keepAlive: false },
    )
  }
}
