import { Refcount } from '../core/refcount'
import { toAuthError } from '../errors/auth-error'
import type { AnyAuthError } from '../errors/auth-error'
import { sessionChanged } from '../session/identity'
import { CellState } from './cell-state'
import type { Source } from './source'
import { Idle } from './idle'
import type { KitParts } from './kit'
import { defaultMaxAgeMillis } from './cell-value'
import { load } from './load'
import { Loader } from './loader'

/** Where a cell is kept. */
export interface CellHome {
  /** Called when a cell gets its first watcher; returns a function to call when the last is gone. */
  onRetained(cell: Cell): () => void
  /** Numbers the loads and answers of a kit in order. */
  tick(): number
}

/** The cached value of one store, with its watchers, loads and lifetime. */
export class Cell extends CellState {
  /** The tick of the last answer that changed it, compared with the ticks at which writes began. */
  toldAt = 0
  /** The tick at which its last load began. */
  loadedAt = 0
  /** A write has started a load that has neither settled nor had to retry. */
  isAwaited = false
  /** When `get()` last returned its value, in monotonic time. */
  servedAt = -Infinity

  readonly #loader: Loader<unknown>
  readonly #watchers: Refcount
  readonly #end: () => void
  readonly #idle: Idle

  constructor(core: KitParts, home: CellHome, source: Source, input: object, end: () => void) {
    super(core, source, input, () => {
      this.release()
    })
    this.#end = end
    this.#idle = new Idle(core.clock, () => {
      // A load that has started meanwhile restarts the idle time when it ends.
      if (!this.isWatched && !this.#loader.isBusy) end()
    })
    this.#watchers = new Refcount(() => home.onRetained(this))
    this.#loader = new Loader({
      clock: core.clock,
      isWatched: () => this.isWatched,
      load: (signal, onBackoff) => load(core, this, signal, onBackoff),
      begun: () => {
        this.loadedAt = home.tick()
        this.commit('load')
      },
      loaded: value => {
        this.toldAt = home.tick()
        this.#settled('loaded', () => this.cellValue.setValue(value, this.now()))
      },
      failed: error => this.#settled('load failed', () => this.cellValue.setFailure(error, new Date(core.clock.now()))),
      waiting: () => this.#settled('waiting'),
      idle: () => {
        // A load that was called off changes only the flag that it runs.
        this.commit('idle')
        this.#rest(true)
      },
    })
    // As of the last commit, like everything that can be read while subscribers are notified.
    if (this.isOwned && core.committedSession.kind === 'signed-out') {
      this.cellValue.setValue(source.signedOut, this.now())
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

  /** Whether the value may be returned without a request. */
  isFresh(maxAgeMillis = defaultMaxAgeMillis): boolean {
    return this.cellValue.isFresh(this.core.clock, maxAgeMillis)
  }

  /**
   * Adds a watcher, until `release` is called once for it, and starts a load if the value is not good. `reading` resolves when
   * the owner of the value is known; it emits nothing to present watchers.
   */
  retain(reading: Promise<void> | undefined, asks = true): void {
    if (reading && !this.isWatched && this.cellValue.hasValue) this.#hide(reading)
    const isGood = this.isWatched ? this.cellValue.isGood : this.isFresh()
    this.#idle.cancel()
    this.#watchers.retain()
    if (asks && !isGood) this.#loader.ask(false)
  }

  /** One function for all watchers, each of which calls it once. */
  readonly release = (): void => {
    if (!this.isWatched) return
    this.#watchers.release()
    if (this.isWatched) return
    if (this.#loader.callOff()) this.cellValue.isStale = true
    this.#rest(true)
  }

  /** `get()` returned the value. This does not extend the idle time, but starts it for a cell created by `get()`. */
  serve(): void {
    this.servedAt = this.core.clock.monotonic()
    this.#show()
    this.#rest(false)
  }

  /** The value of a load: of the one under way or, with `anew`, of one that starts after this call. */
  load(anew: boolean, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#loader.wait(anew, signal)
  }

  /** Loads if the cell is watched and its value is not fresh, as old as its load: an answer may have taken long. */
  refreshIfStale(maxAgeMillis = defaultMaxAgeMillis): void {
    if (!this.isWatched || (this.isFresh(maxAgeMillis) && this.#loader.age <= maxAgeMillis)) return
    this.#loader.ask(false)
  }

  /** A write answered at `since` has changed the entity: earlier loads are out of date. */
  invalidate(since: number): Promise<void> | undefined {
    this.toldAt = since
    // The load began after the answer: a sign-in has reset the cell, which loads already.
    if (this.loadedAt > since) return this.#loader.isRunning && this.isWatched ? this.#loader.settle() : undefined
    this.cellValue.isStale = true
    this.#loader.outdate()
    if (!this.isWatched) return undefined
    this.isAwaited = true
    return this.#loader.settle()
  }

  /** Applies the value in an answer. False: there is no value to apply it to, or the change threw. */
  write(change: (value: unknown) => unknown, answered: number): boolean {
    if (!this.cellValue.hasValue) return false
    this.toldAt = answered
    try {
      this.cellValue.changeValue(change, this.now())
    } catch (error) {
      this.core.onUnhandled(toAuthError(error))
      return false
    }
    this.#loader.outdate()
    this.core.commits.touch(this)
    return true
  }

  /**
   * Drops the value and rejects its callers, for another identity or another reason. `isEnd`: the session has ended, and
   * callers get the signed-out value. Part of a commit.
   */
  reset(reason: AnyAuthError = sessionChanged(), isEnd = false): void {
    const { signedOut } = this.source
    this.cellValue.forget()
    this.toldAt = 0
    this.isAwaited = false
    this.#loader.reset(reason, isEnd ? { value: signedOut } : undefined)
    if (this.isOwned && this.core.session.identity.kind === 'signed-out') this.cellValue.setValue(signedOut, this.now())
    else if (this.isWatched) this.#loader.ask(false)
    this.core.commits.touch(this)
    this.#rest(true)
  }

  /** Ends it now, not after its idle time. False: it is in use. */
  endIfUnused(): boolean {
    if (this.isWatched || this.#loader.isBusy) return false
    this.#idle.cancel()
    this.#end()
    return true
  }

  /** For the disposal of the kit. */
  dispose(error: AnyAuthError): void {
    this.#loader.reset(error)
    this.#idle.cancel()
    this.#watchers.end()
    this.#end()
    this.outlets.end(this.cellValue.hasValue ? undefined : error)
  }

  #hide(reading: Promise<void>): void {
    this.commit('read tokens', () => (this.cellValue.isHidden = true))
    const forget = () => {
      if (!this.cellValue.isHidden) return
      this.commit('tokens unavailable', () => this.cellValue.forget())
      // The load reports the error.
      this.#loader.ask(false)
    }
    reading.then(() => this.#show(), forget)
  }

  #show(): void {
    if (this.cellValue.isHidden) this.commit('tokens read', () => (this.cellValue.isHidden = false))
  }

  #settled(cause: string, change?: () => unknown): void {
    this.commit(cause, () => {
      this.isAwaited = false
      change?.()
    })
  }

  /** Starts the 5 s of an unused cell; `anew`: from now, whatever was left. */
  #rest(anew: boolean): void {
    if (!this.isWatched && !this.core.session.ended.aborted) this.#idle.start(anew)
  }
}
