import { maxWaitMillis } from '../../core/clock'
import { toJson } from '../../core/json-form'
import { isRecord, orUndefined } from '../../core/values'
import { version } from '../../core/version'
import { apiUrl } from '../../transport/transport'
import { answerForm, decisionForm, digests, isRecorded, messageForm, plain, tokensForm } from './forms'
import type { Around, KeptEvent, Recording, Tape, ToldFields } from './tape'
import { Redaction } from './redact'
import type { Input } from '../../core/tap'
import type { StartState } from './state'
import type { Core } from '../../store/kit-parts'

/** A wall clock that is off by less has not been set. */
const jumpMillis = 50
const states = ['online', 'visible', 'followed'] as const

/** The recording of what was kept. */
export function written({ core, kept, end }: Tape): Recording {
  const events: object[] = []
  const texts = new Redaction(token => events.push({ token }))
  const calls = new Map<object, number>()
  const base = apiUrl(core.transport.config, '')
  const start = kept.find(({ event }) => 'start' in event)
  const [first] = kept
  const began = first?.monotonic ?? 0
  let wallStart = (first?.wall ?? 0) - began
  let last = first && seenIn(first)
  let isShown = true
  let before = { at: 0, turn: 0, step: 0 }
  /** The turn of the last input, and the accesses to the token store before it. */
  let input = { turn: 0, accesses: 0 }
  for (const one of kept) {
    const { event, monotonic, turn, step, accesses } = one
    const at = rounded(monotonic - began)
    const isAccess = 'in' in event && ['held', 'unread', 'kept'].includes(event.in)
    const push = (form: object | undefined) => {
      if (!form) return
      // The moment of an event, as far as it differs from that of the event before.
      const was: typeof before = turn === before.turn ? before : { ...before, step: 0 }
      before = { at, turn, step }
      const moment = Object.entries(before).filter(([name, value]) => value !== was[name as keyof typeof was])
      events.push({ ...Object.fromEntries(moment), ...form })
    }
    const by = one.wall - monotonic - wallStart
    if (Math.abs(by) >= jumpMillis) {
      wallStart += by
      push({ in: 'clock', by })
    }
    const seen = seenIn(one)
    for (const name of states) {
      const is = seen[name]
      if (is === last?.[name]) continue
      input = { turn, accesses: accesses - Number(isAccess) }
      push({ in: name, is })
    }
    last = seen
    if (!('in' in event)) {
      if (!('start' in event)) push(decisionForm(event, one.shown, base, texts))
      else if (one === start) push(startForm(core, event.start, one, at, texts))
      continue
    }
    if (event.in === 'shown') {
      if (event.is === isShown) continue
      isShown = event.is
    }
    if (!isAccess && event.in !== 'random') input = { turn, accesses }
    const access = isAccess && accesses - (turn === input.turn ? input.accesses : 0)
    const form = inputForm(event, began, calls, texts)
    push(form && { ...form, ...(access && { access }) })
  }
  events.push({ end: digests(end, texts) })
  return { version: 2, rxauth: version, events }
}

function seenIn({ seen }: KeptEvent) {
  const [online, visible, followed] = seen.split(',').map(text => text === 'true') as [boolean, boolean, boolean]
  return { online, visible, followed }
}

function rounded(millis: number): number {
  return Math.round(millis * 100) / 100
}

function startForm(
  { host, session: { store }, transport }: Core,
  { session, cells, ...state }: StartState,
  one: KeptEvent,
  monotonic: number,
  texts: Redaction,
): object {
  const { attemptTimeoutMillis } = transport
  const { wall, monotonic: now } = one
  const recorded = cells.filter(isRecorded).map(cell => ({
    ...cell,
    place: { store: cell.name, input: texts.json(plain(cell.input)) },
  }))
  const start = {
    ...state,
    wall,
    monotonic,
    ...seenIn(one),
    shown: true,
    attemptTimeoutMillis: attemptTimeoutMillis === Infinity ? null : attemptTimeoutMillis,
    hasLocks: host.locks !== undefined,
    isShared: store.sharedAs !== undefined,
    isKnown: session.identity.kind !== 'unknown',
    tokens: tokensForm(session.stored, texts),
    reason: session.reason,
    rotates: session.rotates,
    stores: recorded.flatMap(({ place, known: { base, isStale }, began, restsSince, watchers }) => {
      if (!base) return []
      return {
        ...place,
        value: texts.json(plain(base.value)),
        ageMillis: wall - base.fetchedAt.wall,
        isStale,
        beganMillis: began === -Infinity ? null : now - began,
        restsMillis: watchers > 0 ? null : now - restsSince,
      }
    }),
    watched: recorded.flatMap(({ place, watchers }) => Array.from({ length: watchers }, () => place)),
  }
  return { start }
}

