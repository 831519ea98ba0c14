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
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const place = { store: text, input: json }
const call = { call: v.optional(count) }
const access = { access: v.optional(count) }
const shown = v.record(text, text)
const message = {
  ended: v.optional(text),
  stale: v.optional(v.object({ userId: nullable, stores: v.array(v.tuple([text, text])) })),
}
/** JSON has null for Infinity. */
const age = v.pipe(
  v.nullable(v.number()),
  v.transform(millis => millis ?? Infinity),
)
/** Why a tab signs out: by the app, or by `sessionLimits`. */
const signOuts = ['signed-out', 'idle', 'limit'] as const
const moment = v.object({
  at: v.pipe(v.number(), v.minValue(0), v.maxValue(maxMillis)),
  turn: count,
  step: count,
})

const inputs = [
  v.object({
    in: v.literal('answer'),
    id: count,
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
  v.object({ in: v.literal('timer'), due: millis, millis }),
  v.object({ in: v.literal('random'), value: v.pipe(v.number(), v.minValue(0), v.maxValue(1)) }),
  v.object({ in: v.literal('clock'), by: millis }),
  v.object({ in: v.picklist(['online', 'visible', 'shown', 'followed']), is: v.boolean() }),
  v.object({ in: v.literal('held'), tokens, ...access }),
  v.object({ in: v.literal('signed in'), tokens }),
  v.object({ in: v.picklist(['unread', 'kept']), ...access }),
  v.object({ in: v.literal('sign out'), reason: v.optional(v.picklist(signOuts), 'signed-out') }),
  v.object({ in: v.literal('message'), ...message }),
  v.object({ in: v.literal('lock'), name: text, is: v.picklist(['granted', 'held elsewhere', 'lost']) }),
  v.object({ in: v.literal('watch'), ...place, asks: v.boolean() }),
  v.object({ in: v.literal('leave'), ...place }),
  v.object({ in: v.literal('read'), ...place, maxAgeMillis: v.optional(age), ...call }),
  v.object({ in: v.literal('write'), route: text, input: json, ...call }),
  v.object({ in: v.literal('token'), minMillis: v.number(), ...call }),
  v.object({ in: v.literal('call'), name: text, given: v.array(json), ...call }),
  v.object({ in: v.literal('abort'), call: count }),
  v.object({ in: v.literal('came'), id: count, value: v.optional(json), failure: v.optional(text) }),
] as const

const decisions = [
  v.object({ did: v.literal('send'), id: count, method: text, path: text, body: v.optional(json) }),
  v.object({
    did: v.literal('commit'),
    cause: text,
    isOfSession: v.optional(v.boolean()),
    shown,
  }),
  v.object({ did: v.literal('identity'), to: text, cause: text }),
  v.object({ did: v.literal('refresh'), outcome: text }),
  v.object({ did: v.literal('post'), ...message }),
  v.object({ did: v.literal('oauth'), provider: text, isLink: v.boolean() }),
  v.object({ did: v.literal('retry'), method: text, path: text, cause: text }),
] as const

const start = v.object({
  start: v.object({
    wall: v.pipe(v.number(), v.minValue(0), v.maxValue(1e14)),
    monotonic: millis,
    attemptTimeoutMillis: v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(2_147_483_647))),
    online: v.boolean(),
    visible: v.boolean(),
    shown: v.boolean(),
    hasLocks: v.boolean(),
    isShared: v.boolean(),
    followed: v.optional(v.boolean(), false),
    isKnown: v.boolean(),
    tokens,
    reason: v.picklist(['never', 'elsewhere', 'expired', 'deleted', ...signOuts]),
    rotates: v.boolean(),
    begun: v.optional(count, 0),
    aheadMillis: v.nullable(millis),
    stores: v.array(
      v.object({
        ...place,
        value: json,
        ageMillis: millis,
        isStale: v.boolean(),
        beganMillis: v.nullable(millis),
        restsMillis: v.nullable(millis),
      }),
    ),
    watched: v.array(v.object(place)),
  }),
})
const token = v.object({ token: v.object({ name: text, claims: v.record(v.string(), json) }) })
const end = v.object({ end: shown })

const schemas = {
  in: v.variant('in', inputs),
  did: v.variant('did', decisions),
  start,
  token,
  end,
}

type RecordedMoment = v.InferOutput<typeof moment>
type EventWith<K extends keyof typeof schemas> = RecordedMoment & v.InferOutput<(typeof schemas)[K]>

export type InputEvent = EventWith<'in'>
export type DecisionEvent = EventWith<'did'>
export type StartEvent = EventWith<'start'>
export type RecordedEvent = InputEvent | DecisionEvent | StartEvent | EventWith<'token'> | EventWith<'end'>
export type InputEventOf<T extends InputEvent['in']> = Extract<InputEvent, { readonly in: T }>
export type DecisionOf<T extends DecisionEvent['did']> = Extract<DecisionEvent, { readonly did: T }>

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
  let last: RecordedMoment = { at: 0, turn: 0, step: 0 }
  const budget = { parts: maxParts }
  const events = given.map((each: unknown, index) => {
    if (isDeeper(each, maxDepth, budget)) throw refused(`has an event ${index} that is nested too deeply`)
    if (budget.parts < 0) throw refused(`is too large: its events have more than ${maxParts} parts`)
    const kind = (Object.keys(schemas) as (keyof typeof schemas)[]).find(key => isRecord(each) && key in each)
    // An event has of its moment what differs from that of the event before.
    const isInTurn = isRecord(each) && (each['turn'] ?? last.turn) === last.turn
    const whole = isRecord(each) ? { ...last, ...(!isInTurn && { step: 0 }), ...each } : each
    const form: v.GenericSchema<unknown, RecordedEvent> = v.intersect([moment, schemas[kind ?? 'in']])
    const result = v.safeParse(form, whole)
    if (!result.success) {
      const field = v.getDotPath(result.issues[0]) ?? 'it'
      throw refused(`has an event ${index} that record() does not write: its ${field.slice(0, 100)} is not valid`)
    }
    const { at, turn, step } = result.output
    if (at < last.at) throw refused(`has an event ${index} that is earlier than the one before it`)
    last = { at, turn, step }
    return result.output
  })
  if (events.filter(event => 'start' in event).length > 1) throw refused('has more than one event "start"')
  return { rxauth: typeof rxauth === 'string' ? rxauth : '', events, isPart: isPart === true }
}

export function refused(text: string) {
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
