import { maxWaitMillis } from '../core/clock'
import { abortWith, onAbort } from '../core/signals'
import { abortError, isAuthError, toAuthError } from '../errors/auth-error'
import type { KitParts } from './kit'
import type { Source } from './source'

/** Milliseconds between the starts of two loads. */
const throttleMillis = 300

/** How a load ended. */
export type LoadOutcome = { readonly value: unknown } | { readonly error: unknown }

interface Waiter {
  /** The number of the first load that is recent enough; Infinity until a load is requested. */
  from: number
  /** Undefined: the load has to wait for another attempt. */
  told(outcome: LoadOutcome | undefined): void
}

/** A load under way. */
interface RunningLoad {
  readonly number: number
  readonly controller: AbortController
  /** The load began before a write: its result is dropped, and another load follows. */
  isOutdated: boolean
  isBackingOff: boolean
}

/** The loads of one store: one at a time, 300 ms apart, and the callers that wait for them. */
export abstract class Loads {
  readonly source: Source
  readonly input: object
  /** The tick at which the last load began. */
  loadedAt = 0
  /** When the last load began, in monotonic time. */
  began = -Infinity
  protected readonly core: KitParts
  /** Numbers the loads and answers of a kit in order. */
  protected readonly tick: () => number
  readonly #waiters = new Set<Waiter>()
  #load: RunningLoad | undefined
  #cancelStart: (() => void) | undefined
  /** Calls off the load at the time that the platform has named. */
  #cancelLater: (() => void) | undefined
  #count = 0

  constructor(core: KitParts, source: Source, input: object, tick: () => number) {
    this.core = core
    this.source = source
    this.input = input
    this.tick = tick
  }

  abstract get isWatched(): boolean

  /** Called in a commit when a load has ended, or has to wait for another attempt: undefined. */
  abstract loaded(outcome: LoadOutcome | undefined): void
  /** Runs the change in a commit of the store. */
  protected abstract commit(cause: string, change?: () => unknown): void
  /** Called when no load runs any more, and no caller waits. */
  abstract rested(): void

  get isLoading(): boolean {
    return this.#load !== undefined
  }

  /** The platform has named a later time for the next load. */
  get isPutOff(): boolean {
    return this.#cancelLater !== undefined
  }

  /** Whether a load or a caller waiting for one keeps the store alive. */
  get isBusy(): boolean {
    return this.isLoading || this.#cancelStart !== undefined || this.#waiters.size > 0
  }

