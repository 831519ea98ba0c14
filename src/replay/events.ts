import * as v from 'valibot'
import type { DecisionForm } from '../extras/record/forms'
import { shownName } from './definitions'

/** A year: no recording takes longer. */
const maxMillis = 31_536_000_000

const millis = v.pipe(v.number(), v.minValue(-maxMillis), v.maxValue(maxMillis))
const text = v.pipe(v.string(), v.maxLength(10_000))
const header = v.optional(v.pipe(v.string(), v.regex(/^[\x20-\x7e]{0,1000}$/)))
const nullable = v.nullable(text)
const tokens = v.nullable(v.object({ accessToken: nullable, refreshToken: nullable }))
const json = v.unknown()
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const state = { is: v.boolean() }
const place = { store: text, input: json }
const call = { call: v.optional(count) }
const access = { access: v.optional(count) }
const request = { method: text, path: text }
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
/** Ends of a session, as commits and changes of the identity name them. */
const ends: readonly string[] = ['elsewhere', 'expired', 'deleted', ...signOuts]

/** A kind of events: the fields of one in a recording, and its words. `to`: the request that it answers. */
function kind<F extends v.ObjectEntries>(
  fields: F,
  words: (event: v.InferOutput<v.ObjectSchema<F, undefined>>, to: string) => string,
) {
  return { fields: v.object(fields), words }
}

const told = ({ ended }: { readonly ended?: string | undefined }) =>
  ended === undefined ? 'of a write' : 'that it had signed out'
const placeWords =
  (name: string) =>
  ({ store, input }: { readonly store: string; readonly input: unknown }) =>
    `the ${name} of ${shownName(`${store} ${JSON.stringify(input) ?? '{}'}`)}`

/** The inputs, by their names. */
export const inputs = {
  answer: kind(
    {
      id: count,
      status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)), 200),
      headers: v.optional(
        v.object({
          'x-stack-actual-status': header,
          'x-stack-known-error': header,
          'retry-after': header,
          date: header,
        }),
        {},
      ),
      json: v.optional(json),
      text: v.optional(text),
      failure: v.optional(v.picklist(['TypeError', 'Error'])),
    },
    ({ status, headers: { 'x-stack-actual-status': actual = status, 'x-stack-known-error': code }, failure }, to) =>
      failure ? `no answer to ${to}` : `the answer ${actual}${code === undefined ? '' : ` ${code}`} to ${to}`,
  ),
  timer: kind({ due: millis, millis }, () => 'a timer'),
  random: kind({ value: v.pipe(v.number(), v.minValue(0), v.maxValue(1)) }, () => 'a random number'),
  clock: kind({ by: millis }, ({ by }) =>
    by < 0
      ? `the clock jumped ${span(by)} back: it was set`
      : `the clock jumped ${span(by)} ahead: it was set, or the machine slept`,
  ),
  online: kind(state, ({ is }) => `the browser was ${is ? 'online' : 'offline'}`),
  visible: kind(state, ({ is }) => `the page was ${is ? 'shown' : 'hidden'}`),
  shown: kind(state, ({ is }) => `the page ${is ? 'came back from the back-forward cache' : 'was left'}`),
  followed: kind(state, ({ is }) => `the app ${is ? 'began to follow the session' : 'followed the session no more'}`),
  held: kind(
    { tokens, ...access },
    event => `the token store ${event.tokens ? 'had tokens that this tab had not stored' : 'was empty'}`,
  ),
  unread: kind(access, () => 'the token store could not be read'),
  kept: kind(access, () => 'the token store refused a write'),
  'signed in': kind({ tokens }, () => 'a sign-in of this tab stored its tokens'),
  'sign out': kind({ reason: v.optional(v.picklist(signOuts), 'signed-out') }, ({ reason }) =>
    reason === 'signed-out' ? 'the app called signOut() in this tab' : `sessionLimits() ended the session (${reason})`,
  ),
  message: kind(message, event => `another tab told ${told(event)}`),
  lock: kind({ name: text, is: v.picklist(['granted', 'held elsewhere', 'lost']) }, ({ name, is }) =>
    is === 'lost'
      ? 'another tab took the lock from this one'
      : name.includes('steal')
        ? 'this tab took the lock from another one'
        : `the lock was ${is}`,
  ),
  watch: kind({ ...place, asks: v.boolean() }, placeWords('watch')),
  leave: kind(place, placeWords('leave')),
  read: kind({ ...place, maxAgeMillis: v.optional(age), ...call }, placeWords('read')),
  write: kind({ route: text, input: json, ...call }, ({ route }) => `a call for ${route}`),
  token: kind({ minMillis: v.number(), ...call }, () => 'a call for an access token'),
  call: kind({ name: text, given: v.array(json), ...call }, ({ name }) => `${name}()`),
  abort: kind({ call: count }, () => 'a call that was given up'),
  came: kind(
    { id: count, value: v.optional(json), failure: v.optional(text) },
    () => 'what came from a device or the browser',
  ),
}

