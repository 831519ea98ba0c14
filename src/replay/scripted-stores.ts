import { momentOf } from '../core/clock'
import { fromJson } from '../core/json-form'
import { isRecord } from '../core/values'
import { watchedCells } from '../extras/record/end'
import { followCells } from '../extras/record/followed'
import type { CellEvent } from '../extras/record/followed'
import type { Cell } from '../store/cell'
import { coreOf } from '../store/kit-parts'
import type { Core } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import { entryName } from '../store/page/entry'
import type { Snapshot } from '../store/snapshot'
import { argsKey } from '../store/source'
import type { Source } from '../store/source'
import { queryOf } from './causes'
import type { EventOf } from './checked'
import { turnMillis } from './turns'

/** A store, as events name it. */
interface Named {
  readonly store: string
  readonly input: unknown
}

/** The stores of the kit that plays: it loads them by itself, and else when the recording says so. */
export class ScriptedStores {
  readonly #kit: Kit
  readonly #core: Core
  readonly #watched = new Map<string, () => void>()
  /** What the stores have done by themselves since the clock moved, as events that the recording has too. */
  #done: { readonly type: CellEvent; readonly name: string; readonly at: number; isTold: boolean }[] = []
  readonly #calls = new Map<string, AbortController>()

  constructor(kit: Kit) {
    this.#kit = kit
    this.#core = coreOf(kit)
    followCells(this.#core.cells, (cell, type) => {
      this.#done.push({ type, name: keyOf(cell), at: this.#core.clock.monotonic(), isTold: false })
    })
  }

  /** The snapshots of what is watched. */
  get snapshots(): Readonly<Record<string, Snapshot<unknown>>> {
    return Object.fromEntries(watchedCells(this.#core.cells).map(cell => [keyOf(cell), cell.state]))
  }

  /** Another time is no longer that of what was done. */
  clockMoved(): void {
    const { clock } = this.#core
    this.#done = this.#done.filter(({ at }) => at > clock.monotonic() - turnMillis)
  }

  /** Gives a store the value that it had before. */
  fill({ value, ageMillis, isStale, ...place }: EventOf<'start'>['stores'][number]): void {
    const cell = this.#cell(place)
    if (!cell || cell.known.base) return
    const { wall, monotonic } = momentOf(this.#core.clock)
    cell.known.setValue(fromJson(value), { wall: wall - ageMillis, monotonic: monotonic - ageMillis })
    cell.known.isStale = isStale
    cell.take()
    cell.serve()
  }

  /**
   * `since`: a good value is loaded only if it is too old for a new watcher, and not for one since before the recording; nor is one
   * that was loading then.
   */
  watch(place: Named, since: 'loading' | 'start' | 'now'): void {
    const store = queryOf(place.store)?.(this.#kit, inputIn(place.input))
    if (!store || this.#watched.has(nameOf(place))) return
    const isAsked = since === 'now' || (since === 'start' && !this.#cell(place)?.isGood)
    this.#watched.set(nameOf(place), isAsked ? store.listen(() => undefined) : store.retain())
  }

  /** The load that was under way when the recording began has ended. */
  loaded({ value, ...place }: EventOf<'loaded'>): void {
    const cell = this.#cell(place)
    const { commits } = this.#core
    commits.run('loaded', () => {
      cell?.loaded({ value: fromJson(value) })
      if (cell) commits.touch(cell)
    })
  }

  leave(place: Named): void {
    this.#watched.get(nameOf(place))?.()
    this.#watched.delete(nameOf(place))
  }

  /**
   * Whether a store has done by itself what the recorded one did; a second one has done it twice. One that was out of date before a
   * load, and not after it as in the recording, has not.
   */
  hasDone(place: Named, type: CellEvent): boolean {
    const name = nameOf(place)
    const index = this.#done.findIndex(each => !each.isTold && each.type === type && each.name === name)
    const [found, ...later] = index < 0 ? [] : this.#done.slice(index)
    if (!found || (type === 'outdate' && later.some(each => each.isTold && each.type === 'load' && each.name === name)))
      return false
    return (found.isTold = true)
  }

  load(place: Named, isAnew: boolean): void {
    const call = new AbortController()
    this.#calls.set(nameOf(place), call)
    this.#cell(place)
      ?.load(isAnew, call.signal)
      .catch(() => undefined)
  }

  outdate(place: Named): void {
    const { cells, commits } = this.#core
    commits.run('written', () => {
      void this.#cell(place)?.invalidate(cells.tick())
    })
  }

  /** Gives up a value that nothing uses. */
  end(place: Named): void {
    this.#cell(place)?.endIfUnused()
  }

  /** Shows what writes without a request showed. */
  show({ value, unconfirmed, ...place }: EventOf<'shown'>): void {
    const cell = this.#cell(place)
    if (cell?.state.status !== 'ready') return
    const { commits } = this.#core
    const missing = unconfirmed - cell.state.unconfirmed
    commits.run('optimistic', () => {
      for (let count = 0; count < missing; count++) cell.known.addOverlay({ write: {}, change: () => fromJson(value) })
      commits.touch(cell)
    })
  }

  /** Ends the wait of the call that has loaded it. */
  abort(place: Named): void {
    this.#calls.get(nameOf(place))?.abort()
  }

  #cell({ store, input }: Named): Cell | undefined {
    const source = queryOf(store)?.['~source'] as Source | undefined
    const given = inputIn(input)
    return source && this.#core.cells.open(this.#core, { source, input: given, key: argsKey(given) })
  }
}

function inputIn(input: unknown): object {
  const value = fromJson(input)
  return isRecord(value) ? value : {}
}

export function nameOf({ store, input }: Named): string {
  return `${store} ${argsKey(inputIn(input))}`
}

function keyOf({ source, input }: Cell): string {
  return entryName({ source, key: argsKey(input) })
}
