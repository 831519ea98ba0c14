import { isRecord, parseJson } from '../../core/values'
import { version } from '../../core/version'
import { apiUrl } from '../../transport/transport'
import { answerForm, decisionForm, digests, messageForm, plain, tokensForm } from './forms'
import type { Around, Recording, Tape } from './tape'
import { Redaction } from './redact'
import type { Input } from '../../core/tap'
import type { StartState } from './state'

/** The recording of what was kept. */
export function written({ core, seal, kept, end }: Tape): Recording {
  const events: object[] = []
  let at = 0
  const texts = new Redaction(seal, token => events.push({ token }))
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
        ? one === first && startForm(event.start, texts)
        : inputForm(event, calls, texts)
    if (form) events.push({ ...moment(turn, step), ...form, ...(access && { access }) })
  }
  events.push({ end: digests(end, texts) })
  return { version: 2, rxauth: version, events }
}

function startForm({ tokens, stores, watched, ...rest }: StartState, texts: Redaction): object {
  const form = (json: unknown) => texts.json(plain(json))
  const start = {
    ...rest,
    tokens: tokensForm(tokens, texts),
    stores: stores.map(({ input, value, ...each }) => ({ ...each, input: form(input), value: form(value) })),
    watched: watched.map(({ store, input }) => ({ store, input: form(input) })),
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
      const signal = event.given.map(each => isRecord(each) && each['signal']).find(Boolean)
      return {
        in: 'call',
        name: event.name,
        given: event.given.map(given => texts.json(withoutSignal(given))),
        ...numbered(signal),
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

function withoutSignal(given: unknown): unknown {
  if (!isRecord(given)) return plain(given)
  const { signal, ...rest } = given
  return plain(rest)
}
