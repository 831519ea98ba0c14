import type { Recording } from '../extras/record/record'
import { isAuthError } from '../errors/auth-error'
import { isRecord } from '../core/values'
import { endsOf } from './ends'
import type { Ends } from './ends'

type Lists = Readonly<Record<string, unknown>>

/** The lists of the event `start`: stores that had a value, or were watched, when the recording began. */
const lists = ['stores', 'watched']

/**
 * The recording without the events that its end does not need: if one more is taken out, `isKept` of the end to which it is played
 * is false. The end of the result is the one to which it is played.
 */
export async function minimise(recording: Recording, isKept: (played: Ends['played']) => boolean): Promise<Recording> {
  const isEnough = async (events: readonly object[]) => {
    try {
      return isKept((await endsOf({ version: 1, events })).played)
    } catch (error) {
      // What is left may be no recording: an access token is not in it that another event names.
      if (isAuthError(error, 'INVALID_INPUT')) return false
      throw error
    }
  }
  const start = recording.events.find(event => typeOf(event) === 'start') ?? {}
  const end = recording.events.filter(event => typeOf(event) === 'end')
  const between = recording.events.filter(event => event !== start && !end.includes(event))
  const needed = await fewest(between, some => isEnough([start, ...some, ...end]))
  let begin: Lists = { ...start }
  for (const list of lists) {
    const whole = begin
    const items = Array.isArray(whole[list]) ? (whole[list] as unknown[]) : []
    const left = await fewest(items, some => isEnough([{ ...whole, [list]: some }, ...needed, ...end]))
    begin = { ...whole, [list]: left }
  }
  const { played } = await endsOf({ version: 1, events: [begin, ...needed, ...end] })
  return { version: 1, events: [begin, ...needed, ...end.map(each => ({ ...each, ...endOf(played) }))] }
}

/** Takes out as many items at once as it can, then half as many, until no single item is left that `isEnough` does without. */
async function fewest<T>(
  items: readonly T[],
  isEnough: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = items
  let size = left.length
  while (size >= 1) {
    let isFewer = false
    // From the end: an event depends on earlier ones.
    for (let to = left.length; to > 0; to -= size) {
      const some = [...left.slice(0, Math.max(0, to - size)), ...left.slice(to)]
      if (!(await isEnough(some))) continue
      left = some
      isFewer = true
    }
    if (size === 1 && !isFewer) break
    size = Math.max(1, Math.floor(Math.min(size, left.length) / 2))
  }
  return left
}

/** The end of a playing in the form of the event. */
function endOf(played: Ends['played']): object {
  const { auth$: auth = '{}', ...stores } = played
  return {
    auth: partIn(auth),
    stores: Object.entries(stores).map(([name, text]) => {
      const at = name.indexOf(' {')
      return { store: name.slice(0, at), input: JSON.parse(name.slice(at)) as unknown, snapshot: partIn(text) }
    }),
  }
}

function partIn(text: string): unknown {
  return (JSON.parse(text) as { readonly part?: unknown }).part
}

function typeOf(event: object): unknown {
  return isRecord(event) ? event['type'] : undefined
}
