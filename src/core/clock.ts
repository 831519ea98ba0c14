import { onAbort } from './signals'
import type { Tap } from './tap'

/** Where the kit takes time and randomness from: every timer, date and random choice asks a clock. */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch, as in tokens and dates. May be set, also backwards. */
  now(): number
  /** Milliseconds that never decrease, but may stop during sleep: for throttles, waits and ages. */
  monotonic(): number
  /**
   * Runs `run` once after `millis`; returns a function that cancels it. `keepAlive: false`: the timer keeps no process
   * running.
   */
  setTimeout(run: () => void, millis: number, options?: { readonly keepAlive?: boolean }): () => void
  /** Uniform in [0, 1). Not for secrets. */
  random(): number
}

/** The longest wait that timers honour. */
export const maxWaitMillis = 2_147_483_647

/**
 * The clock of the machine.
 *
 * @example
 * const app = createClientApp({ tokens: cookieTokens(), clock: { ...systemClock, random: () => 0.5 } })
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  // Looked up on the global at call time, so that a page can patch timers.
  setTimeout(run, millis, options) {
    const timer = setTimeout(run, millis)
    if (options?.keepAlive === false) unref(timer)
    return () => {
      clearTimeout(timer)
    }
  },
  random: () => Math.random(),
}

/** Node's timers are objects with `unref`; a browser's are numbers. */
function unref(timer: unknown): void {
  ;(Object(timer) as { unref?: () => void }).unref?.()
}

/** When something happened, by both times of a clock. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** The present moment of a clock. */
export function momentOf(clock: Clock): Moment {
  return { wall: clock.now(), monotonic: clock.monotonic() }
}

/**
 * How long ago `moment` was. The larger of both differences: wall time may be set back, and monotonic time may stand still
 * while the machine sleeps.
 */
export function millisSince(moment: Moment, clock: Clock): number {
  return Math.max(clock.now() - moment.wall, clock.monotonic() - moment.monotonic)
}

/** Resolves after `millis`, or rejects with the signal's reason as soon as it aborts. */
export function wait(clock: Clock, millis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(reasonOf(signal))
      return
    }
    const abort = () => {
      cancel()
      reject(reasonOf(signal))
    }
    const cancel = clock.setTimeout(() => {
      forget()
      resolve()
    }, millis)
    const forget = onAbort(signal, abort)
  })
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason })
}

/** A clock that may be of a kit. */
export interface TappedClock extends Clock {
  readonly tap?: Tap
}

/** The clock of a kit: all parts of the kit reach it, and by it what listens to them. It knows how many of its timers are running. */
export interface CountedClock extends TappedClock {
  readonly tap: Tap
  readonly running: number
  /** The same clock, whose timers are not counted. */
  readonly uncounted: Clock
}

export function countedClock(clock: Clock): CountedClock {
  const tap: Tap = { sent: 0, answered: 0 }
  let running = 0
  return {
    get running() {
      return running
    },
    tap,
    uncounted: clock,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    random: () => {
      const value = clock.random()
      tap.tell?.({ in: 'random', value })
      return value
    },
    setTimeout(run, millis, options) {
      let isRunning = true
      const due = clock.monotonic() + millis
      const end = () => {
        if (isRunning) running--
        isRunning = false
      }
      running++
      const cancel = clock.setTimeout(
        () => {
          end()
          tap.tell?.({ in: 'timer', due, millis, run })
          run()
        },
        millis,
        options,
      )
      return () => {
        end()
        cancel()
      }
    },
  }
}

/** Resolves in a later macrotask, after every microtask, by the fastest way that the runtime has. */
export function macrotasks(): () => Promise<void> {
  const through = (run: () => void) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      // An open port would keep the process running.
      port1.close()
      run()
    }
    port2.postMessage(0)
  }
  const { setImmediate: soon = typeof MessageChannel === 'undefined' ? setTimeout : through } = globalThis as {
    readonly setImmediate?: (run: () => void) => unknown
  }
  return () => new Promise(resolve => void soon(resolve))
}
