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

/** A change of the value that is shown until the platform has answered the write (`overlays.ts`). */
export interface Overlay {
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
  overlays: readonly Overlay[] = []

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

  forget(): void {
    this.base = this.failure = undefined
    this.overlays = []
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
    this.overlays = this.overlays.filter(({ change }) => {
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
      unconfirmed: new Set(this.overlays.map(({ write }) => write)).size,
      ...(failure && { error: failure.error }),
    }
  }
}

function base(value: unknown, fetchedAt: Moment): Base {
  return { value, fetchedAt, date: new Date(fetchedAt.wall) }
}
