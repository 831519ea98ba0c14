import type { Cell } from '../../store/cell'
import type { Cells } from '../../store/cells'
import { isRecorded } from './end'

type Around<F> = F extends (...args: infer A) => infer R ? (go: () => R, ...args: A) => R : never

/** Runs `call` in place of a method: it is given what calls the method. Returns a function that puts the method back. */
export function around<T extends object, K extends keyof T>(target: T, name: K, call: Around<T[K]>): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name)
  // Typed by the signature above.
  const method = target[name] as (...args: unknown[]) => unknown
  const run = call as (go: () => unknown, ...args: unknown[]) => unknown
  const wrapped = (...args: unknown[]) => run(() => method.apply(target, args), ...args)
  Object.defineProperty(target, name, { configurable: true, writable: true, value: wrapped })
  return () => {
    // Another recording may have wrapped it since.
    if (target[name] !== wrapped) return
    if (own) Object.defineProperty(target, name, own)
    else Reflect.deleteProperty(target, name)
  }
}

/**
 * A load is asked for, or one that begins after this; the value and a load under way are out of date; nothing loads any more, also
 * because every caller has given up.
 */
export type CellEvent = 'load' | 'load anew' | 'outdate' | 'rest'

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
    const outdated = around(cell, 'invalidate', (go, since) => {
      if (cell.loadedAt <= since) tell(cell, 'outdate')
      return go()
    })
    const rested = around(cell, 'rested', go => {
      tell(cell, 'rest')
      go()
    })
    followed.set(cell, [asked, outdated, rested])
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
