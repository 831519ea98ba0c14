import type { EventOf, RecordedEvent } from './checked'

/** The clock of a browser goes on within a turn: what a turn does has times that differ by less. */
export const turnMillis = 10

/** Events that a reader needs and the player does not. */
export const told = new Set<RecordedEvent['type']>(['token', 'visible', 'start'])

/** These may happen in one turn of the app with what came before; others in a later one. */
export const inTurn = new Set<RecordedEvent['type']>([
  'watch',
  'leave',
  'clock',
  'load',
  'load anew',
  'outdate',
  'unused',
  'commit',
])

/** Between these and the tokens that another tab has written, the kit has not read its own. */
const silent = new Set<RecordedEvent['type']>([...inTurn, ...told, 'random'])

/**
 * Of events that let the kit read its tokens, the event of the tokens that another tab had written before: it comes after them, in
 * the same turn.
 */
export function writtenElsewhere(events: readonly RecordedEvent[]): ReadonlyMap<RecordedEvent, EventOf<'tokens'>> {
  const read = new Map<RecordedEvent, EventOf<'tokens'>>()
  let next: EventOf<'tokens'> | undefined
  for (const event of [...events].reverse()) {
    if (next && next.at < event.at + turnMillis) read.set(event, next)
    if (event.type === 'tokens') next = event.cause === 'elsewhere' ? event : undefined
    else if (!silent.has(event.type)) next = undefined
  }
  return read
}
