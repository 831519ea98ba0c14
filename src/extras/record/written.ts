import { toJson } from '../../core/json-form'
import { isRecord, orUndefined, parseJson } from '../../core/values'
import { version } from '../../core/version'
import { apiUrl } from '../../transport/transport'
import { answerForm, decisionForm, digests, messageForm, plain, tokensForm } from './forms'
import type { Around, Recording, Tape } from './tape'
import { Redaction } from './redact'
import type { Input } from '../../core/tap'
import { isRecorded, signalOf, type StartState } from './state'
import type { Core } from '../../store/kit-parts'

/** The recording of what was kept. */
export function written({ core, names, kept, end }: Tape): Recording {
  const events: object[] = []
  let at = 0
  const texts = new Redaction(names, token => events.push({ token }))
  const calls = new Map<object, number>()
  const base = apiUrl(core.transport.config, '')
  const first = kept.find(({ event }) => 'start' in event)
  let before = { at: 0, turn: 0, step: 0 }
  /** The moment of an event, as far as it differs from that of the event before. */
  const moment = (turn: number, step: number) => {
    const was = turn === before.turn ? before : { ...before, step: 0 }
    const now = { at, turn, step }
    before = now
    return Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== was[name as keyof typeof was]))
  }
  for (const one of kept) {
    const { event, shown, turn, step, access } = one
    at = Math.round(one.at * 100) / 100
    const form = !('in' in event || 'start' in event)
      ? decisionForm(event, shown, base, texts)
      : 'start' in event
        ? one === first && startForm(core, event.start, one.at, texts)
        : inputForm(event, calls, texts)
    if (form) events.push({ ...moment(turn, step), ...form, ...(access && { access }) })
  }
  events.push({ end: digests(end, texts) })
  return { version: 2, rxauth: version, events }
}

function startForm({ host, session, transport }: Core, state: StartState, at: number, texts: Redaction): object {
  const { tokens, cells, wall, now, ...rest } = state
  const { attemptTimeoutMillis } = transport
  const monotonic = Math.round(at * 100) / 100
  const recorded = cells.flatMap(([cell, ...parts]) =>
    isRecorded(cell) ? { place: { store: cell.name, input: texts.json(plain(cell.input)) }, parts } : [],
  )
  const start = {
    ...rest,
    wall,
    monotonic,
    attemptTimeoutMillis: attemptTimeoutMillis === Infinity ? null : attemptTimeoutMillis,
    hasLocks: host.locks !== undefined,
    isShared: session.store.sharedAs !== undefined,
    tokens: tokensForm(tokens, texts),
    stores: recorded.flatMap(({ place, parts: [base, isStale, began, restsSince, watchers] }) => {
      if (!base) return []
      const beganMillis = began === -Infinity ? null : now - began
      return {
        ...place,
        value: texts.json(plain(base.value)),
        ageMillis: wall - base.fetchedAt.wall,
        isStale,
        beganMillis,
        restsMillis: watchers > 0 ? null : now - restsSince,
      }
    }),
    watched: recorded.flatMap(({ place, parts: [, , , , watchers] }) => Array.from({ length: watchers }, () => place)),
  }
  return { start }
}

function inputForm(
  event: Input | Exclude<Around, { readonly start: StartState }>,
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
      const { id } = event
      if (!('response' in event))
        return { in: 'answer', id, failure: event.error instanceof TypeError ? 'TypeError' : 'Error' }
      const { response, text } = event
      const json = 'json' in event ? event.json : parseJson(text)
      return { in: 'answer', id, status: response.status, ...answerForm(text, json, response.headers, texts) }
    }
    case 'held':
    case 'signed in':
      return { in: event.in, tokens: tokensForm(event.tokens, texts) }
    case 'kept':
      return { in: 'kept' }
    case 'message':
      return { in: 'message', ...messageForm(event.message, texts) }
    case 'lock':
      return {
        in: 'lock',
        name: event.name.replace(/^.*?(?=:(?:refresh|steal))/, ''),
        is: event.lock ? 'granted' : event.lock === null ? 'held elsewhere' : 'lost',
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
      const { name, given } = event
      return {
        in: 'call',
        name,
        given: given.map(each => texts.json(withForm(each))),
        ...numbered(signalOf(event)),
      }
    }
    case 'came': {
      const { id, error, value } = event
      return {
        in: 'came',
        id,
        ...('error' in event ? { failure: errorName(error) } : { value: texts.json(plain(value)) }),
      }
    }
    case 'abort':
      return calls.has(event.call) ? { in: 'abort', call: calls.get(event.call) } : undefined
    case 'timer':
      return { in: 'timer', due: event.due, millis: event.millis }
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
