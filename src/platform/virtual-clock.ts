import type { Clock } from '../core/clock'

/**
 * Work that `advance` waits for, except while it is itself waiting for the clock.
 *
 * @example
 * const within = async (work: Work, run: () => Promise<void>) => {
 *   await run()
 *   work.end()
 * }
 * await within(virtualClock().begin(), async () => {})
 */
export interface Work {
  pause(): void
  resume(): void
  end(): void
}

/**
 * A clock that stands still until it is told to move.
 *
 * @example
 * const nextDay = (clock: VirtualClock) => clock.advance(24 * 3_600_000)
 */
export interface VirtualClock extends Clock {
  /**
   * Moves the clock by `millis` and runs the timers that fall due, in order of time, then of creation. Before, between and
   * after them everything that is ready runs: microtasks, and requests to a platform on this clock. `advance(0)` does only
   * that. A timer that throws rejects the call; later ones stay.
   */
  advance(millis: number): Promise<void>
  /**
   * Moves wall time alone, at once; no timer runs. Back by an hour, `shiftWall(-3_600_000)`: somebody has set the clock. On
   * by eight hours: the machine has slept, during which monotonic time and timers may stand still.
   */
  shiftWall(millis: number): void
  /**
   * What `promise` comes to by what is ready now, without any time passing. Rejects with a hint if it needs time to pass,
   * where awaiting it would hang the test.
   */
  settled<T>(promise: Promise<T>): Promise<T>
  /** Announces work that runs outside microtasks, such as WebCrypto's, so that `advance` waits for it. */
  begin(): Work
}

interface Timer {
  /** In monotonic time. */
  readonly at: number
  readonly run: () => void
}

/** Fixed, so that dates in tests are too. */
const defaultStart = new Date('2026-01-01T00:00:00.000Z')

/**
 * A virtual clock; `seed` decides what `random()` gives, the same numbers each time.
 *
 * @example
 * const clock = virtualClock(new Date('2026-01-01T00:00:00Z'))
 * const platform = createPlatform({ clock })
 * await clock.advance(60_000)
 */
export function virtualClock(startAt: Date = defaultStart, options: { readonly seed?: number } = {}): VirtualClock {
  /** Wall time while monotonic time was 0. They differ, so that a test meets code that takes one for the other. */
  let wallStart = startAt.getTime()
  let monotonic = 0
  // By time, then by creation.
  const timers: Timer[] = []
  const running = new Set<object>()
  let whenIdle: (() => void)[] = []
  let queue: Promise<unknown> = Promise.resolve()
  const turn = macrotasks()

  function leave(work: object): void {
    if (!running.delete(work) || running.size > 0) return
    const waiting = whenIdle
    whenIdle = []
    for (const resume of waiting) resume()
  }

  async function settle(): Promise<void> {
    // Two quiet turns: what a finished request set off may take one to begin the next.
    for (let quiet = 0; quiet < 2; quiet++) {
      await turn()
      if (running.size === 0) continue
      await new Promise<void>(resolve => whenIdle.push(resolve))
      quiet = -1
    }
  }

  async function moveTo(target: number): Promise<void> {
    await settle()
    for (let next = timers[0]; next && next.at <= target; next = timers[0]) {
      timers.shift()
      monotonic = Math.max(monotonic, next.at)
      next.run()
      await settle()
    }
    monotonic = target
  }

  return {
    now: () => wallStart + monotonic,
    monotonic: () => monotonic,
    setTimeout(run, millis) {
      const timer = { at: monotonic + Math.max(0, millis || 0), run }
      timers.splice(placeOf(timer.at, timers), 0, timer)
      return () => {
        const index = timers.indexOf(timer)
        if (index >= 0) timers.splice(index, 1)
      }
    },
    random: seeded(options.seed ?? 1),
    begin() {
      const work = {}
      running.add(work)
      return { pause: () => leave(work), resume: () => running.add(work), end: () => leave(work) }
    },
    async settled(promise) {
      let isSettled = false
      const settle = () => {
        isSettled = true
      }
      promise.then(settle, settle)
      await this.advance(0)
      if (isSettled) return promise
      const [next] = timers
      throw new Error(
        `this promise needs time to pass: advance the clock${next ? ` (its next timer is due in ${next.at - monotonic} ms)` : ', although it has no timer'}, then await it`,
      )
    },
    async advance(millis) {
      if (!(millis >= 0 && millis < Infinity)) throw new RangeError(`cannot advance a clock by ${millis} ms`)
      // Overlapping calls run one after the other, whatever became of the one before.
      const moved = queue.then(() => moveTo(monotonic + millis))
      queue = moved.catch(() => undefined)
      await moved
    },
    shiftWall(millis) {
      if (!Number.isFinite(millis)) throw new RangeError(`cannot shift a clock's wall time by ${millis} ms`)
      wallStart += millis
    },
  }
}

export function isVirtual(clock: Clock): clock is VirtualClock {
  return 'begin' in clock
}

/** After the timers that are due no later. */
function placeOf(at: number, timers: readonly Timer[]): number {
  let low = 0
  let high = timers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((timers[middle]?.at ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Resolves in a later macrotask, after every microtask, by the fastest means there is. */
function macrotasks(): () => Promise<void> {
  const { setImmediate } = globalThis as { readonly setImmediate?: (run: () => void) => unknown }
  if (setImmediate) return () => new Promise(resolve => void setImmediate(resolve))
  if (typeof MessageChannel === 'undefined') return () => new Promise(resolve => void setTimeout(resolve, 0))
  return () =>
    new Promise(resolve => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        // An open port keeps a process running.
        port1.close()
        resolve()
      }
      port2.postMessage(null)
    })
}

/** Mulberry32: small, fast and even enough for jitter. */
function seeded(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
