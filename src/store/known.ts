import type { Clock, Moment } from '../core/clock'
import { millisSince } from '../core/clock'
import { share } from '../core/equal'
import { toAuthError } from '../errors/auth-error'
import type { AnyAuthError } from '../errors/auth-error'
import { pending } from './snapshot'
import type { Snapshot } from './snapshot'
import type { Write } from './write'

/** How old a value may be to be served without asking the platform. */
export const defaultMaxAgeMillis = 5_000

type Change = (value: unknown) => unknown

interface Overlay {
  readonly write: Write
  readonly change: Change
}

interface Base {
  readonly value: unknown
  readonly fetchedAt: Moment
  /** The same for people; one object as long as the value is this old. */
  readonly date: Date
}

/** What a cell knows: the value that the platform last told of, the writes shown on top of it, the last failure. */
export class Known {
  isStale = false
  /** Not to be shown before it is known whose it is. */
  isHidden = false
  #base: Base | undefined
  #failure: { readonly error: AnyAuthError; readonly failedAt: Date } | undefined
  #overlays: readonly Overlay[] = []

  get hasValue(): boolean {
    return this.#base !== undefined
  }

  /** A value that nothing speaks against, however old it is. */
  get isGood(): boolean {
    return this.hasValue && !this.isStale && !this.#failure
  }

  isFresh(clock: Clock, maxAgeMillis: number): boolean {
    return this.isGood && this.#base !== undefined && millisSince(this.#base.fetchedAt, clock) <= maxAgeMillis
  }

  setValue(value: unknown, fetchedAt: Moment): void {
    this.#base = base(this.#base ? share(this.#base.value, value) : value, fetchedAt)
    this.#failure = undefined
    this.isStale = this.isHidden = false
  }

  setFailure(error: unknown, failedAt: Date): void {
    this.#failure = { error: toAuthError(error), failedAt }
  }

  /**
   * What an answer tells, applied to what the platform told before. Throws what `change` throws, and changes nothing. A
   * change of a part says nothing about the rest: what was stale stays so, and so does what has failed.
   */
  changeValue(change: Change, at: Moment): void {
    if (this.#base) this.#base = base(share(this.#base.value, change(this.#base.value)), at)
  }

  /** Shows a write before it is answered. Throws CALLBACK_FAILED if its change does not fit what is shown now. */
  lay(write: Write, change: Change): void {
    try {
      change(this.#overlays.reduce((value, overlay) => overlay.change(value), this.#base?.value))
    } catch (error) {
      throw toAuthError(error)
    }
    this.#overlays = [...this.#overlays, { write, change }]
  }

  /** Takes a write's changes out again; true if there were any. */
  lift(write: Write): boolean {
    const before = this.#overlays
    this.#overlays = before.filter(overlay => overlay.write !== write)
    return this.#overlays.length < before.length
  }

  /** The platform has done this write, and its answer does not tell the value: what was shown stays until a load tells it. */
  settle(write: Write): boolean {
    const settled = this.#overlays.filter(overlay => overlay.write === write)
    for (const { change } of settled)
      try {
        if (this.#base) this.#base = { ...this.#base, value: change(this.#base.value) }
      } catch {
        // It fitted only what other writes had made of the value.
      }
    return this.lift(write)
  }

  forget(): void {
    this.#base = this.#failure = undefined
    this.#overlays = []
    this.isStale = this.isHidden = false
  }

  /** The snapshot that says so; parts that equal those of `before` keep their reference. */
  snapshot(
    before: Snapshot<unknown>,
    refreshing: boolean,
    onThrow: (error: unknown) => void,
    show: Change,
  ): Snapshot<unknown> {
    const failure = this.#failure
    if (this.isHidden) return pending
    if (!this.#base) return failure ? { status: 'failed', ...failure, refreshing } : pending
    let { value } = this.#base
    this.#overlays = this.#overlays.filter(({ change }) => {
      try {
        value = change(value)
        return true
      } catch (error) {
        // It fitted the value that it was made for, not this newer one.
        onThrow(toAuthError(error))
        return false
      }
    })
    value = show(value)
    return {
      status: 'ready',
      value: before.status === 'ready' ? share(before.value, value) : value,
      fetchedAt: this.#base.date,
      refreshing,
      unconfirmed: new Set(this.#overlays.map(({ write }) => write)).size,
      ...(failure && { error: failure.error }),
    }
  }
}

function base(value: unknown, fetchedAt: Moment): Base {
  return { value, fetchedAt, date: new Date(fetchedAt.wall) }
}
