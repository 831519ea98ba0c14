import type { Moment } from '../../core/clock'
import type { KitDecision, Input } from '../../core/tap'
import type { Core } from '../../store/kit-parts'
import type { Tokens } from '../../transport/access-token'
import type { Shown, StartState } from './state'

/** The result of `record`: JSON, for a file. */
export interface Recording {
  readonly version: 2
  /** The version of rxauth that has recorded it. */
  readonly rxauth: string
  readonly events: readonly object[]
}

/** An event from around the kit, or of this recording. */
export type Around =
  | { readonly in: 'shown'; readonly is: boolean }
  | { readonly in: 'abort'; readonly call: object }
  /** The page or its clock has changed, and the kit tells of nothing. */
  | { readonly in: 'look' }
  /** A moment at which nothing was under way: a recording can be played from there. */
  | { readonly start: StartState }

export interface KeptEvent extends Moment {
  /** Events of one turn of the app have the same number. */
  readonly turn: number
  /** The number of microtasks of the turn before it. */
  readonly step: number
  /** The number of accesses to the token store so far, in this turn. */
  readonly accesses: number
  /** Whether the page is online, visible, and the session followed, and the jumps of the wall clock: "true,true,false,0". */
  readonly seen: string
  readonly event: Input | KitDecision | Around
  /** The stores of a commit. */
  readonly shown?: readonly Shown[] | undefined
}

/** The parts from which a recording is written. */
export interface Tape {
  readonly core: Core
  readonly kept: readonly KeptEvent[]
  readonly end: readonly Shown[]
}

/** The fields by which a recording tells events apart, as the kit tells them. */
export interface ToldFields {
  readonly in?: string
  readonly signal?: AbortSignal
  /** The arguments of a call: the signal is in the options, which come last. */
  readonly given?: readonly (ToldFields | undefined)[]
  readonly run?: () => void
  readonly tokens?: Tokens | null
  readonly is?: boolean
  readonly text?: string
  readonly stores?: readonly string[]
}