/** The decisions, by their names, with words that follow "the recording" or "this rxauth". */
export const decisions = {
  send: kind({ id: count, ...request, body: v.optional(json) }, ({ method, path }) => `sent ${method} ${path}`),
  commit: kind({ cause: text, isOfSession: v.optional(v.boolean()), shown }, event => {
    const cause = event.cause.replace(/^session: /, '')
    if (event.isOfSession && ends.includes(cause)) return `ended the session (${cause})`
    const stores = Object.entries(event.shown).map(([name, text]) => `${shownName(name)} "${text}"`)
    return `showed ${stores.join(', ') || 'the session'} (${event.cause})`
  }),
  identity: kind({ to: text, cause: text }, ({ to, cause }) =>
    to === 'signed-out' ? `ended the session (${cause})` : `became ${to} (${cause})`,
  ),
  refresh: kind({ outcome: text }, ({ outcome }) =>
    outcome === 'transient' ? 'kept the session, and will refresh again' : `had a refresh that was ${outcome}`,
  ),
  post: kind(message, event => `told other tabs ${told(event)}`),
  oauth: kind({ provider: text, isLink: v.boolean() }, ({ provider }) => `went to the provider ${provider}`),
  retry: kind(
    { ...request, cause: text },
    ({ method, path, cause }) => `waits to send ${method} ${path} again (${cause})`,
  ),
}

const start = v.object({
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
})

const moment = {
  at: v.pipe(v.number(), v.minValue(0), v.maxValue(maxMillis)),
  turn: count,
  step: count,
  /** The number of the event in the recording. */
  index: count,
}

type Kinds = Readonly<Record<string, { readonly fields: v.ObjectSchema<v.ObjectEntries, undefined> }>>

/** The form of the events of these kinds, which have the name of their kind in the field `key`. */
function named(key: string, kinds: Kinds) {
  const forms = Object.entries(kinds).map(([name, { fields }]) =>
    v.object({ [key]: v.literal(name), ...moment, ...fields.entries }),
  )
  return v.variant(key, forms)
}

/** The forms of events, by the field that each of them has. */
export const forms = {
  in: named('in', inputs),
  did: named('did', decisions),
  start: v.object({ ...moment, start }),
  token: v.object({ ...moment, token: v.object({ name: text, claims: v.record(v.string(), json) }) }),
  end: v.object({ ...moment, end: shown }),
}

type RecordedMoment = v.InferOutput<v.ObjectSchema<typeof moment, undefined>>
type EventOf<Key extends string, T extends Kinds> = {
  [K in keyof T]: RecordedMoment & { readonly [N in Key]: K } & v.InferOutput<T[K]['fields']>
}[keyof T]

export type InputEvent = EventOf<'in', typeof inputs>
export type DecisionEvent = EventOf<'did', typeof decisions>
export type StartEvent = v.InferOutput<typeof forms.start>
type OtherEvent = v.InferOutput<(typeof forms)['token' | 'end']>
export type RecordedEvent = InputEvent | DecisionEvent | StartEvent | OtherEvent
export type InputEventOf<T extends InputEvent['in']> = Extract<InputEvent, { readonly in: T }>
export type DecisionOf<T extends DecisionEvent['did']> = Extract<DecisionEvent, { readonly did: T }>

type EventWords = (event: object, to: string) => string

/** An input in words: "the answer 403 to POST /auth/oauth/token". `events`: of the recording, which have the request. */
export function inputWords(event: InputEvent, events: readonly RecordedEvent[]): string {
  const id = event.in === 'answer' ? event.id : -1
  const sent = events.find(each => 'did' in each && each.did === 'send' && each.id === id)
  // The words of a kind are for its events.
  return (inputs[event.in].words as EventWords)(
    event,
    sent && 'path' in sent ? `${sent.method} ${sent.path}` : 'an earlier request',
  )
}

/** A decision in words that follow "the recording" or "this rxauth"; `undefined`: there was none. */
export function decisionWords(decision: DecisionEvent | DecisionForm | undefined): string {
  if (!decision) return 'did nothing more'
  // A form has the fields of an event.
  const event = decision as DecisionEvent
  return (decisions[event.did].words as EventWords)(event, '')
}

function span(millis: number): string {
  const seconds = Math.abs(millis) / 1000
  const [unit, name] =
    seconds < 120 ? [1, 's'] : seconds < 7200 ? [60, 'min'] : seconds < 172_800 ? [3600, 'h'] : [86_400, 'days']
  return `${Math.round(seconds / unit)} ${name}`
}
