import { isRecord } from '../core/values'
import { causes } from './causes'
import type { DecisionOf, InputEvent, RecordedEvent } from './checked'
import { decisionWords, inputWords } from './words'

/** An event that led to the end of a session. */
export interface Link {
  /** The number of the event. */
  readonly event: number
  readonly at: number
  readonly text: string
}

/** The event that ended a session; its text is the cause, in plain words. */
export interface SessionEnd extends Link {
  /** Whether there was a session when the page began. */
  readonly hadSession: boolean
  /** In the order of the events. */
  readonly chain: readonly Link[]
}

type Numbered<E = RecordedEvent> = E & { readonly index: number }
type EventNamed<E, T> = E extends { readonly in: infer N } ? (T extends N ? Numbered<E> : never) : never
type InputNamed<T extends InputEvent['in']> = EventNamed<InputEvent, T>
type SendStep = Numbered<DecisionOf<'send'>>
type Refresh = ReturnType<typeof refreshesIn>[0]
type Stored = ReturnType<typeof storedIn>[0]
type SignOutCause = readonly [text: string, ...chain: (Numbered | undefined)[]]

/** A write that the token store has lost so soon was dropped by the browser, or another cookie hides it. */
const soonMillis = 2000
/** Safari keeps the cookies of scripts for this long. */
const keptMillis = 7 * 86_400_000
const minuteMillis = 60_000

/** Why each session of a recording has ended. Plays no event, so that the beginning of the recording may be missing. */
export function why(events: readonly RecordedEvent[]): readonly SessionEnd[] {
  const all = events.map((event, index) => ({ ...event, index }))
  const sends = all.filter((event): event is SendStep => 'did' in event && event.did === 'send')
  const linked = (event: Numbered) => ({ event: event.index, at: event.at, text: linkWords(event, sends) })
  let first = 0
  return all.flatMap(event => {
    if (!('did' in event) || event.did !== 'identity' || event.to !== 'signed-out') return []
    const { index, at, cause } = event
    const [text, ...chain] = new Ending(all, sends, first, event).cause(cause)
    first = index + 1
    const found = chain.filter(link => link !== undefined).sort((one, other) => one.index - other.index)
    return { event: index, at, text, hadSession: text !== causes.noTokens, chain: found.map(linked) }
  })
}

function linkWords(event: RecordedEvent, sends: readonly SendStep[]): string {
  if ('start' in event) return `the recording began ${event.start.tokens ? 'with' : 'without'} tokens`
  return 'in' in event ? inputWords(event, sends) : `this tab ${decisionWords('did' in event ? event : undefined)}`
}

class Ending {
  readonly #all: readonly Numbered[]
  readonly #sends: readonly SendStep[]
  readonly #end: Numbered
  /** The events since the session before has ended. */
  readonly #session: readonly Numbered[]
  readonly #refreshes: readonly Refresh[]
  readonly #stored: readonly Stored[]
  /** The tokens that the session had last. */
  readonly #had: Stored | undefined
  /** The clock was set, or the machine slept, since it had these. */
  readonly #jump: InputNamed<'clock'> | undefined

