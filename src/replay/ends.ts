import type { Recording } from '../extras/record/record'
import { authForm, snapshotForm } from '../extras/record/end'
import { argsKey } from '../store/source'
import { checkedEvents } from './checked'
import type { EventOf } from './checked'
import { play } from './play'
import type { Played } from './play'

export type { Recording } from '../extras/record/record'

/** Plays a recording, and gives its end. Throws INVALID_INPUT for what is no recording. */
export async function playedEnd(recording: Recording): Promise<Played> {
  return play(checkedEvents(recording))
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
  const { auth, stores } = await play(events)
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
