import { macrotasks, type Clock } from '../../core/clock'

/** Work outside the clock that `advance` waits for, except while that work waits for the clock itself. */
export interface Work {
  pause(): void
  resume(): void
  end(): void
}

/** A clock that moves only when told to. */
export interface VirtualClock extends Clock {
  /**
   * Moves the clock by `millis` and runs the timers that fall due, in order of time, then of creation. Before, between
   * and after them, everything that is ready runs: microtasks, and requests to a platform on this clock. `advance(0)`
   * does only that. If a timer throws, the call rejects and later timers stay.
   */
  advance(millis: number): Promise<void>
  /**
   * Moves only the wall time, at once; no timer runs. `shiftWall(-3_600_000)` is a system clock that is set back by an
   * hour. Eight hours forward is a machine that has slept, while monotonic time and timers may stand still.
   */
  shiftWall(millis: number): void
  /**
   * The result of `promise`, if it settles without time passing. Otherwise rejects with a hint, where awaiting it would
   * hang the test.
   */
  settled<T>(promise: Promise<T>): Promise<T>
  /** Announces work outside microtasks, such as WebCrypto's, so that `advance` waits for it. */
  begin(): Work
}

interface VirtualTimer {
  /** In monotonic time. */
  readonly at: number
  readonly run: () => void
}

/** Fixed, so that dates in tests are fixed too. */
const defaultStart = new Date('2026-01-01T00:00:00.000Z')

/**
 * Creates a virtual clock. `seed` determines the numbers of `random()`, the same ones in every run.
 *
 * @example
 * const clock = virtualClock(new Date('2026-01-01T00:00:00Z'))
 * const platform = createPlatform({ clock })
 * await clock.advance(60_000)
 */
export function virtualClock(startAt: Date = defaultStart, options: { readonly seed?: number } = {}): VirtualClock {
  /** The wall time at monotonic time 0. Wall and monotonic time differ, so that a test notices code that confuses them. */
  let wallStart = startAt.getTime()
  let monotonic = 0
  // Sorted by time, then by creation.
  const timers: VirtualTimer[] = []
  const outside = new OutsideWork()
  let queue: Promise<unknown> = Promise.resolve()

  async function moveTo(target: number): Promise<void> {
    await outside.settle()
    for (let next = timers[0]; next && next.at <= target; next = timers[0]) {
      timers.shift()
      monotonic = Math.max(monotonic, next.at)
      next.run()
      await outside.settle()
    }
    monotonic = target
  }

  return {
    now: () => wallStart + monotonic,
    monotonic: () => monotonic,
    setTimeout(run, millis) {
      const timer = { at: monotonic + Math.max(0, millis || 0), run }
      let place = timers.length
      while ((timers[place - 1]?.at ?? -Infinity) > timer.at) place--
      timers.splice(place, 0, timer)
      return () => {
        const index = timers.indexOf(timer)
        if (index >= 0) timers.splice(index, 1)
      }
    },
    random: seeded(options.seed ?? 1),
    begin: () => outside.begin(),
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
      // Overlapping calls run one after the other, even if one has failed.
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

class OutsideWork {
  readonly #running = new Set<object>()
  readonly #turn = macrotasks()
  #whenIdle: (() => void)[] = []

  begin(): Work {
    const work = {}
    this.#running.add(work)
    return {
      pause: () => this.#leave(work),
      resume: () => void this.#running.add(work),
      end: () => this.#leave(work),
    }
  }

  /** Resolves when everything that is ready has run, and no work is running. */
  async settle(): Promise<void> {
    // Two turns without work: a finished request may begin its next one a turn later.
    for (let quiet = 0; quiet < 2; quiet++) {
      await this.#turn()
      if (this.#running.size === 0) continue
      await new Promise<void>(resolve => this.#whenIdle.push(resolve))
      quiet = -1
    }
  }

  #leave(work: object): void {
    if (!this.#running.delete(work) || this.#running.size > 0) return
    const waiting = this.#whenIdle
    this.#whenIdle = []
    for (const resume of waiting) resume()
  }
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

/** A clock that runs like its base and can be moved forward. */
export interface MovableClock extends Clock {
  /** How far it has been moved. Webhooks are signed with the time without this, which the machines around it have. */
  readonly movedMillis: number
  /**
   * Moves wall and monotonic time forward by `millis`. Timers due by then run in the next turn, the others that much
   * earlier.
   */
  forward(millis: number): void
}

interface MovableTimer {
  /** In monotonic time of this clock. */
  readonly dueAt: number
  readonly arm: () => () => void
  cancel: () => void
}

/**
 * Creates a clock that runs like `base`, until it is moved: for a platform that serves a real browser.
 *
 * @example
 * const clock = movableClock(systemClock)
 * const platform = createPlatform({ clock })
 * clock.forward(8 * 3_600_000)
 */
export function movableClock(base: Clock): MovableClock {
  let movedMillis = 0
  const timers = new Set<MovableTimer>()
  const monotonic = () => base.monotonic() + movedMillis

  return {
    get movedMillis() {
      return movedMillis
    },
    now: () => base.now() + movedMillis,
    monotonic,
    random: () => base.random(),
    setTimeout(run, millis, options) {
      const fire = () => {
        timers.delete(timer)
        run()
      }
      const dueAt = monotonic() + millis
      const arm = () => base.setTimeout(fire, Math.max(0, dueAt - monotonic()), options)
      const timer: MovableTimer = { dueAt, arm, cancel: base.setTimeout(fire, millis, options) }
      timers.add(timer)
      return () => {
        timers.delete(timer)
        timer.cancel()
      }
    },
    forward(millis) {
      if (!(millis >= 0 && millis < Infinity)) throw new RangeError(`cannot move a clock forward by ${millis} ms`)
      movedMillis += millis
      // Sorted by time, so that due timers run in their order.
      for (const timer of [...timers].sort((left, right) => left.dueAt - right.dueAt)) {
        timer.cancel()
        timer.cancel = timer.arm()
      }
    },
  }
}
