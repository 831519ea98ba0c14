import type { Signal } from '../../core/web-types'
import type { Target } from '../definition'
import type { Kit } from '../kit'
import type { Patch } from '../source'

/** Options of every call. */
export interface CallOptions {
  readonly signal?: Signal
}

/** The effects of a write on stores. */
export interface Effects<I, O> {
  /**
   * The stores that this write makes stale, narrowed by arguments. Required: `() => []` means none. `output` is undefined
   * while the outcome is unknown.
   */
  refreshes(input: I, output: O | undefined): readonly Target[]
  /**
   * Overlays until the platform answers: rolled back on failure, replayed in order over newer values. The kit's other stores
   * can supply values that the input lacks, such as the team of an id.
   */
  optimistic?(input: I, kit: Kit): readonly Patch[]
  /**
   * The changes in the answer, applied when it arrives, without a request. A store named here and in `refreshes` emits once
   * and is not loaded again.
   */
  writes?(input: I, output: O): readonly Patch[]
  /** After success, before `refreshes`: start or end a session. */
  settled?(kit: Kit, output: O, input: I): void | PromiseLike<void>
}
