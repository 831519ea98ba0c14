import type { Snapshot, Store } from 'rxauth'
import type { Parts } from './attempts'

/** What a store keeps up to date as long as somebody listens. */
export interface Live<T> {
  readonly snapshot: Snapshot<T>
}

/** What a store may tell React besides its public face. */
export interface Telling<T = unknown> {
  /** Its snapshot, or what `get()` has just given: a component that has waited for that watches nothing yet. */
  readonly '~seen'?: Snapshot<T>
  /** Only while somebody listens. */
  readonly '~live'?: Live<T> | undefined
  /** Whether another handle is of the same store. */
  '~isSame'?(other: unknown): boolean
  /** Whether code of the app has failed, which it does again however often something is loaded. */
  readonly hasThrown?: boolean
  /** What its kit is made of. */
  readonly '~parts'?: Parts
}

/** What a store tells React; nothing if it was not made by a kit. */
export function telling<T>(store: Store<T>): Telling<T> {
  return store as Telling<T>
}
