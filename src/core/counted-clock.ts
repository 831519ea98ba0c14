import type { Clock } from './clock'

/** A clock that knows how many of its timers are running. */
export interface CountedClock extends Clock {
  readonly running: number
  /** Its timers do not count. */
  readonly uncounted: Clock
}

export function countedClock(clock: Clock): CountedClock {
  let running = 0
  return {
    get running() {
      return running
    },
    uncounted: clock,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    random: () => clock.random(),
    setTimeout(run, millis, options) {
      let isRunning = true
      const end = () => {
        if (isRunning) running--
        isRunning = false
      }
      running++
      const cancel = clock.setTimeout(
        () => {
          end()
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
