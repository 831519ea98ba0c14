import type { Auth } from '../entities/users/auth'
import type { Recording } from '../extras/record/record'
import { authForm, snapshotForm } from '../extras/record/end'
import { argsKey } from '../store/source'
import { checkedEvents } from './checked'
import type { EventOf, RecordedEvent } from './checked'
import type { Played } from './play'

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
  return playAll(checkedEvents(recording))
}

/** The kit is loaded only then: a platform starts without it. */
async function playAll(events: readonly RecordedEvent[]): Promise<Played> {
  const { play } = await import('./play')
  return play(events)
}

/** The end of a recording as JSON, and the one that it was played to. */
export interface Ends {
  readonly recorded: Readonly<Record<string, string>>
  readonly played: Readonly<Record<string, string>>
}

/** Plays a recording, and gives both ends by parts: `auth$` and the names of the stores. */
export async function endsOf(recording: Recording): Promise<Ends> {
  const events = checkedEvents(recording)
  const end = events.find((event): event is EventOf<'end'> => event.type === 'end')
  const { auth, stores } = await playAll(events)
  const recorded = end
    ? [
        ['auth$', end.auth] as const,
        ...end.stores.map(each => [`${each.store} ${argsKey(Object(each.input) as object)}`, each.snapshot] as const),
      ]
    : []
  const played = Object.entries(stores).map(([name, snapshot]) => [name, snapshotForm(snapshot)] as const)
  return { recorded: texts(recorded), played: texts([['auth$', authForm(auth)], ...played]) }
}

function texts(parts: readonly (readonly [string, unknown])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(parts.map(([name, part]) => [name, argsKey({ part })]))
}
