import type { Clock } from '../../core/clock'

/** A clock that runs like its base and can be moved forward. */
export interface MovableClock extends Clock {
  /**
   * Moves wall and monotonic time forward by `millis`. Timers due by then run in the next turn, the others that much
   * earlier.
   */
  forward(millis: number): void
}

interface Timer {
  /** In monotonic time of this clock. */
  readonly dueAt: number
  readonly arm: () => () => void
  cancel: () => void
}

export function movableClock(base: Clock): MovableClock {
  let movedMillis = 0
  const timers = new Set<Timer>()
  const monotonic = () => base.monotonic() + movedMillis

  return {
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
      const timer: Timer = { dueAt, arm, cancel: base.setTimeout(fire, millis, options) }
      timers.add(timer)
      return () => {
        timers.delete(timer)
        timer.cancel()
      }
    },
    forward(millis) {
      movedMillis += millis
      // Sorted by time, so that due timers run in their order.
      for (const timer of [...timers].sort((left, right) => left.dueAt - right.dueAt)) {
        timer.cancel()
        timer.cancel = timer.arm()
      }
    },
  }
}
