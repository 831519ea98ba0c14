import { momentOf } from '../core/clock'
import type { Moment } from '../core/clock'
import type { Participant } from './commit'
import type { Source } from './source'
import type { KitParts } from './kit'
import { CellValue } from './cell-value'
import type { Outlet, Projection } from './outlet'
import { Outlets } from './outlets'
import { pending, sameSnapshot } from './snapshot'
import type { Snapshot } from './snapshot'

/** The state of one cell: the known value, the overlays of writes, and the outlets that emit it. */
export abstract class CellState implements Participant {
  readonly name: string
  readonly source: Source
  readonly input: object
  /** Whether it belongs to the session and is dropped with it. */
  readonly isOwned: boolean
  /** The committed snapshot, which outlets emit. */
  state: Snapshot<unknown> = pending
  readonly cellValue = new CellValue()

  protected readonly core: KitParts
  protected readonly outlets: Outlets

  /** `release`: called by each watcher when it unsubscribes. */
  constructor(core: KitParts, source: Source, input: object, release: () => void) {
    this.core = core
    this.name = source.key
    this.source = source
    this.isOwned = source.ownedBy === 'session'
    this.input = input
    this.outlets = new Outlets(release)
  }

  abstract readonly isWatched: boolean
  protected abstract readonly isLoading: boolean

  /** The outlet of a view; without a view, the cell's own. */
  outlet<T>(view: Projection<unknown, T>): Outlet<unknown, T> {
    return this.outlets.of(view, this.state)
  }

  take(): boolean {
    const before = this.state
    const { core, source } = this
    const show = (value: unknown) => source.shown?.(value, core.session.identity) ?? value
    const next =
      this.isOwned && core.committedSession.held
        ? pending
        : this.cellValue.snapshot(before, this.isLoading, core.onUnhandled, show)
    this.state = sameSnapshot(before, next)
    if (this.state !== before) this.outlets.take(this.state)
    return this.state !== before
  }

  tell(): void {
    this.outlets.tell(this.core.onUnhandled)
  }

  protected commit(cause: string, change?: () => unknown): void {
    this.core.commits.run(cause, () => {
      change?.()
      this.core.commits.touch(this)
    })
  }

  protected now(): Moment {
    return momentOf(this.core.clock)
  }
}
