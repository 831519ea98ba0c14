import { maxWaitMillis } from '../../core/clock'
import type { Clock } from '../../core/clock'
import { onAbort } from '../../core/signals'
import type { Cell } from '../../store/cell'
import type { Cells } from '../../store/cells'
import { isRecorded } from './end'

type Around<F> = F extends (...args: infer A) => infer R ? (go: (...other: A | []) => R, ...args: A) => R : never

/**
 * Runs `call` in place of a method: it is given what calls the method, with the arguments that it had or with other ones. Returns
 * a function that puts the method back.
 */
export function around<T extends object, K extends keyof T>(target: T, name: K, call: Around<T[K]>): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name)
  // Typed by the signature above.
  const method = target[name] as (...args: unknown[]) => unknown
  const run = call as (go: (...other: unknown[]) => unknown, ...args: unknown[]) => unknown
  const wrapped = (...args: unknown[]) =>
    run((...other) => method.apply(target, other.length > 0 ? other : args), ...args)
  Object.defineProperty(target, name, { configurable: true, writable: true, value: wrapped })
  return () => {
    // Another recording may have wrapped it since.
    if (target[name] !== wrapped) return
    if (own) Object.defineProperty(target, name, own)
    else Reflect.deleteProperty(target, name)
  }
}

/**
 * A load is asked for, or one that begins after this; a caller of one that waits for the load under way gives up; the value and a
 * load under way are out of date; nothing loads any more, also because every caller has given up; the value is given up, which
 * nothing uses.
 */
export type CellEvent = 'load' | 'load anew' | 'give up' | 'outdate' | 'rest' | 'unused'

/** Tells of what happens with the stores of a recording, ahead of it, until the returned function is called. */
export function followCells(cells: Cells, tell: (cell: Cell, what: CellEvent) => void): () => void {
  const followed = new WeakMap<Cell, readonly (() => void)[]>()
  const follow = (cell: Cell) => {
    if (followed.has(cell) || !isRecorded(cell)) return
    const asked = around(cell, 'ask', (go, isAnew) => {
      // Of one under way, it tells the number alone.
      if (isAnew || !cell.isLoading) tell(cell, isAnew ? 'load anew' : 'load')
      return go()
    })
    const called = around(cell, 'load', (go, isAnew, signal) => {
      const forget = onAbort(isAnew && cell.isLoading ? signal : undefined, () => {
        tell(cell, 'give up')
      })
      const value = go()
      value.then(forget, forget)
      return value
    })
    const outdated = around(cell, 'invalidate', (go, since) => {
      if (cell.loadedAt <= since) tell(cell, 'outdate')
      return go()
    })
    const rested = around(cell, 'rested', go => {
      tell(cell, 'rest')
      go()
    })
    const ended = around(cell, 'endIfUnused', go => {
      const isEnded = go()
      if (isEnded) tell(cell, 'unused')
      return isEnded
    })
    followed.set(cell, [asked, called, outdated, rested, ended])
  }
  for (const cell of cells) follow(cell)
  const opening = around(cells, 'open', go => {
    const cell = go()
    follow(cell)
    return cell
  })
  return () => {
    opening()
    for (const cell of cells) for (const end of followed.get(cell) ?? []) end()
  }
}

/**
 * Tells of the values of the loads that are under way, whose requests were sent before the recording, until the returned function is
 * called.
 */
export function followLoads(cells: Cells, tell: (cell: Cell, value: unknown) => void): () => void {
  const ends = [...cells]
    .filter(cell => isRecorded(cell) && cell.isLoading)
    .map(cell => {
      const end = around(cell, 'loaded', (go, outcome) => {
        end()
        if (outcome && 'value' in outcome) tell(cell, outcome.value)
        go()
      })
      return end
    })
  return () => {
    for (const end of ends) end()
  }
}

/** Notes random numbers and the timers that run, until the returned function is called. */
export function followClock(clock: Clock, startedAt: number, note: (event: object) => void): () => void {
  /** What a timer has run before, such as a poll: what it sees is noted. */
  const repeated = new WeakSet<() => void>()
  const drawing = around(clock, 'random', go => {
    const value = go()
    note({ type: 'random', value })
    return value
  })
  const timing = around(clock, 'setTimeout', (go, run, millis, options) => {
    // A token store of an app's own may wait for anything, such as Infinity, which is not in JSON.
    if (repeated.has(run) || !(Math.abs(millis) <= maxWaitMillis)) return go()
    repeated.add(run)
    const due = clock.monotonic() - startedAt + millis
    const noted = () => {
      note({ type: 'timer', due, millis })
      run()
    }
    return go(noted, millis, options)
  })
  return () => {
    drawing()
    timing()
  }
}