function inputForm(
  event: Input | Exclude<Around, { readonly start: StartState }>,
  began: number,
  calls: Map<object, number>,
  texts: Redaction,
): object | undefined {
  /** The number by which an abort names the call. */
  const numbered = (signal: unknown) => {
    if (!signal) return undefined
    calls.set(event, calls.size)
    return { call: calls.size - 1 }
  }
  switch (event.in) {
    case 'answer': {
      const { in: name, id } = event
      if (!('response' in event))
        return { in: name, id, failure: event.error instanceof TypeError ? 'TypeError' : 'Error' }
      return { in: name, id, status: event.response.status, ...answerForm(event.text, event.response.headers, texts) }
    }
    case 'held':
    case 'signed in':
      return { in: event.in, tokens: tokensForm(event.tokens, texts) }
    case 'kept':
      return { in: 'kept' }
    case 'message':
      return { in: 'message', ...messageForm(event.message, texts) }
    case 'lock': {
      const is = event.lock ? 'granted' : event.lock === null ? 'held elsewhere' : 'lost'
      return { in: 'lock', name: event.name.replace(/^.*?(?=:(?:refresh|steal))/, ''), is }
    }
    case 'watch':
    case 'leave':
    case 'read': {
      const { of, signal, ...rest } = event as typeof event & { readonly signal?: unknown }
      if (!of.name.startsWith('client ')) return undefined
      const input = texts.json(plain('args' in of ? of.args : of.input))
      return { ...rest, store: of.name, input, ...numbered(signal) }
    }
    case 'write':
      return { in: 'write', route: event.route, input: texts.json(plain(event.input)), ...numbered(event.signal) }
    case 'token':
      return { in: 'token', minMillis: event.minMillis, ...numbered(event.signal) }
    case 'call': {
      const { signal } = (event.given.at(-1) ?? {}) as ToldFields
      return { ...event, given: event.given.map(each => texts.json(withForm(each))), ...numbered(signal) }
    }
    case 'came': {
      const { id, value } = event
      const outcome = 'error' in event ? { failure: errorName(event.error) } : { value: texts.json(plain(value)) }
      return { in: 'came', id, ...outcome }
    }
    case 'look':
      return undefined
    case 'abort':
      return calls.has(event.call) ? { in: 'abort', call: calls.get(event.call) } : undefined
    case 'timer': {
      const { due, millis } = event
      // A token store of an app's own may wait for anything, such as Infinity, which is not in JSON.
      return Math.abs(millis) <= maxWaitMillis ? { in: 'timer', due: rounded(due - began), millis } : undefined
    }
    case 'random':
      return { in: 'random', value: Math.round(event.value * 1e6) / 1e6 }
    default:
      return event
  }
}

/** An argument of a call, without the parts that have no form in JSON, such as a signal or an authenticator. */
function withForm(given: unknown): unknown {
  if (!isRecord(given)) return plain(given)
  const parts = Object.entries(given).map(([name, part]) => [name, orUndefined(() => toJson(part))] as const)
  return Object.fromEntries(parts.filter(([, form]) => form !== undefined))
}

/** The name of an error of a browser, such as `NotAllowedError`. */
function errorName(error: unknown): string {
  // Not by class: a page may have errors of several windows.
  const { name } = Object(error) as { readonly name?: unknown }
  return typeof name === 'string' && /^[A-Z]\w{1,40}Error$/.test(name) ? name : 'Error'
}
