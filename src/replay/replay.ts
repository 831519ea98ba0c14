import type { Auth } from '../entities/users/auth'
import type { Recording } from '../extras/record/tape'

export type { Recording } from '../extras/record/tape'

/** The end of a playing. */
export interface Replayed {
  readonly auth: Auth
  /** Snapshots of the stores that something watched, by the names that `dehydrate` gives them. */
  readonly stores: Readonly<Record<string, unknown>>
  /** The first decision that differs; undefined: none does. */
  readonly divergence: Divergence | undefined
  /** All decisions of the kit. */
  readonly decisions: readonly object[]
}

/** The first decision that differs from the recorded ones. */
export interface Divergence {
  /** The number of the recorded decision that the kit has not made; after the last one, the number of events. */
  readonly event: number
  /** Undefined: the kit has decided something more. */
  readonly recorded?: object
  /** Undefined: the kit has not decided it. */
  readonly played?: object
  /** The number of the input before it; undefined: there was none. */
  readonly after?: number
}

/**
 * Plays what `record` has written, on a clock of its own: the inputs are given to another kit, whose decisions are compared with the
 * recorded ones. Gives the end that it had, and the first decision that differs. Texts are those of the recording.
 *
 * Throws INVALID_INPUT for what is no recording, and for one of an app that was never at rest.
 *
 * @example
 * const recording = record(app)
 * const { auth, divergence } = await replay(await recording.stop())
 * console.log(auth.status, divergence)
 */
export async function replay(recording: Recording): Promise<Replayed> {
  // The kit is loaded only then: a platform starts without it.
  const { checked, played } = await import('./played')
  return played(checked(recording))
}
