import type { Clock, Kit, Snapshot, Store } from 'rxauth'

/** The parts of a kit that React needs. */
export interface Parts {
  readonly kit: Kit
  readonly clock: Clock
  /** Replaced when another user signs in, or the session ends. */
  readonly committedSession: {
    readonly identity: { readonly kind: string }
    /** Undefined if the tokens cannot be read here. */
    readonly isCurrent: boolean | undefined
  }
  /** Throws DISPOSED after the kit's disposal. */
  assertAlive(): void
}

/** What a store keeps up to date while it has listeners. */
export interface Live<T> {
  readonly snapshot: Snapshot<T>
}

/** A store's internal interface for React. */
export interface Telling<T = unknown> {
  /** While it has listeners, and for a second after `get()`. */
  readonly '~live'?: Live<T> | undefined
  /** Whether another handle is of the same store. */
  '~isSame'?(other: unknown): boolean
  /** Whether code of the app has failed, as it would after any load. */
  readonly hasThrown?: boolean
  /** The parts of its kit. */
  readonly '~parts'?: Parts
}

/** A store's internal interface for React; empty if it was not made by a kit. */
export function telling<T>(store: Store<T>): Telling<T> {
  return store as Telling<T>
}