  /**
   * The value of a load: of the one under way or, with `anew`, of one that starts after this call. An abort rejects only this
   * caller.
   */
  load(anew: boolean, signal: AbortSignal | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError(signal))
        return
      }
      const leave = () => {
        this.#waiters.delete(waiter)
        forget()
      }
      const forget = onAbort(signal, () => {
        leave()
        // Defined, because only the signal calls this.
        if (signal) reject(abortError(signal))
        if (this.isWatched || this.#waiters.size > 0) return
        this.#callOff(undefined)
        this.rested()
      })
      const waiter: Waiter = {
        from: Infinity,
        told(outcome) {
          if (!outcome) return
          leave()
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.value)
        },
      }
      this.#enlist(waiter, anew)
    })
  }

  /**
   * Requests a load. `anew`: it has to start after this call, since a running one could return a value from before a write;
   * then exactly one more is queued. Returns the number of the first load that is recent enough.
   */
  ask(anew: boolean): number {
    const load = this.#load
    if (load) return load.number + (anew || load.isOutdated ? 1 : 0)
    if (!this.#cancelStart) this.#schedule()
    return this.#count + (this.#load ? 0 : 1)
  }

  /** Requests a load. Resolves when the next one that will be shown has settled, or waits for another attempt. */
  protected settled(): Promise<void> {
    return new Promise(resolve => {
      const waiter: Waiter = {
        from: Infinity,
        told: () => {
          this.#waiters.delete(waiter)
          resolve()
        },
      }
      this.#enlist(waiter, false)
      const load = this.#load
      if (load?.isBackingOff && waiter.from <= load.number) waiter.told(undefined)
    })
  }

  /** The result of the load under way will be dropped. */
  protected outdate(): void {
    if (this.#load) this.#load.isOutdated = true
  }

  /** Calls off a load that waits to start, if no caller waits for it; true if there was one. */
  protected dropStart(): boolean {
    this.#putOff(undefined)
    if (!this.#cancelStart || this.#waiters.size > 0) return false
    this.#callOff(undefined)
    return true
  }

  /** Ends the load that is running or waits to start, and its throttle. Its callers run after the commit, in a microtask. */
  protected dismiss(outcome: LoadOutcome, reason: unknown): void {
    this.began = -Infinity
    this.#callOff(reason)
    for (const waiter of [...this.#waiters]) waiter.told(outcome)
  }

  #callOff(reason: unknown): void {
    this.#putOff(undefined)
    this.#cancelStart?.()
    const load = this.#load
    this.#cancelStart = this.#load = undefined
    if (load) abortWith(load.controller, reason)
  }

  /** The waiter is added before the load is requested: a watcher that is told of the load may end it. */
  #enlist(waiter: Waiter, anew: boolean): void {
    this.#waiters.add(waiter)
    waiter.from = this.ask(anew)
  }

  #schedule(): void {
    const { clock } = this.core
    const delay = this.began + throttleMillis - clock.monotonic()
    if (delay <= 0) this.#start()
    else
      this.#cancelStart = clock.setTimeout(() => {
        this.#cancelStart = undefined
        this.#start()
      }, delay)
  }

  /** Loads again at the time that a refusal names, in place of one that was named before. */
  #putOff(error: unknown): void {
    this.#cancelLater?.()
    this.#cancelLater = undefined
    if (!this.isWatched || !isAuthError(error, 'RATE_LIMITED')) return
    const { clock } = this.core
    // An error constructed by the app may lack details.
    const millis = +((error.details as typeof error.details | undefined)?.retryAt ?? 0) - clock.now()
    if (millis > 0 && millis <= maxWaitMillis)
      this.#cancelLater = clock.setTimeout(
        () => {
          this.ask(false)
        },
        millis,
        { keepAlive: false },
      )
  }

  #start(): void {
    this.#putOff(undefined)
    const running: RunningLoad = {
      number: ++this.#count,
      controller: new AbortController(),
      isOutdated: false,
      isBackingOff: false,
    }
    this.#load = running
    this.began = this.core.clock.monotonic()
    this.loadedAt = this.tick()
    this.commit('load')
    const onBackoff = () => {
      running.isBackingOff = true
      this.#tell(running, undefined)
      this.commit('waiting', () => {
        this.loaded(undefined)
      })
    }
    loadOnce(this.core, this, running.controller.signal, onBackoff).then(
      value => {
        this.#end(running, { value })
      },
      (error: unknown) => {
        this.#end(running, { error })
      },
    )
  }

  #end(running: RunningLoad, outcome: LoadOutcome): void {
    if (this.#load !== running) return
    this.#load = undefined
    if (!running.isOutdated) {
      if ('error' in outcome) this.#putOff(outcome.error)
      this.commit('error' in outcome ? 'load failed' : 'loaded', () => {
        this.loaded(outcome)
      })
      this.#tell(running, outcome)
    }
    // Watchers may have requested another load while they were told of this one.
    if (this.#load || this.#cancelStart) return
    if (this.#waiters.size > 0 || (running.isOutdated && this.isWatched)) this.#schedule()
    else this.rested()
  }

  #tell(running: RunningLoad, outcome: LoadOutcome | undefined): void {
    for (const waiter of [...this.#waiters]) if (waiter.from <= running.number) waiter.told(outcome)
  }
}

/** Loads a value once, for the present identity. Every failure is an AuthError. */
export async function loadOnce(
  { session, kit }: KitParts,
  { source, input }: { readonly source: Source; readonly input: object },
  signal: AbortSignal,
  onBackoff: () => void,
): Promise<unknown> {
  try {
    // Always awaited: loads start inside commits, and the loader may be code of the app.
    const identity = await (source.ownedBy === 'session' ? session.capture() : undefined)
    if (signal.aborted) throw abortError(signal)
    if (identity?.kind === 'signed-out') return source.signedOut
    // The input is normalised by its own source.
    return await source.load(kit, input as never, { signal, owner: identity?.owner, onBackoff })
  } catch (error) {
    throw toAuthError(error)
  }
}
