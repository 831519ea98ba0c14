import type { Clock } from '../../core/clock'

/** A clock that runs as its base does, and that can be moved forward besides. */
export interface MovableClock extends Clock {
  /** Moves wall and monotonic time on by `millis`. Timers that are due by then run in the next turn, the others that much earlier. */
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
      // In order of time: those that are due run in the order in which they would have.
      for (const timer of [...timers].sort((left, right) => left.dueAt - right.dueAt)) {
        timer.cancel()
        timer.cancel = timer.arm()
      }
    },
  }
}
