import { isAuthError } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import type { Cell } from './cell'
import { narrowed } from './definition'
import type { Narrowed, Patch, Target } from './definition'
import type { Core } from './kit'

/** One write on its way: what it shows meanwhile, and what it changes when it is answered. */
export class Write {
  readonly #core: Core
  readonly #owner: Identity | undefined
  readonly #began: number
  /** What it may touch, as far as its input tells. */
  readonly #scope: readonly Narrowed[]

  /** Shows `optimistic` at once; throws, and shows nothing, if one of the patches throws. */
  constructor(core: Core, owner: Identity | undefined, refreshes: readonly Target[], optimistic: readonly Patch[]) {
    this.#core = core
    this.#owner = owner
    this.#began = core.cells.tick()
    this.#scope = [...refreshes.map(narrowed), ...optimistic.map(patch => ({ '~narrowed': true, ...patch }) as const)]
    core.commits.run('optimistic', () => {
      try {
        for (const patch of optimistic) for (const cell of core.cells.matching(patch)) cell.lay(this, patch.change)
      } catch (error) {
        this.#lift()
        throw error
      }
    })
    core.writes.add(this)
  }

  /** Whether the one it was made for is still the one who is signed in. */
  get isPresent(): boolean {
    return !this.#owner || this.#owner === this.#core.session.identity
  }

  /** The platform has done it. Resolves when every watched store that it touches shows so, or cannot for now. */
  async succeed(answered: number, refreshes: readonly Target[], writes: readonly Patch[]): Promise<void> {
    const { cells, commits } = this.#core
    const loads: Promise<void>[] = []
    commits.run('written', () => {
      this.#end()
      const told = new Map<Cell, Patch[]>()
      for (const patch of writes)
        for (const cell of cells.matching(patch)) told.set(cell, [...(told.get(cell) ?? []), patch])
      const touched = new Set([...told.keys(), ...refreshes.map(narrowed).flatMap(target => cells.matching(target))])
      for (const cell of touched) {
        const patches = told.get(cell)
        // Answers tell nothing about the order on the server, so overlapping ones are not believed.
        const isTold = patches && !this.#overlaps(cell) && patches.every(({ change }) => cell.write(change))
        cell.writtenAt = answered
        const load = isTold ? undefined : cell.invalidate(answered)
        if (load) loads.push(load)
      }
    })
    this.#tellTabs(refreshes, writes)
    await Promise.all(loads)
  }

  /** It failed. Where nobody knows whether the platform did it, what it may have touched is out of date. */
  fail(error: unknown): void {
    const { cells, commits } = this.#core
    commits.run('rolled back', () => {
      this.#end()
      if (!isOutcomeUnknown(error)) return
      const answered = cells.tick()
      for (const target of this.#scope) for (const cell of cells.matching(target)) void cell.invalidate(answered)
    })
  }

  #overlaps(cell: Cell): boolean {
    if (cell.writtenAt > this.#began) return true
    return [...this.#core.writes].some(other =>
      other.#scope.some(scope => this.#core.cells.matching(scope).includes(cell)),
    )
  }

  #end(): void {
    this.#core.writes.delete(this)
    this.#lift()
  }

  #lift(): void {
    for (const cell of this.#core.cells) cell.lift(this)
  }

  #tellTabs(refreshes: readonly Target[], writes: readonly Patch[]): void {
    const { session } = this.#core
    const stores = [...refreshes.map(narrowed), ...writes].map(
      ({ source, args }) => [source.key, JSON.stringify(args)] as const,
    )
    if (stores.length > 0) session.tabs.post({ stale: { userId: session.identity.userId, stores } })
  }
}

/** Whether the platform may have done it although the call failed. */
function isOutcomeUnknown(error: unknown): boolean {
  if (!isAuthError(error)) return true
  if (error.status !== undefined && error.status >= 500) return true
  return isAuthError(error, 'NETWORK_ERROR', 'TIMED_OUT', 'INVALID_RESPONSE', 'ABORTED', 'DISPOSED')
}
