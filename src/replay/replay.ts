import type { Recording } from '../extras/record/tape'
import type { Replayed } from './player'

export type { Recording } from '../extras/record/tape'
export type { Divergence, Replayed } from './player'

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
  const { checked, played } = await import('./player')
  const { made, ...replayed } = await played(checked(recording))
  return replayed
}
