import type { Clock, Moment } from '../core/clock'
import { millisSince } from '../core/clock'
import { reuseEqualParts } from '../core/equal'
import { toAuthError } from '../errors/auth-error'
import type { AnyAuthError } from '../errors/auth-error'
import { pending } from './snapshot'
import type { Snapshot } from './snapshot'

/** The greatest age of a value that is returned without a request. */
export const defaultMaxAgeMillis = 5_000

type Change = (value: unknown) => unknown

interface Overlay {
  /** The write that has added it, compared by reference. */
  readonly write: object
  readonly change: Change
}

/** A value from the platform. */
export interface Base {
  readonly value: unknown
  readonly fetchedAt: Moment
  /** The same as a date: one object per value. */
  readonly date: Date
}

/** What a cell knows: the last value from the platform, the overlays on it, and the last failure. */
export class CellValue {
  isStale = false
  /** Not shown until the owner of the value is known. */
  isHidden = false
  /** The last value from the platform, without overlays. */
  base: Base | undefined
  failure: { readonly error: AnyAuthError; readonly failedAt: Date } | undefined
  #overlays: readonly Overlay[] = []

  get hasValue(): boolean {
    return this.base !== undefined
  }

  /** The value is neither stale nor followed by a failure, at any age. */
  get isGood(): boolean {
    return this.hasValue && !this.isStale && !this.failure
  }

  isFresh(clock: Clock, maxAgeMillis: number): boolean {
    return this.isGood && this.base !== undefined && millisSince(this.base.fetchedAt, clock) <= maxAgeMillis
  }

  setValue(value: unknown, fetchedAt: Moment): void {
    this.base = base(this.base ? reuseEqualParts(this.base.value, value) : value, fetchedAt)
    this.failure = undefined
    this.isStale = this.isHidden = false
  }

  setFailure(error: unknown, failedAt: Date): void {
    this.failure = { error: toAuthError(error), failedAt }
  }

  /**
   * Applies an answer to the last value from the platform. If `change` throws, nothing changes. A change of a part leaves
   * staleness and failure as they are.
   */
  changeValue(change: Change, at: Moment): void {
    if (this.base) this.base = base(reuseEqualParts(this.base.value, change(this.base.value)), at)
  }

  /** Adds an overlay. Throws CALLBACK_FAILED if its change throws on the present value. */
  addOverlay(write: object, change: Change): void {
    try {
      change(this.#overlays.reduce((value, overlay) => overlay.change(value), this.base?.value))
    } catch (error) {
      throw toAuthError(error)
    }
    this.#overlays = [...this.#overlays, { write, change }]
  }

  /** Removes a write's overlays; true if there were any. */
  removeOverlay(write: object): boolean {
    const before = this.#overlays
    this.#overlays = before.filter(overlay => overlay.write !== write)
    return this.#overlays.length < before.length
  }

  /**
   * The write succeeded, but its answer does not contain the value: the overlays become part of the value until a load
   * replaces it.
   */
  bakeOverlay(write: object): boolean {
    const settled = this.#overlays.filter(overlay => overlay.write === write)
    for (const { change } of settled)
      try {
        if (this.base) this.base = { ...this.base, value: change(this.base.value) }
      } catch {
        // It fitted only with the overlays of other writes.
      }
    return this.removeOverlay(write)
  }

  forget(): void {
    this.base = this.failure = undefined
    this.#overlays = []
    this.isStale = this.isHidden = false
  }

  /** The snapshot of this state; parts equal to those of `before` keep their reference. */
  snapshot(
    before: Snapshot<unknown>,
    refreshing: boolean,
    onThrow: (error: unknown) => void,
    show: Change,
  ): Snapshot<unknown> {
    const failure = this.failure
    if (this.isHidden) return pending
    if (!this.base) return failure ? { status: 'failed', ...failure, refreshing } : pending
    let { value } = this.base
    this.#overlays = this.#overlays.filter(({ change }) => {
      try {
        value = change(value)
        return true
      } catch (error) {
        // It fitted an earlier value.
        onThrow(toAuthError(error))
        return false
      }
    })
    value = show(value)
    return {
      status: 'ready',
      value: before.status === 'ready' ? reuseEqualParts(before.value, value) : value,
      fetchedAt: this.base.date,
      refreshing,
      unconfirmed: new Set(this.#overlays.map(({ write }) => write)).size,
      ...(failure && { error: failure.error }),
    }
  }
}

function base(value: unknown, fetchedAt: Moment): Base {
  return { value, fetchedAt, date: new Date(fetchedAt.wall) }
}
