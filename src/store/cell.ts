import { Refcount } from '../core/refcount'
import { toAuthError } from '../errors/auth-error'
import type { AnyAuthError } from '../errors/auth-error'
import { sessionChanged } from '../session/identity'
import { CellState } from './cell-state'
import type { Source } from './definition'
import { Idle } from './idle'
import type { Core } from './kit'
import { defaultMaxAgeMillis } from './known'
import { load } from './load'
import { Loader } from './loader'

/** The cached value of one store: who watches it, when it is loaded, and how long it lives. */
export class Cell extends CellState {
  /** When an answer last told something about it; compared with when writes began. */
  toldAt = 0
  /** A write has started a load that has neither settled nor run into trouble. */
  isAwaited = false
  /** When `get()` has given its value last, in monotonic time. */
  servedAt = -Infinity

  readonly #loader: Loader<unknown>
  readonly #watchers: Refcount
  readonly #end: () => void
  readonly #idle: Idle
  #loadedAt = 0

  constructor(core: Core, source: Source, input: object, end: () => void) {
    super(core, source, input, () => {
      this.leave()
    })
    this.#end = end
    this.#idle = new Idle(core.clock, () => {
      // A load that has begun meanwhile rests the cell anew when it is through.
      if (!this.isWatched && !this.#loader.isBusy) end()
    })
    this.#watchers = new Refcount(() => core.cells.watch(this))
    this.#loader = new Loader({
      clock: core.clock,
      isWatched: () => this.isWatched,
      load: (signal, onBackoff) => load(core, this, signal, onBackoff),
      begun: () => {
        this.#loadedAt = core.cells.tick()
        this.commit('load')
      },
      loaded: value => {
        this.toldAt = core.cells.tick()
        this.#settled('loaded', () => this.known.setValue(value, this.now()))
      },
      failed: error => this.#settled('load failed', () => this.known.setFailure(error, new Date(core.clock.now()))),
      waiting: () => this.#settled('waiting'),
      idle: () => {
        // A load that was called off has changed nothing, except that it no longer runs.
        this.commit('idle')
        this.#rest(true)
      },
    })
    // As of the last commit, like everything else that can be read while subscribers are being told.
    if (this.isOwned && core.sessionState.kind === 'signed-out') {
      this.known.setValue(source.signedOut, this.now())
      this.take()
    }
  }

  get isWatched(): boolean {
    return this.#watchers.isHeld
  }

  protected get isLoading(): boolean {
    return this.#loader.isRunning
  }

  /** For `inspect()`. */
  get use(): { readonly watchers: number; readonly isBusy: boolean } {
    return { watchers: this.#watchers.count, isBusy: this.#loader.isBusy }
  }

  /** Whether the value may be served without asking the platform. */
  isFresh(maxAgeMillis = defaultMaxAgeMillis): boolean {
    return this.known.isFresh(this.core.clock, maxAgeMillis)
  }

  /**
   * Somebody watches from now on, until `leave` is called once for it, and asks for a load if the value is no good.
   * `reading`: whose value it is will be known when this has resolved; it tells nothing to those who watch already.
   */
  enter(reading: Promise<void> | undefined, asks = true): void {
    if (reading && !this.isWatched && this.known.hasValue) this.#hide(reading)
    const isGood = this.isWatched ? this.known.isGood : this.isFresh()
    this.#idle.cancel()
    this.#watchers.enter()
    if (asks && !isGood) this.#loader.ask(false)
  }

  /** One function for all who watch, since each may be called only once. */
  readonly leave = (): void => {
    if (!this.isWatched) return
    this.#watchers.leave()
    if (this.isWatched) return
    if (this.#loader.callOff()) this.known.isStale = true
    this.#rest(true)
  }

  /** `get()` gives the value. That extends no idle life, but a cell made for it has one too. */
  serve(): void {
    this.servedAt = this.core.clock.monotonic()
    this.#show()
    this.#rest(false)
  }

  /** The value of a load: one under way, or for `anew` one that starts from now on. */
  load(anew: boolean, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#loader.wait(anew, signal)
  }

  /** Loads if somebody watches and the value is no longer fresh. */
  revive(maxAgeMillis?: number): void {
    if (this.isWatched && !this.isFresh(maxAgeMillis)) this.#loader.ask(false)
  }

  /** A write that was answered at `since` has touched this entity: what was loaded before is out of date. */
  invalidate(since: number): Promise<void> | undefined {
    this.toldAt = since
    // Begun after the write was answered: a sign-in has emptied the cell, and it loads already.
    if (this.#loadedAt > since) return this.#loader.isRunning && this.isWatched ? this.#loader.settle() : undefined
    this.known.isStale = true
    this.#loader.outdate()
    if (!this.isWatched) return undefined
    this.isAwaited = true
    return this.#loader.settle()
  }

  /** Takes what an answer tells. False: there is nothing that it could be told to, or the change threw. */
  write(change: (value: unknown) => unknown, answered: number): boolean {
    if (!this.known.hasValue) return false
    this.toldAt = answered
    try {
      this.known.changeValue(change, this.now())
    } catch (error) {
      this.core.onUnhandled(toAuthError(error))
      return false
    }
    this.#loader.outdate()
    this.core.commits.touch(this)
    return true
  }

  /**
   * Another identity, or for another reason nothing of it stays, and no caller waits for it any longer. `isEnd`: the session
   * has ended, and callers get the value of nobody. Part of a commit.
   */
  reset(reason: AnyAuthError = sessionChanged(), isEnd = false): void {
    const { signedOut } = this.source
    this.known.forget()
    this.toldAt = 0
    this.isAwaited = false
    this.#loader.reset(reason, isEnd ? { value: signedOut } : undefined)
    if (this.isOwned && this.core.session.identity.kind === 'signed-out') this.known.setValue(signedOut, this.now())
    else if (this.isWatched) this.#loader.ask(false)
    this.core.commits.touch(this)
    this.#rest(true)
  }

  /** The end of the kit. */
  dispose(error: AnyAuthError): void {
    this.#loader.reset(error)
    this.#idle.cancel()
    this.#watchers.end()
    this.#end()
    this.outlets.end(this.known.hasValue ? undefined : error)
  }

  #hide(reading: Promise<void>): void {
    this.commit('read tokens', () => (this.known.isHidden = true))
    const forget = () => {
      if (!this.known.isHidden) return
      this.commit('tokens unavailable', () => this.known.forget())
      // It says why.
      this.#loader.ask(false)
    }
    reading.then(() => this.#show(), forget)
  }

  #show(): void {
    if (this.known.isHidden) this.commit('tokens read', () => (this.known.isHidden = false))
  }

  #settled(cause: string, change?: () => unknown): void {
    this.commit(cause, () => {
      this.isAwaited = false
      change?.()
    })
  }

  /** Unused, it has 5 s to live; `anew`: counted from now, whatever was left. */
  #rest(anew: boolean): void {
    if (!this.isWatched && !this.core.session.ended.aborted) this.#idle.start(anew)
  }
}
