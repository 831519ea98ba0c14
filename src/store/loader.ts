import { abortWith } from '../core/abort'
import type { Clock } from '../core/clock'
import { onAbort } from '../core/on-abort'
import { abortError } from '../errors/abort'

/** Milliseconds between two loads of one store. */
const throttleMillis = 300

/** What the loader needs of its cell. */
export interface Loading<T> {
  readonly clock: Clock
  isWatched(): boolean
  load(signal: AbortSignal, onBackoff: () => void): Promise<T>
  begun(): void
  loaded(value: T): void
  failed(error: unknown): void
  /** The load waits before another attempt. */
  waiting(): void
  /** Nothing is running or waiting any more, whatever the outcome. */
  idle(): void
}

interface Waiter<T> {
  /** The number of the first load that is recent enough; none until requested. */
  from: number
  resolve(value: T): void
  reject(error: unknown): void
  /** The load waits before another attempt. */
  backingOff?(): void
}

/** The loads of one cell: one at a time, 300 ms between starts, shared by all callers. */
export class Loader<T> {
  readonly #owner: Loading<T>
  readonly #waiters = new Set<Waiter<T>>()
  #running:
    | { readonly number: number; readonly controller: AbortController; obsolete: boolean; backingOff: boolean }
    | undefined
  #cancelWait: (() => void) | undefined
  #number = 0
  #lastStart = -Infinity

  constructor(owner: Loading<T>) {
    this.#owner = owner
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Whether a load or a caller waiting for one keeps the cell alive. */
  get isBusy(): boolean {
    return this.isRunning || this.#cancelWait !== undefined || this.#waiters.size > 0
  }

  /** Milliseconds since the last load began; 0 before the first. */
  get age(): number {
    return this.#lastStart === -Infinity ? 0 : this.#owner.clock.monotonic() - this.#lastStart
  }

  /**
   * Requests a load. `anew`: it has to start after this call, since a running one could return a value from before a write;
   * then exactly one more is queued.
   *
   * Returns the number of the first load that is recent enough.
   */
  ask(anew: boolean): number {
    const running = this.#running
    if (running) return anew || running.obsolete ? running.number + 1 : running.number
    if (!this.#cancelWait) this.#schedule()
    return this.isRunning ? this.#number : this.#number + 1
  }

  /** The value of the load that `ask` requests; an abort rejects only this caller. */
  wait(anew: boolean, signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError(signal))
        return
      }
      const release = () => {
        this.#waiters.delete(waiter)
        forget()
      }
      const abort = () => {
        release()
        // Defined, because only the signal calls `abort`.
        if (signal) reject(abortError(signal))
        if (!this.#owner.isWatched() && this.#waiters.size === 0) this.#stop()
      }
      const forget = onAbort(signal, abort)
      const waiter: Waiter<T> = {
        from: Infinity,
        resolve(value) {
          release()
          resolve(value)
        },
        reject(error) {
          release()
          reject(error)
        },
      }
      this.#enlist(waiter, anew)
    })
  }

  /** Resolves when the next load that will be shown has settled or has to wait for another attempt. */
  settle(): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        this.#waiters.delete(waiter)
        resolve()
      }
      const waiter: Waiter<T> = { from: Infinity, resolve: done, reject: done, backingOff: done }
      this.#enlist(waiter, false)
      const running = this.#running
      if (running?.backingOff && waiter.from <= running.number) done()
    })
  }

  /** The running load began before a write: its result is dropped, and another load follows. */
  outdate(): void {
    if (this.#running) this.#running.obsolete = true
  }

  /** The last watcher has left: drops a load that has not started. True if there was one. */
  callOff(): boolean {
    if (!this.#cancelWait || this.#waiters.size > 0) return false
    this.#cancelWait()
    this.#cancelWait = undefined
    return true
  }

  /** Forgets everything, for another identity or the kit's disposal. Callers get `outcome`, or reject with `error`. */
  reset(error: unknown, outcome?: { readonly value: T }): void {
    this.#lastStart = -Infinity
    this.#end(error)
    for (const waiter of [...this.#waiters])
      if (outcome) waiter.resolve(outcome.value)
      else waiter.reject(error)
  }

  /** Waits before asking: a subscriber notified of the load may sign out, dispose of the kit, or abort this call. */
  #enlist(waiter: Waiter<T>, anew: boolean): void {
    this.#waiters.add(waiter)
    waiter.from = this.ask(anew)
  }

  #stop(): void {
    this.#end(undefined)
    this.#owner.idle()
  }

  #end(reason: unknown): void {
    this.#cancelWait?.()
    this.#cancelWait = undefined
    const running = this.#running
    this.#running = undefined
    if (running) abortWith(running.controller, reason)
  }

  #schedule(): void {
    const { clock } = this.#owner
    const delay = this.#lastStart + throttleMillis - clock.monotonic()
    if (delay <= 0) {
      this.#start()
      return
    }
    this.#cancelWait = clock.setTimeout(() => {
      this.#cancelWait = undefined
      this.#start()
    }, delay)
  }

  #start(): void {
    const running = { number: ++this.#number, controller: new AbortController(), obsolete: false, backingOff: false }
    this.#running = running
    this.#lastStart = this.#owner.clock.monotonic()
    this.#owner.begun()
    const onBackoff = () => {
      running.backingOff = true
      for (const waiter of [...this.#waiters]) if (waiter.from <= running.number) waiter.backingOff?.()
      this.#owner.waiting()
    }
    const end = (tell: () => void, settle: (waiter: Waiter<T>) => void) => {
      if (this.#running !== running) return
      this.#running = undefined
      if (!running.obsolete) {
        tell()
        for (const waiter of [...this.#waiters]) if (waiter.from <= running.number) settle(waiter)
      }
      this.#goOn(running.obsolete)
    }
    this.#owner.load(running.controller.signal, onBackoff).then(
      value => {
        end(
          () => {
            this.#owner.loaded(value)
          },
          waiter => {
            waiter.resolve(value)
          },
        )
      },
      (error: unknown) => {
        end(
          () => {
            this.#owner.failed(error)
          },
          waiter => {
            waiter.reject(error)
          },
        )
      },
    )
  }

  /** Starts the load requested meanwhile, if it still has watchers or callers. */
  #goOn(again: boolean): void {
    // Subscribers may have requested another load while notified of this one.
    if (this.isRunning || this.#cancelWait) return
    if (this.#waiters.size > 0 || (again && this.#owner.isWatched())) this.#schedule()
    else this.#owner.idle()
  }
}
