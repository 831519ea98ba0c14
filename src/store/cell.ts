import { Refcount } from '../core/refcount'
import type { AnyAuthError } from '../errors/auth-error'
import { sessionChanged } from '../session/identity'
import type { Member } from './commit'
import type { Source } from './definition'
import type { Core } from './kit'
import { Idle } from './idle'
import { defaultMaxAgeMillis, Known } from './known'
import { load } from './load'
import { Loader } from './loader'
import type { Outlet, Project } from './outlet'
import { Outlets } from './outlets'
import { pending, sameSnapshot, toAuthError } from './snapshot'
import type { Snapshot } from './snapshot'
import type { Write } from './write'

/** The cached value of one store, and everybody who looks at it. */
export class Cell implements Member {
  readonly name: string
  readonly source: Source
  readonly input: object
  /** Whether it belongs to the session, and goes with it. */
  readonly isOwned: boolean
  /** What is committed; what outlets tell. */
  state: Snapshot<unknown> = pending
  /** When an answer last told something about it; compared with when writes began. */
  toldAt = 0
  /** A write has started a load that has neither settled nor run into trouble. */
  isAwaited = false
  /** When `get()` has given its value last. */
  servedAt = -Infinity

  readonly #core: Core
  readonly #known = new Known()
  readonly #loader: Loader<unknown>
  readonly #watchers: Refcount
  readonly #outlets: Outlets
  readonly #end: () => void
  readonly #idle: Idle
  #loadedAt = 0

  constructor(core: Core, source: Source, input: object, end: () => void) {
    this.#core = core
    this.name = source.key
    this.source = source
    this.isOwned = source.ownedBy === 'session'
    this.input = input
    this.#end = end
    this.#idle = new Idle(core.clock, () => {
      // A load that has begun meanwhile rests the cell anew when it is through.
      if (!this.isWatched && !this.#loader.isBusy) end()
    })
    this.#watchers = new Refcount(() => core.cells.watch(this))
    this.#outlets = new Outlets(this.leave)
    this.#loader = new Loader({
      clock: core.clock,
      isWatched: () => this.isWatched,
      load: (signal, onBackoff) => load(core, this, signal, onBackoff),
      begun: () => {
        this.#loadedAt = core.cells.tick()
        this.#commit('load')
      },
      loaded: value => {
        this.toldAt = core.cells.tick()
        this.#settled('loaded', () => this.#known.setValue(value, this.#now()))
      },
      failed: error => this.#settled('load failed', () => this.#known.setFailure(error, this.#now())),
      waiting: () => this.#settled('waiting'),
      idle: () => {
        // A load that was called off has changed nothing, except that it no longer runs.
        this.#commit('idle')
        this.#rest(true)
      },
    })
    // As of the last commit, like everything else that can be read while subscribers are being told.
    if (this.isOwned && core.sessionState.kind === 'signed-out') {
      this.#known.setValue(source.signedOut, this.#now())
      this.take()
    }
  }

  get isWatched(): boolean {
    return this.#watchers.isHeld
  }

  /** For `inspect()`. */
  get use(): { readonly watchers: number; readonly isBusy: boolean } {
    return { watchers: this.#watchers.count, isBusy: this.#loader.isBusy }
  }

  /** Whether the value may be served without asking the platform. */
  isFresh(maxAgeMillis = defaultMaxAgeMillis): boolean {
    return this.#known.isFresh(this.#core.clock.now(), maxAgeMillis)
  }

  /** The cell's face for one view; the cell's own for none. */
  outlet<T>(view: Project<unknown, T>): Outlet<unknown, T> {
    return this.#outlets.of(view, this.state)
  }

  /**
   * Somebody watches from now on, until `leave` is called once for it, and asks for a load if the value is no good.
   * `reading`: whose value it is will be known when this has resolved; it tells nothing to those who watch already.
   */
  enter(reading: Promise<void> | undefined, asks = true): void {
    if (reading && !this.isWatched && this.#known.hasValue) this.#hide(reading)
    const isGood = this.isWatched ? this.#known.isGood : this.isFresh()
    this.#idle.cancel()
    this.#watchers.enter()
    if (asks && !isGood) this.#loader.ask(false)
  }

  /** One function for all who watch, since each may be called only once. */
  readonly leave = (): void => {
    if (!this.isWatched) return
    this.#watchers.leave()
    if (this.isWatched) return
    if (this.#loader.callOff()) this.#known.isStale = true
    this.#rest(true)
  }

  /** `get()` gives the value. That extends no idle life, but a cell made for it has one too. */
  serve(): void {
    this.servedAt = this.#core.clock.now()
    this.#show()
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
    this.toldAt = since
    // Begun after the write was answered: a sign-in has emptied the cell, and it loads already.
    if (this.#loadedAt > since) return this.#loader.isRunning && this.isWatched ? this.#loader.settle() : undefined
    this.#known.isStale = true
    this.#loader.outdate()
    if (!this.isWatched) return undefined
    this.isAwaited = true
    return this.#loader.settle()
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

  settle(write: Write): void {
    if (this.#known.settle(write)) this.#core.commits.touch(this)
  }

  /** Takes what an answer tells. False: there is nothing that it could be told to, or the change threw. */
  write(change: (value: unknown) => unknown, answered: number): boolean {
    if (!this.#known.hasValue) return false
    this.toldAt = answered
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
    this.toldAt = 0
    this.isAwaited = false
    this.#loader.reset(sessionChanged())
    if (this.#core.session.identity.kind === 'signed-out') this.#known.setValue(this.source.signedOut, this.#now())
    else if (this.isWatched) this.#loader.ask(false)
    this.#core.commits.touch(this)
    this.#rest(true)
  }

  /** The end of the kit. */
  dispose(error: AnyAuthError): void {
    this.#loader.reset(error)
    this.#idle.cancel()
    this.#watchers.end()
    this.#end()
    this.#outlets.end(this.#known.hasValue ? undefined : error)
  }

  take(): boolean {
    const before = this.state
    this.state = sameSnapshot(before, this.#known.snapshot(before, this.#loader.isRunning, this.#core.onUnhandled))
    if (this.state !== before) this.#outlets.take(this.state)
    return this.state !== before
  }

  tell(): void {
    this.#outlets.tell(this.#core.onUnhandled)
  }

  #hide(reading: Promise<void>): void {
    this.#commit('read tokens', () => (this.#known.isHidden = true))
    const forget = () => {
      if (!this.#known.isHidden) return
      this.#commit('tokens unavailable', () => this.#known.forget())
      // It says why.
      this.#loader.ask(false)
    }
    reading.then(() => this.#show(), forget)
  }

  #show(): void {
    if (this.#known.isHidden) this.#commit('tokens read', () => (this.#known.isHidden = false))
  }

  #settled(cause: string, change?: () => unknown): void {
    this.#commit(cause, () => {
      this.isAwaited = false
      change?.()
    })
  }

  #commit(cause: string, change?: () => unknown): void {
    this.#core.commits.run(cause, () => {
      change?.()
      this.#core.commits.touch(this)
    })
  }

  #now(): Date {
    return new Date(this.#core.clock.now())
  }

  /** Unused, it has 5 s to live; `anew`: counted from now, whatever was left. */
  #rest(anew: boolean): void {
    if (!this.isWatched && !this.#core.session.ended.aborted) this.#idle.start(anew)
  }
}
