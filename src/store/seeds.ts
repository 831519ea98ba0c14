import { momentOf } from '../core/clock'
import { isRecord } from '../core/is-record'
import type { Cell } from './cell'
import type { Place } from './cells'
import type { Core } from './core'
import { entryName } from './payload'
import type { Rendered } from './rendered'

interface Seed {
  readonly payload: Rendered
  readonly at: number
  /** `changes` of the cells when it came. */
  readonly changes: number
  /** The cell that was opened with it. */
  cell?: Cell
}

/** The values of payloads for cells that are not open, the newest of each. */
export class Seeds {
  readonly #core: Core
  readonly #byName = new Map<string, Seed>()

  constructor(core: Core) {
    this.#core = core
  }

  add(payload: Rendered): void {
    const { changes } = this.#core.cells
    for (const [name, entry] of Object.entries(payload.cells)) {
      const at = isRecord(entry) ? Number(entry['at']) : NaN
      const known = this.#byName.get(name)
      // The same values in another object stay used.
      if (!known || at > known.at) this.#byName.set(name, { payload, at, changes })
    }
  }

  /** Opens the cell with its value, unless something newer is known or the value may be of another user. */
  open(place: Place): Cell | undefined {
    const seed = this.#byName.get(entryName(place))
    // Its cell has had an answer since, which was dropped when it was out of use.
    if (!seed || (seed.cell && seed.cell.toldAt > 0)) return undefined
    const { payload, changes } = seed
    if (place.source.ownedBy === 'session' && (payload.standing !== 'same' || payload.identity === null))
      return undefined
    const known = payload.known(place)
    if (!known) return undefined
    const { cells, clock } = this.#core
    const cell = (seed.cell = cells.open(this.#core, place))
    const { cellValue } = cell
    const { snapshot, value } = known
    const now = momentOf(clock)
    // By a clock that is ahead, it would stay new.
    if (snapshot.status === 'ready')
      cellValue.setValue(value, { ...now, wall: Math.min(+snapshot.fetchedAt, now.wall) })
    if (snapshot.error) {
      const failedAt = snapshot.status === 'failed' ? +snapshot.failedAt : now.wall
      cellValue.setFailure(snapshot.error, new Date(Math.min(failedAt, now.wall)))
    }
    // A write may have changed it while it had no cell.
    cellValue.isStale = cells.changes !== changes
    cell.take()
    cell.serve()
    return cell
  }
}
