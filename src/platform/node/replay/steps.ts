import type { EventOf, RecordedEvent } from '../../../replay/checked'
import { shownName } from '../../../replay/names'
import { printable } from '../terminal'

/** Numbers and claims that only the player needs, and the end, which is shown by itself. */
const hidden = new Set<string>(['random', 'token', 'timer', 'unused', 'end'])

/** Commits that no other line tells of, by their causes. */
const commits: Readonly<Record<string, string>> = {
  'load failed': 'could not be loaded',
  'rolled back': 'shown again without what a write had changed',
}

/** What a recording did, a line for each event: its time, and what happened. An answer that comes next is in the line of its request. */
export function stepsOf(events: readonly RecordedEvent[]): readonly string[] {
  const shown = events.filter(event =>
    event.type === 'commit' ? Object.hasOwn(commits, event.cause) : !hidden.has(event.type),
  )
  const requests = new Map(events.flatMap(event => (event.type === 'request' ? [[event.id, event] as const] : [])))
  const width = secondsOf(events.at(-1)?.at ?? 0).length
  return shown.flatMap((event, index) => {
    const before = shown[index - 1]
    if (event.type === 'answer' && before?.type === 'request' && before.id === event.id) return []
    const next = shown[index + 1]
    const isAnswered = event.type === 'request' && next?.type === 'answer' && next.id === event.id
    const text = isAnswered
      ? `${textOf(event, requests)}  ${answerOf(next)}${laterBy(next.at - event.at)}`
      : textOf(event, requests)
    return [`${secondsOf(event.at).padStart(width)}  ${short(text)}`]
  })
}

function textOf(event: RecordedEvent, requests: ReadonlyMap<number, EventOf<'request'>>): string {
  switch (event.type) {
    case 'start':
      return startOf(event)
    case 'tokens':
      return changeOf(event)
    case 'ended':
      return 'a session is known to have ended'
    case 'stale':
      return `told from elsewhere: stale are ${listOf(event.stores.map(([store, args]) => nameOf(store, args)))}`
    case 'watch':
    case 'leave':
      return `${event.type === 'watch' ? 'watches' : 'leaves'} ${nameOf(event.store, JSON.stringify(event.input) ?? '')}`
    case 'commit':
      return `${listOf(event.stores.map(store => shownName(store)))}: ${commits[event.cause] ?? event.cause}`
    case 'request':
      return `${event.method} ${event.path}`
    case 'answer': {
      const request = requests.get(event.id)
      return `${answerOf(event)} to ${request ? `${request.method} ${request.path}` : 'an earlier request'}`
    }
    case 'online':
      return event.is ? 'online' : 'offline'
    case 'visible':
      return event.is ? 'the page is visible' : 'the page is hidden'
    case 'clock':
      return `the clock is set ${secondsOf(Math.abs(event.by))} ${event.by < 0 ? 'back' : 'forward'}`
    default: {
      const { type, store, input }: { type: string; store?: string; input?: unknown } = event
      return store === undefined ? type : `${type}: ${nameOf(store, JSON.stringify(input) ?? '')}`
    }
  }
}

function startOf({ isKnown, tokens, reason, watched }: EventOf<'start'>): string {
  const session = !isKnown ? 'the session is not read yet' : tokens ? 'signed in' : `signed out (${reason})`
  const names = watched.map(({ store, input }) => nameOf(store, JSON.stringify(input) ?? ''))
  return `starts: ${session}${names.length > 0 ? `, watches ${listOf(names)}` : ''}`
}

function changeOf({ cause, tokens }: EventOf<'tokens'>): string {
  switch (cause) {
    case 'signed-in':
      return 'the app is signed in'
    case 'refreshed':
      return 'the tokens are refreshed'
    case 'elsewhere':
      return tokens
        ? 'another tab or other code has written tokens'
        : 'another tab or other code has emptied the token store'
    case 'signed-out':
      return 'the app is signed out'
    case 'expired':
      return 'the session has expired'
    case 'deleted':
      return 'the user is deleted'
    case 'never':
      return 'the session is read: there is none'
  }
}

function answerOf({ status, headers, failure }: EventOf<'answer'>): string {
  if (failure) return failure === 'TypeError' ? '→ no answer' : '→ given up'
  const { 'x-stack-actual-status': actual = String(status), 'x-stack-known-error': code } = headers
  return `→ ${actual}${code === undefined ? '' : ` ${code}`}`
}

const nameOf = (store: string, input: string) => shownName(`${store} ${input}`)

const listOf = (names: readonly string[]) => names.join(', ')

const laterBy = (millis: number) => (millis < 50 ? '' : ` after ${secondsOf(millis)}`)

const secondsOf = (millis: number) => `${(millis / 1000).toFixed(1)} s`

function short(text: string): string {
  const shown = printable(text)
  return shown.length > 200 ? `${shown.slice(0, 199)}…` : shown
}
