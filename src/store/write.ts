import { isAuthError } from '../errors/auth-error'
import type { InvalidResponseDetails } from '../errors/details'
import type { Identity } from '../session/identity'
import type { Cell } from './cell'
import { argsKey, isStaleWith } from './source'
import { narrowed } from './definition'
import type { Narrowed, Patch } from './source'
import type { Target } from './definition'
import type { Core } from './core'

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
        for (const patch of optimistic)
          for (const cell of core.cells.matching(patch)) cell.addOverlay(this, patch.change)
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
  async succeed(answered: number, refreshes: readonly Target[], writes: readonly Patch[]): Promise<void> {
    const { cells, clock, commits } = this.#core
    const loads: Promise<void>[] = []
    cells.changedAt = clock.now()
    commits.run('written', () => {
      this.#core.writes.delete(this)
      const told = new Map<Cell, Patch[]>()
      for (const patch of writes)
        for (const cell of cells.matching(patch)) told.set(cell, [...(told.get(cell) ?? []), patch])
      const targets = [...refreshes.map(narrowed), ...this.#shown]
      for (const cell of new Set([...told.keys(), ...targets.flatMap(target => cells.staleWith(target))])) {
        const load = this.#tell(cell, told.get(cell), answered)
        if (load) loads.push(load)
      }
      this.#removeOverlays()
    })
    this.#tellTabs([...refreshes.map(narrowed), ...writes])
    await Promise.all(loads)
  }

  /** It failed. With an unknown outcome, the stores that it may have changed are out of date. */
  fail(error: unknown): void {
    const { cells, clock, commits } = this.#core
    cells.changedAt = clock.now()
    commits.run('rolled back', () => {
      this.#core.writes.delete(this)
      this.#removeOverlays()
      if (!isOutcomeUnknown(error)) return
      const answered = cells.tick()
      for (const target of this.scope) for (const cell of cells.staleWith(target)) void cell.invalidate(answered)
    })
    if (isOutcomeUnknown(error)) this.#tellTabs(this.scope)
  }

  /** Makes the cell show the answer; the returned promise settles when a load that this needs has done so. */
  #tell(cell: Cell, patches: readonly Patch[] | undefined, answered: number): Promise<void> | undefined {
    if (patches && !this.#overlaps(cell)) {
      cell.removeOverlay(this)
      if (patches.every(({ change }) => cell.write(change, answered))) return undefined
    }
    cell.bakeOverlay(this)
    return cell.invalidate(answered)
  }

  /** Answers do not show the order on the server, so an answer that another one has overtaken is not applied. */
  #overlaps(cell: Cell): boolean {
    if (cell.toldAt > this.#began) return true
    return [...this.#core.writes].some(({ scope }) => scope.some(target => isStaleWith(cell, target)))
  }

  #removeOverlays(): void {
    for (const cell of this.#core.cells) cell.removeOverlay(this)
  }

  #tellTabs(touched: readonly Pick<Narrowed, 'source' | 'args'>[]): void {
    const { session, onWritten } = this.#core
    onWritten?.(touched)
    if (touched.length === 0 || !session.tabs.areShared || session.ended.aborted) return
    const stores = new Map<string, readonly [definition: string, args: string]>()
    for (const { source, args } of touched) {
      const text = argsKey(args)
      stores.set(source.key + text, [source.key, text])
    }
    const { userId } = this.#owner ?? session.identity
    session.tabs.post({ stale: { userId, stores: [...stores.values()] } })
  }
}

/** Whether the platform has done the write although its answer cannot be used. */
export function isDone(error: unknown): boolean {
  // An error constructed by the app may lack details.
  return (
    isAuthError(error, 'INVALID_RESPONSE') &&
    (error.details as Partial<InvalidResponseDetails> | undefined)?.isDone === true
  )
}

/** Whether the platform may have done the write although the call failed. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!isAuthError(error)) return true
  if (error.status !== undefined && error.status >= 500) return true
  return isAuthError(error, 'NETWORK_ERROR', 'TIMED_OUT', 'INVALID_RESPONSE', 'ABORTED', 'DISPOSED')
}
