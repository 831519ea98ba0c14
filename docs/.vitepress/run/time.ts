/** The globals of a program whose time can be moved forward, as while a machine sleeps. */
export interface Time {
  /** Every timer that falls due within these milliseconds fires at once, in the order of time. */
  advance(millis: number): void
}

interface Timer {
  /** By the moved clock, in milliseconds since the page began. */
  at: number
  handle: number
  readonly fire: () => void
}

type Run = (...values: unknown[]) => void

/** Replaces `Date`, the timers and `performance.now`, which every library of the program then uses. */
export function movableTime(): Time {
  let moved = 0
  let lastId = 0
  const timers = new Map<number, Timer>()
  const realNow = performance.now.bind(performance)
  const setReal = globalThis.setTimeout.bind(globalThis) as (run: () => void, millis: number) => number
  const clearReal = globalThis.clearTimeout.bind(globalThis)
  const now = () => realNow() + moved

  const arm = (timer: Timer) => (timer.handle = setReal(timer.fire, Math.max(0, timer.at - now())))
  const set = (run: Run, millis: number, values: unknown[], isRepeated: boolean) => {
    const id = ++lastId
    const timer: Timer = {
      at: now() + millis,
      handle: 0,
      fire() {
        if (isRepeated) {
          timer.at = now() + millis
          arm(timer)
        } else timers.delete(id)
        run(...values)
      },
    }
    timers.set(id, timer)
    arm(timer)
    return id
  }
  const clear = (id: unknown) => {
    const timer = timers.get(id as number)
    if (timer) clearReal(timer.handle)
    timers.delete(id as number)
  }
  Object.assign(globalThis, {
    setTimeout: (run: Run, millis = 0, ...values: unknown[]) => set(run, millis, values, false),
    setInterval: (run: Run, millis = 0, ...values: unknown[]) => set(run, millis, values, true),
    clearTimeout: clear,
    clearInterval: clear,
    Date: new Proxy(Date, {
      construct: (real, values, target) =>
        Reflect.construct(real, values.length > 0 ? values : [real.now() + moved], target) as Date,
      apply: real => new real(real.now() + moved).toString(),
      get: (real, name) => (name === 'now' ? () => real.now() + moved : (Reflect.get(real, name) as unknown)),
    }),
  })
  performance.now = now
  return {
    advance(millis) {
      moved += millis
      for (const timer of [...timers.values()].sort((a, b) => a.at - b.at)) {
        clearReal(timer.handle)
        arm(timer)
      }
    },
  }
}
