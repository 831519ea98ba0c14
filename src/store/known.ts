import { momentOf, type Clock, type Moment } from '../core/clock'
import { reuseEqualParts } from '../core/values'
import { toAuthError, type AnyAuthError } from '../errors/auth-error'
import { pending, type Snapshot } from './snapshot'

export type ValueChange = (value: unknown) => unknown

/** A change of the value that is shown until the platform has answered the write. */
export interface Overlay {
  /** The write that has added it, compared by reference. */
  readonly write: object
  readonly change: ValueChange
}

/** A value from the platform. */
interface FetchedValue {
  readonly value: unknown
  readonly fetchedAt: Moment
  /** The wall time of `fetchedAt` as a date: one object per value. */
  readonly date: Date
}

/** The state of one store: the last value from the platform, why there is no newer one, and the overlays of writes. */
export class KnownValue {
  base: FetchedValue | undefined
  failure: { readonly error: AnyAuthError; readonly failedAt: Date } | undefined
  isStale = false
  /** Not shown until the owner of the value is known. */
  isHidden = false
  #overlays: readonly Overlay[] = []

  setValue(value: unknown, fetchedAt: Moment): void {
    const { base } = this
    this.base = baseOf(base ? reuseEqualParts(base.value, value) : value, fetchedAt)
    this.failure = undefined
    this.isStale = this.isHidden = false
  }

  setFailure(error: unknown, failedAt: Date): void {
    this.failure = { error: toAuthError(error), failedAt }
  }

  /** Applies an answer to the value. False: there is none. What the change throws is passed on. */
  change(change: ValueChange, clock: Clock): boolean {
    const { base } = this
    if (!base) return false
    this.base = baseOf(reuseEqualParts(base.value, change(base.value)), momentOf(clock))
    return true
  }

  forget(): void {
    this.base = this.failure = undefined
    this.#overlays = []
    this.isStale = this.isHidden = false
  }

  /** Throws CALLBACK_FAILED if its change throws on the present value. */
  addOverlay(overlay: Overlay): void {
    try {
      overlay.change(this.#overlays.reduce((value, { change }) => change(value), this.base?.value))
    } catch (error) {
      throw toAuthError(error)
    }
    this.#overlays = [...this.#overlays, overlay]
  }

  /** Removes a write's overlays; true if there were any. */
  removeOverlays(write: object): boolean {
    const before = this.#overlays
    this.#overlays = before.filter(overlay => overlay.write !== write)
    return this.#overlays.length < before.length
  }

  /**
   * The write succeeded, but its answer does not contain the value: its overlays become part of the value until a load replaces
   * it. True if there were any.
   */
  bakeOverlays(write: object): boolean {
    for (const { change } of this.#overlays.filter(overlay => overlay.write === write))
      try {
        if (this.base) this.base = { ...this.base, value: change(this.base.value) }
      } catch {
        // The change fitted only with the overlays of other writes.
      }
    return this.removeOverlays(write)
  }

  /** The snapshot after `before`, whose equal parts keep their reference; `show` is the source's last change of a value. */
  shown(
    before: Snapshot<unknown>,
    refreshing: boolean,
    show: ValueChange,
    onThrow: (error: unknown) => void,
  ): Snapshot<unknown> {
    const { base, failure } = this
    if (this.isHidden) return pending
    if (!base) return failure ? { status: 'failed', ...failure, refreshing } : pending
    let { value } = base
    this.#overlays = this.#overlays.filter(({ change }) => {
      try {
        value = change(value)
        return true
      } catch (error) {
        // The change fitted an earlier value.
        onThrow(toAuthError(error))
        return false
      }
    })
    value = show(value)
    return {
      status: 'ready',
      value: before.status === 'ready' ? reuseEqualParts(before.value, value) : value,
      fetchedAt: base.date,
      refreshing,
      unconfirmed: new Set(this.#overlays.map(({ write }) => write)).size,
      ...(failure && { error: failure.error }),
    }
  }
}

function baseOf(value: unknown, fetchedAt: Moment): FetchedValue {
  return { value, fetchedAt, date: new Date(fetchedAt.wall) }
}