  constructor(all: readonly Numbered[], sends: readonly SendStep[], first: number, end: Numbered) {
    this.#all = all
    this.#sends = sends
    this.#end = end
    this.#session = all.slice(first, end.index)
    this.#refreshes = refreshesIn(all, sends)
    this.#stored = storedIn(all, this.#refreshes)
    this.#had = this.#stored.filter(({ event }) => event.index < end.index).at(-1)
    this.#jump = inputs(this.#session, 'clock')
      .filter(({ index }) => index > (this.#had?.event.index ?? 0))
      .at(-1)
  }

  cause(cause: string): SignOutCause {
    const last = this.#session
      .filter(event => 'in' in event && /^(?:answer|held|unread|sign out)$/.test(event.in))
      .at(-1)
    const call = inputs(this.#session, 'sign out').at(-1)
    if (call && (last === call || cause === call.reason)) return [causes[call.reason], call]
    if (last && isInput(last, 'unread')) return [causes.blocked, last]
    if (last && isInput(last, 'answer') && !last.failure && statusOf(last) >= 400) {
      const send = this.#sends.find(({ id, path }) => id === last.id && /\/sign-(?:in|up)/.test(path))
      if (send) return [causes.signInFailed, send, last]
    }
    const found = cause === 'elsewhere' || cause === 'never' ? this.#ofStore() : this.#ofRefresh(cause)
    return [...(found ?? this.#ofTime()), this.#jump]
  }

  /** The token store has no session any more. */
  #ofStore(): SignOutCause {
    const held = inputs(this.#session, 'held').at(-1)
    const told = inputs(this.#session, 'message')
      .filter(({ ended }) => ended !== undefined)
      .at(-1)
    if (told && this.#end.at - told.at < soonMillis) return [causes.otherTab, told, held]
    if (held?.tokens) return [causes.unreadable, held]
    const start = this.#session.find(event => 'start' in event)
    if (!this.#had) return start ? [causes.noTokens, start, held] : [causes.vanished, held]
    const { event, isOwn } = this.#had
    const jumps = inputs(this.#session, 'clock').filter(({ index }) => index > event.index)
    const millis = jumps.reduce((sum, { by }) => sum + by, this.#end.at - event.at)
    const text =
      isOwn && millis <= soonMillis ? causes.notKept : millis >= keptMillis ? causes.sevenDays : causes.vanished
    return [text, event, held]
  }

  #ofRefresh(cause: string): SignOutCause | undefined {
    const refresh = this.#refreshes.filter(({ answer }) => answer && this.#session.includes(answer)).at(-1)
    if (!refresh?.answer || refresh.access) return undefined
    const { send, answer } = refresh
    const { failure, headers } = answer
    const status = statusOf(answer)
    if (cause === 'deleted') return [causes.deleted, send, answer]
    if (headers['x-stack-known-error']?.startsWith('REFRESH_TOKEN')) return [...this.#ofRefusal(refresh), send, answer]
    const online = inputs(this.#session, 'online').at(-1)
    if (failure)
      return online?.is === false ? [causes.offline, online, send, answer] : [causes.unanswered, send, answer]
    return [status >= 500 ? causes.failing : status === 429 ? causes.tooMany : causes.proxy, send, answer]
  }

  /** The platform has refused the refresh token. */
  #ofRefusal({ send, sent }: Refresh): SignOutCause {
    const answered = this.#refreshes.filter(({ access }) => access)
    const known = this.#stored.filter(({ event }) => event.index < send.index)
    const at = known.map(({ refresh }, at) => refresh === sent && known[at - 1]?.refresh !== sent).lastIndexOf(true)
    const [was, came] = [known[at - 1], known[at]]
    if (came && was && !came.isOwn) {
      if (this.#claims(was)['sub'] !== this.#claims(came)['sub']) return [causes.otherUser, came.event]
      const isSoon = came.event.at - was.event.at <= soonMillis
      if (was.isOwn && isSoon) return [causes.twoCookies, was.event, came.event]
    }
    if (answered.some(({ sent, refresh }) => (refresh ?? sent) === sent)) return [causes.revoked, came?.event]
    const isTaken = ({ name, is }: InputNamed<'lock'>) => is === 'lost' || (is === 'granted' && name.includes('steal'))
    const lock = inputs(this.#session, 'lock').filter(isTaken).at(-1)
    if (lock && send.at - lock.at < minuteMillis) return [causes.stolenLock, lock]
    const others = this.#stored.filter(
      ({ event, isOwn, refresh }) => !isOwn && refresh !== sent && event.index > send.index,
    )
    const other = others.find(({ event }) => event.at - this.#end.at < soonMillis)
    if (other) return [causes.twoTabs, other.event]
    const lost = this.#refreshes.find(
      each => each.sent === sent && each.answer?.failure && each.send.index < send.index,
    )
    if (lost) return [causes.lostAnswer, lost.send, lost.answer]
    return [answered.length > 0 ? causes.server : causes.pageLeft, came?.event]
  }

  /** There was no refresh token. */
  #ofTime(): SignOutCause {
    const jump = this.#jump
    const dated = inputs(this.#session, 'answer')
      .filter(({ headers }) => headers.date !== undefined)
      .at(-1)
    const { exp } = this.#claims(this.#had)
    if (dated && typeof exp === 'number' && (!jump || jump.index < dated.index)) {
      const platformsNow = Date.parse(dated.headers.date ?? '') + this.#end.at - dated.at
      if (exp * 1000 - platformsNow > minuteMillis) return [causes.wrongClock, this.#had?.event, dated]
    }
    return [jump && jump.by > 0 ? causes.slept : causes.expired, this.#had?.event]
  }

  #claims(stored: Stored | undefined): Readonly<Record<string, unknown>> {
    for (const event of this.#all)
      if ('token' in event && event.token.name === stored?.access) return event.token.claims
    return {}
  }
}

/** The requests for a new access token; `access` and `refresh` are of the answer. */
function refreshesIn(all: readonly Numbered[], sends: readonly SendStep[]) {
  return sends.flatMap(send => {
    if (send.path !== '/auth/oauth/token' || !isRecord(send.body)) return []
    const answer = inputs(all, 'answer').find(({ id }) => id === send.id)
    const json = isRecord(answer?.json) ? answer.json : {}
    return {
      send,
      sent: send.body['refresh_token'],
      answer,
      access: json['access_token'],
      refresh: json['refresh_token'],
    }
  })
}

/** The tokens that came to be in the token store; `isOwn`: this tab wrote them. */
function storedIn(all: readonly Numbered[], refreshes: readonly Refresh[]) {
  return all.flatMap(event => {
    const refreshed = refreshes.find(({ answer, access }) => access && answer === event)
    if (refreshed) return { event, isOwn: true, access: refreshed.access, refresh: refreshed.refresh ?? refreshed.sent }
    const isOwn = isInput(event, 'signed in')
    const tokens = 'start' in event ? event.start.tokens : isOwn || isInput(event, 'held') ? event.tokens : null
    return tokens
      ? { event, isOwn, access: tokens.accessToken as unknown, refresh: tokens.refreshToken as unknown }
      : []
  })
}

function isInput<T extends InputEvent['in']>(event: Numbered, name: T): event is Numbered & InputNamed<T> {
  return 'in' in event && event.in === name
}

function inputs<T extends InputEvent['in']>(events: readonly Numbered[], name: T): readonly InputNamed<T>[] {
  return events.filter((event): event is Numbered & InputNamed<T> => isInput(event, name))
}

/** The platform may answer 200, with the status in a header. */
function statusOf({ headers, status }: InputNamed<'answer'>): number {
  return Number(headers['x-stack-actual-status'] ?? status)
}
