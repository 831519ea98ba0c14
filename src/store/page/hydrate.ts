import { millisSince, momentOf, type Moment } from '../../core/clock'
import { reuseEqualParts, isRecord } from '../../core/values'
import { isBrowser } from '../../core/host'
import type { Cell } from '../cell'
import type { CellAddress } from '../cells'
import { coreOf, slot, type Core, type Kit } from '../kit-parts'
import { Rendered, type Dehydrated, type Hydration } from './rendered'
import { entryName } from './entry'
import { argsKey } from '../source'

/**
 * In a browser, gives the stores of an app the values that a server has rendered: without a request for those that are still
 * fresh, and with one for others. Once per payload, so it may be called again. `<AuthProvider state={…}>` does this by itself.
 *
 * Values of a user are used only while the browser's session is known to be that user's. What is malformed is ignored. On a
 * server the app keeps nothing, since it may serve other requests: only the returned object knows the values.
 *
 * @example
 * const state = JSON.parse(document.querySelector('#state')?.textContent ?? 'null')
 * hydrate(app, state)
 */
export function hydrate(app: Kit, state: Dehydrated): Hydration {
  const core = coreOf(app)
  if (!isBrowser() || !isRecord(state)) return new Rendered(core, state)
  const { payloads, seeds } = slot(app, seedsKey, () => {
    const opened = new Seeds(core)
    core.cells.seeded = place => opened.open(place)
    return { payloads: new WeakMap<object, Rendered>(), seeds: opened }
  })
  let payload = payloads.get(state)
  if (!payload) {
    payloads.set(state, (payload = new Rendered(core, state)))
    seeds.add(payload)
    // Its values are used once it is known whose session this is.
    core.committedSession.look()
  }
  return payload
}

const seedsKey = {}

interface PayloadSeed {
  /** Undefined: forgotten. */
  payload: Rendered | undefined
  /** The time of the value, as the payload says. */
  readonly given: number
  /** The time `given`, but none after `came`: a value dated by a clock that is ahead would stay new. */
  readonly at: number
  /** When it came, by the clock of this machine. */
  readonly came: Moment
  /** The cell that was open when it came, or that was opened with it. */
  cell: Cell | undefined
  /** `toldAt` of the cell when it came; 0 if its value is older. */
  readonly changedAtTick: number
}

/** How long a value is kept for a cell that is not open, once another payload comes. */
const keptMillis = 300_000

/** The values of payloads for cells that are not open, the newest of each. */
export class Seeds {
  readonly #core: Core
  readonly #byName = new Map<string, PayloadSeed>()
  #isOpening = false

  constructor(core: Core) {
    this.#core = core
  }

  add(payload: Rendered): void {
    const { cells, clock } = this.#core
    const came = momentOf(clock)
    for (const seed of this.#byName.values()) if (millisSince(seed.came, clock) > keptMillis) seed.payload = undefined
    const open = new Map([...cells].map(cell => [entryName({ source: cell.source, key: argsKey(cell.input) }), cell]))
    for (const [name, entry] of Object.entries(payload.cells)) {
      const given = isRecord(entry) ? +new Date(Number(entry['at'])) : NaN
      const at = Math.min(given, came.wall)
      const before = this.#byName.get(name)
      // The same values in another object stay used, and a malformed entry replaces none.
      if (given === before?.given || !(at > (before?.at ?? -Infinity))) continue
      const cell = open.get(name)
      const toldAt = cell?.known.base && cell.known.base.fetchedAt.wall < at ? cell.changedAtTick : 0
      this.#byName.set(name, { payload, given, at, came, cell, changedAtTick: toldAt })
      // Later: a page calls this while it renders, when no component may be told.
      if (cell) void Promise.resolve().then(() => this.#compare(cell, payload))
    }
  }

  /** Loads a store in use that a later render of the server has shown with another value. */
  #compare(cell: Cell, payload: Rendered): Promise<void> | undefined {
    const { source, input } = cell
    const known = payload.known({ source, input, key: argsKey(input) })
    if (known?.snapshot.status !== 'ready' || !cell.isWatched || !cell.isGood) return undefined
    if (payload.standing !== 'same') return undefined
    const present = cell.known.base?.value
    return reuseEqualParts(present, known.value) === present ? undefined : cell.invalidate(this.#core.cells.tick())
  }

  /** Opens the cell with its value, unless something newer is known or the value may be of another user. */
  open(place: CellAddress): Cell | undefined {
    // `cells.open` calls this again: without the flag it would never end.
    const seed = this.#isOpening ? undefined : this.#byName.get(entryName(place))
    // The cell was dropped when it was out of use, and a later answer with it: the page's value is the older one.
    if (!seed?.payload || (seed.cell && seed.cell.changedAtTick > seed.changedAtTick)) return undefined
    const { payload, came, at: wall } = seed
    // Only this browser knows what it keeps.
    if (place.source.retain) return undefined
    if (place.source.ownedBy === 'session' && (payload.standing !== 'same' || payload.identity === null))
      return undefined
    const known = payload.known(place)
    if (!known) return undefined
    const { cells } = this.#core
    const cell = (seed.cell = this.#opened(place))
    const { snapshot, value } = known
    if (snapshot.status === 'ready') cell.known.setValue(value, { ...came, wall })
    if (snapshot.error) cell.known.setFailure(snapshot.error, new Date(wall))
    // A write may have changed it while it had no cell, or on its way here.
    cell.known.isStale = cells.changedAt >= wall
    cell.take()
    cell.noteReturned()
    return cell
  }

  #opened(place: CellAddress): Cell {
    this.#isOpening = true
    try {
      return this.#core.cells.open(this.#core, place)
    } finally {
      this.#isOpening = false
    }
  }
}
