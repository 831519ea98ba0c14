import { momentOf } from '../core/clock'
import type { Moment } from '../core/clock'
import { isRecord } from '../core/is-record'
import type { Cell } from './cell'
import type { Place } from './cells'
import type { Core } from './core'
import { entryName } from './payload'
import type { Rendered } from './rendered'

interface Seed {
  readonly payload: Rendered
  readonly at: number
  /** When it came, by the clock of this machine. */
  readonly came: Moment
  /** `changes` of the cells when it came. */
  readonly changes: number
  /** The cell that was opened with it. */
  cell?: Cell
}

/** The values of payloads for cells that are not open, the newest of each. */
export class Seeds {
  readonly #core: Core
  readonly #byName = new Map<string, Seed>()
  #isOpening = false

  constructor(core: Core) {
    this.#core = core
  }

  add(payload: Rendered): void {
    const { changes } = this.#core.cells
    const came = momentOf(this.#core.clock)
    for (const [name, entry] of Object.entries(payload.cells)) {
      const at = isRecord(entry) ? Number(entry['at']) : NaN
      const known = this.#byName.get(name)
      // The same values in another object stay used.
      if (!known || at > known.at) this.#byName.set(name, { payload, at, came, changes })
    }
  }

  /** Opens the cell with its value, unless something newer is known or the value may be of another user. */
  open(place: Place): Cell | undefined {
    // Called again by `cells.open`.
    const seed = this.#isOpening ? undefined : this.#byName.get(entryName(place))
    // Its cell has had an answer since, which was dropped when it was out of use.
    if (!seed || (seed.cell && seed.cell.toldAt > 0)) return undefined
    const { payload, came, changes } = seed
    if (place.source.ownedBy === 'session' && (payload.standing !== 'same' || payload.identity === null))
      return undefined
    const known = payload.known(place)
    if (!known) return undefined
    const { cells } = this.#core
    const cell = (seed.cell = this.#opened(place))
    const { cellValue } = cell
    const { snapshot, value } = known
    // By a clock that is ahead, it would stay new.
    const wall = Math.min(seed.at, came.wall)
    if (snapshot.status === 'ready') cellValue.setValue(value, { ...came, wall })
    if (snapshot.error) cellValue.setFailure(snapshot.error, new Date(wall))
    // A write may have changed it while it had no cell.
    cellValue.isStale = cells.changes !== changes
    cell.take()
    cell.serve()
    return cell
  }

  #opened(place: Place): Cell {
    this.#isOpening = true
    try {
      return this.#core.cells.open(this.#core, place)
    } finally {
      this.#isOpening = false
    }
  }
}
