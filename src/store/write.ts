import type { Identity } from '../session/identity'
import type { Cell } from './cell'
import { addOverlay, bakeOverlay, removeOverlay } from './overlays'
import { isStaleWith } from './source'
import { narrowed } from './definition'
import type { Narrowed, Patch } from './source'
import type { Target } from './definition'
import type { Core } from './core'
import { writeFailed, writeSucceeded } from './write-outcome'

/** A write under way: its overlays, and the changes to make when it is answered. */
export class Write {
  /** The stores that it may change, as far as the input says. */
  readonly scope: readonly Narrowed[]
  readonly #core: Core
  readonly #owner: Identity | undefined
  readonly #began: number
  /** The stores with its overlays. */
  readonly #shown: readonly Narrowed[]

  /** Adds the overlays of `optimistic`; if one of the patches throws, adds none and throws. */
  constructor(core: Core, owner: Identity | undefined, refreshes: readonly Target[], optimistic: readonly Patch[]) {
    this.#core = core
    this.#owner = owner
    this.#began = core.cells.tick()
    this.#shown = optimistic.map(({ source, args }) => ({ '~narrowed': true, source, args }))
    this.scope = [...refreshes.map(narrowed), ...this.#shown]
    core.commits.run('optimistic', () => {
      try {
        for (const patch of optimistic) for (const cell of core.cells.matching(patch)) this.#show(cell, patch)
      } catch (error) {
        this.#removeOverlays()
        throw error
      }
    })
    core.writes.add(this)
  }

  /** Whether the identity that made the write is still the present one. */
  get isPresent(): boolean {
    return !this.#owner || this.#owner === this.#core.session.identity
  }

  /** The platform has done it. Resolves when every watched store that it touches shows it, or has to retry. */
  succeed(answered: number, refreshes: readonly Target[], writes: readonly Patch[]): Promise<void> {
    const { cells } = this.#core
    const stale = refreshes.map(narrowed)
    return writeSucceeded(this.#core, this.#owner, [...stale, ...writes], () => {
      this.#core.writes.delete(this)
      const told = new Map<Cell, Patch[]>()
      for (const patch of writes)
        for (const cell of cells.matching(patch)) told.set(cell, [...(told.get(cell) ?? []), patch])
      const touched = [...stale, ...this.#shown].flatMap(target => cells.staleWith(target))
      const all = new Set([...told.keys(), ...touched])
      const loads = [...all].flatMap(cell => this.#tell(cell, told.get(cell), answered) ?? [])
      this.#removeOverlays()
      return loads
    })
  }

  /** It failed. With an unknown outcome, the stores that it may have changed are out of date. */
  fail(error: unknown): void {
    writeFailed(this.#core, this.#owner, this.scope, error, () => {
      this.#core.writes.delete(this)
      this.#removeOverlays()
    })
  }

  /** Shows an overlay until the write is answered; a cell without watchers or without a value needs none. */
  #show(cell: Cell, { change }: Patch): void {
    if (!cell.isWatched || !cell.cellValue.hasValue) return
    addOverlay(cell.cellValue, { write: this, change })
    this.#core.commits.touch(cell)
  }

  /** Makes the cell show the answer; the returned promise settles when a load that this needs has done so. */
  #tell(cell: Cell, patches: readonly Patch[] | undefined, answered: number): Promise<void> | undefined {
    if (patches && !this.#overlaps(cell)) {
      this.#removeOverlay(cell)
      if (patches.every(({ change }) => cell.write(change, answered))) return undefined
    }
    if (bakeOverlay(cell.cellValue, this)) this.#core.commits.touch(cell)
    return cell.invalidate(answered)
  }

  /** Answers do not show the order on the server, so an answer that another one has overtaken is not applied. */
  #overlaps(cell: Cell): boolean {
    if (cell.toldAt > this.#began) return true
    return [...this.#core.writes].some(({ scope }) => scope.some(target => isStaleWith(cell, target)))
  }

  #removeOverlays(): void {
    for (const cell of this.#core.cells) this.#removeOverlay(cell)
  }

  #removeOverlay(cell: Cell): void {
    if (removeOverlay(cell.cellValue, this)) this.#core.commits.touch(cell)
  }
}
