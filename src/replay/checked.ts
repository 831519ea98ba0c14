import * as v from 'valibot'
import { isRecord } from '../core/values'
import { misuse } from '../errors/auth-error'
import { forms, type RecordedEvent } from './events'

const maxEvents = 100_000
const maxDepth = 100

/** A recording whose events all have their forms. */
export interface Checked {
  /** The version of rxauth that has recorded it. */
  readonly rxauth: string
  readonly events: readonly RecordedEvent[]
  /** The events are only those that lead to one decision of a recording: there are no others to compare. */
  readonly isPart?: boolean
}

/**
 * A recording with each event in its form. A recording comes from a stranger: throws INVALID_INPUT that names the event which is
 * not as `record` writes it.
 */
export function checked(recording: unknown): Checked {
  if (!isRecord(recording)) throw refused('is no recording: an object with "version" and "events"')
  if (recording['version'] !== 2)
    throw refused(`has another version than 2, which this rxauth plays; play it with the rxauth that wrote it`)
  const { events: given, rxauth, isPart } = recording
  if (!Array.isArray(given) || given.length === 0) throw refused('has no list of events')
  if (given.length > maxEvents) throw refused(`has ${given.length} events, and at most ${maxEvents} are played`)
  let last = { at: 0, turn: 0, step: 0 }
  const events = given.map((each: unknown, index) => {
    if (isDeeper(each, maxDepth)) throw refused(`has an event ${index} that is nested too deeply`)
    const event = isRecord(each) ? each : {}
    // An event has of its moment what differs from that of the event before.
    const isInTurn = (event['turn'] ?? last.turn) === last.turn
    const [, form] = Object.entries(forms).find(([key]) => key in event) ?? ['in', forms.in]
    const result = v.safeParse(form, { ...last, ...(!isInTurn && { step: 0 }), ...event, index })
    if (!result.success) {
      const field = v.getDotPath(result.issues[0]) ?? 'it'
      throw refused(`has an event ${index} that record() does not write: its ${field.slice(0, 100)} is not valid`)
    }
    // The forms are those of events.
    const output = result.output as RecordedEvent
    const { at, turn, step } = output
    if (at < last.at) throw refused(`has an event ${index} that is earlier than the one before it`)
    last = { at, turn, step }
    return output
  })
  if (events.filter(event => 'start' in event).length > 1) throw refused('has more than one event "start"')
  return { rxauth: typeof rxauth === 'string' ? rxauth : '', events, isPart: isPart === true }
}

export function refused(text: string) {
  return misuse('recording', text)
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some(part => isDeeper(part, depth - 1))
}
