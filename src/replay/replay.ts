import type { Auth } from '../entities/users/auth'
import type { Recording } from '../extras/record/record'

export { endsOf } from './ends'

/**
 * Plays what `record` has written, in this process and on a clock of its own, and gives the end that it had: `auth$`, and the
 * snapshots of the stores that something watched, by the names that `dehydrate` gives them. Texts are those of the recording.
 *
 * Throws INVALID_INPUT for what is no recording.
 *
 * @example
 * const recording = record(app)
 * const { auth } = await replay(recording.stop())
 * console.log(auth.status)
 */
export async function replay(
  recording: Recording,
): Promise<{ readonly auth: Auth; readonly stores: Readonly<Record<string, unknown>> }> {
  // The kit is loaded only then: a platform starts without it.
  const { playedEnd } = await import('./ends')
  return playedEnd(recording)
}
