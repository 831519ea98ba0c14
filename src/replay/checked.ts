import * as v from 'valibot'
import { isRecord } from '../core/values'
import { misuse } from '../errors/auth-error'

const maxEvents = 100_000
/** A year: no recording takes longer. */
const maxMillis = 31_536_000_000
const maxDepth = 100
const maxParts = 5_000_000

const millis = v.pipe(v.number(), v.minValue(-maxMillis), v.maxValue(maxMillis))
const text = v.pipe(v.string(), v.maxLength(10_000))
const header = v.pipe(v.string(), v.regex(/^[\x20-\x7e]{0,1000}$/))
const nullable = v.nullable(text)
const tokens = v.nullable(v.object({ accessToken: nullable, refreshToken: nullable }))
const json = v.unknown()
const id = v.pipe(v.number(), v.integer())
const place = { store: text, input: json }
const at = v.pipe(v.number(), v.minValue(0), v.maxValue(maxMillis))

const events = [
  v.object({
    at,
    type: v.literal('start'),
    wall: v.pipe(v.number(), v.minValue(0), v.maxValue(1e14)),
    attemptTimeoutMillis: v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(2_147_483_647))),
    isLocked: v.boolean(),
    isKnown: v.boolean(),
    tokens,
    reason: v.picklist(['never', 'signed-out', 'elsewhere', 'expired', 'deleted']),
    rotates: v.boolean(),
    aheadMillis: millis,
    stores: v.array(v.object({ ...place, value: json, ageMillis: millis, isStale: v.boolean() })),
    watched: v.array(v.object(place)),
  }),
  v.object({ at, type: v.literal('token'), name: text, claims: v.record(v.string(), json) }),
  v.object({
    at,
    type: v.literal('tokens'),
    cause: v.picklist(['never', 'signed-out', 'elsewhere', 'expired', 'deleted', 'signed-in', 'refreshed']),
    tokens,
  }),
  v.object({ at, type: v.literal('ended'), sessionId: text }),
  v.object({ at, type: v.literal('refused'), token: text }),
  v.object({
    at,
    type: v.literal('stale'),
    userId: nullable,
    stores: v.array(v.tuple([text, text])),
  }),
  v.object({ at, type: v.literal('watch'), ...place }),
  v.object({ at, type: v.literal('leave'), ...place }),
  v.object({ at, type: v.literal('load'), ...place }),
  v.object({ at, type: v.literal('load anew'), ...place }),
  v.object({ at, type: v.literal('loaded'), ...place, value: json }),
  v.object({ at, type: v.literal('give up'), ...place }),
  v.object({ at, type: v.literal('outdate'), ...place }),
  v.object({ at, type: v.literal('rest'), ...place }),
  v.object({ at, type: v.literal('unused'), ...place }),
  v.object({
    at,
    type: v.literal('shown'),
    ...place,
    value: json,
    unconfirmed: v.pipe(id, v.minValue(0), v.maxValue(1000)),
  }),
  v.object({ at, type: v.literal('commit'), cause: text, stores: v.array(text) }),
  v.object({ at, type: v.literal('request'), id, method: text, path: text, body: v.optional(json) }),
  v.object({
    at,
    type: v.literal('answer'),
    id,
    status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)), 200),
    headers: v.optional(
      v.object({
        'x-stack-actual-status': v.optional(header),
        'x-stack-known-error': v.optional(header),
        'retry-after': v.optional(header),
        date: v.optional(header),
      }),
      {},
    ),
    json: v.optional(json),
    text: v.optional(text),
    failure: v.optional(v.picklist(['TypeError', 'Error'])),
  }),
  v.object({ at, type: v.literal('random'), value: v.pipe(v.number(), v.minValue(0), v.maxValue(1)) }),
  v.object({ at, type: v.literal('clock'), by: millis }),
  v.object({ at, type: v.literal('timer'), due: millis, millis }),
  v.object({ at, type: v.picklist(['online', 'visible']), is: v.boolean() }),
  v.object({ at, type: v.literal('end'), auth: json, stores: v.array(v.object({ ...place, snapshot: json })) }),
] as const

const event = v.variant('type', events)

export type RecordedEvent = v.InferOutput<typeof event>
export type EventOf<T extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: T }>

/**
 * The events of a recording, each in its form. A recording comes from a stranger: throws INVALID_INPUT that names the event which
 * is not as `record` writes it.
 */
export function checkedEvents(recording: unknown): readonly RecordedEvent[] {
  if (!isRecord(recording)) throw refused('is no recording: an object with "version" and "events"')
  if (recording['version'] !== 1)
    throw refused(`has another version than 1, which this rxauth plays; play it with the rxauth that wrote it`)
  const { events: given } = recording
  if (!Array.isArray(given) || given.length === 0) throw refused('has no list of events')
  if (given.length > maxEvents) throw refused(`has ${given.length} events, and at most ${maxEvents} are played`)
  let last = 0
  const budget = { parts: maxParts }
  const checked = given.map((each: unknown, index) => {
    if (isDeeper(each, maxDepth, budget)) throw refused(`has an event ${index} that is nested too deeply`)
    if (budget.parts < 0) throw refused(`is too large: its events have more than ${maxParts} parts`)
    const result = v.safeParse(event, each)
    if (!result.success) {
      const field = v.getDotPath(result.issues[0]) ?? 'it'
      throw refused(`has an event ${index} that record() does not write: its ${field.slice(0, 100)} is not valid`)
    }
    if (result.output.at < last) throw refused(`has an event ${index} that is earlier than the one before it`)
    last = result.output.at
    return result.output
  })
  const starts = checked.filter(({ type }) => type === 'start').length
  if (starts !== 1) throw refused(`has ${starts} events of type "start" in place of one`)
  return checked
}

function refused(text: string) {
  return misuse('recording', text)
}

/** Also ends where the budget does: one object may be part of many. */
function isDeeper(value: unknown, depth: number, budget: { parts: number }): boolean {
  if (--budget.parts < 0 || typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const part of Object.values(value)) {
    if (isDeeper(part, depth - 1, budget)) return true
    if (budget.parts < 0) return false
  }
  return false
}
