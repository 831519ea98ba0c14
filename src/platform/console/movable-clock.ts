import type { Clock } from '../../core/clock'

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
