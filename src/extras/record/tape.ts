import type { KitDecision, HostState, Input } from '../../core/tap'
import type { Core } from '../../store/kit-parts'
import type { SealedNames } from './seal'
import type { ShownStore, StartState } from './state'

/** The result of `record`: JSON, for a file. */
export interface Recording {
  readonly version: 2
  /** The version of rxauth that has recorded it. */
  readonly rxauth: string
  readonly events: readonly object[]
}

/** An event from around the kit, or of this recording. */
export type Around =
  | { readonly in: HostState | 'followed'; readonly is: boolean }
  | { readonly in: 'abort'; readonly call: object }
  | { readonly in: 'clock'; readonly by: number }
  /** A moment at which nothing was under way: a recording can be played from there. */
  | { readonly start: StartState }

export interface KeptEvent {
  /** In milliseconds since the recording began. */
  readonly at: number
  /** Events of one turn of the app have the same number. */
  readonly turn: number
  /** The number of microtasks of the turn before it. */
  readonly step: number
  /** The number of an access to the token store, since the input before it. */
  readonly access?: number | undefined
  readonly event: Input | KitDecision | Around
  /** The snapshots of the stores of a commit; they never change. */
  readonly shown?: readonly ShownStore[] | undefined
}

/** The parts from which a recording is written. */
export interface Tape {
  readonly core: Core
  readonly names: SealedNames
  readonly kept: readonly KeptEvent[]
  readonly end: readonly ShownStore[]
}
