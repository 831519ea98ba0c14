import { isRecord } from '../core/values'
import { causes } from './causes'
import { decisionWords, inputWords } from './events'
import type { DecisionOf, InputEvent, InputEventOf, RecordedEvent } from './events'

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

type Events = readonly RecordedEvent[]
type SignOutCause = readonly [text: string, ...chain: (RecordedEvent | undefined)[]]

/** A write that the token store has lost so soon was dropped by the browser, or another cookie hides it. */
const soonMillis = 2000
/** Safari keeps the cookies of scripts for this long. */
const keptMillis = 7 * 86_400_000
const minuteMillis = 60_000

/** Why each session of a recording has ended. Plays no event, so that the beginning of the recording may be missing. */
export function why(events: Events): readonly SessionEnd[] {
  const refreshes = refreshesIn(events)
  const stored = storedIn(events, refreshes)
  let first = 0
  return events.flatMap((event, at) => {
    if (!('did' in event) || event.did !== 'identity' || event.to !== 'signed-out') return []
    const [text, ...chain] = causeOf(endingOf(events, refreshes, stored, events.slice(first, at), event))
    first = at + 1
    const found = chain.filter(link => link !== undefined).sort((one, other) => one.index - other.index)
    const links = found.map(link => ({ event: link.index, at: link.at, text: linkWords(link, events) }))
    return { event: event.index, at: event.at, text, hadSession: text !== causes.noTokens, chain: links }
  })
}

function linkWords(event: RecordedEvent, all: Events): string {
  if ('start' in event) return `the recording began ${event.start.tokens ? 'with' : 'without'} tokens`
  return 'in' in event ? inputWords(event, all) : `this tab ${decisionWords('did' in event ? event : undefined)}`
}

type Ending = ReturnType<typeof endingOf>

/** The end of a session, and the events since the one before has ended. */
function endingOf(
  all: Events,
  refreshes: readonly Refresh[],
  stored: readonly Stored[],
  session: Events,
  end: DecisionOf<'identity'>,
) {
  /** The tokens that the session had last. */
  const had = stored.filter(({ event }) => event.index < end.index).at(-1)
  /** The clock was set, or the machine slept, since it had these. */
  const jumps = named(session, 'clock').filter(({ index }) => index > (had?.event.index ?? 0))
  return { all, session, end, refreshes, stored, had, jumps }
}

function causeOf(ending: Ending): SignOutCause {
  const { all, session, jumps, end } = ending
  const last = session
    .filter((event): event is InputEvent => 'in' in event && /^(?:answer|held|unread|sign out)$/.test(event.in))
    .at(-1)
  const call = lastOf(session, 'sign out')
  if (call && (last === call || end.cause === call.reason)) return [causes[call.reason], call]
  if (last?.in === 'unread') return [causes.blocked, last]
  if (last?.in === 'answer' && !last.failure && statusOf(last) >= 400) {
    const send = sendsIn(all).find(({ id, path }) => id === last.id && /\/sign-(?:in|up)/.test(path))
    if (send) return [causes.signInFailed, send, last]
  }
  const found = /^(?:elsewhere|never)$/.test(end.cause) ? ofStore(ending) : ofRefresh(ending)
  return [...(found ?? ofTime(ending)), jumps.at(-1)]
}

/** The token store has no session any more. */
function ofStore({ session, end, had, jumps }: Ending): SignOutCause {
  const held = lastOf(session, 'held')
  const told = lastOf(session, 'message', ({ ended }) => ended !== undefined)
  if (told && end.at - told.at < soonMillis) return [causes.otherTab, told, held]
  if (held?.tokens) return [causes.unreadable, held]
  const start = session.find(event => 'start' in event)
  if (!had) return start ? [causes.noTokens, start, held] : [causes.vanished, held]
  const millis = jumps.reduce((sum, { by }) => sum + by, end.at - had.event.at)
  const isLost = had.isOwn && millis <= soonMillis
  const text = isLost ? causes.notKept : millis >= keptMillis ? causes.sevenDays : causes.vanished
  return [text, had.event, held]
}

function ofRefresh(ending: Ending): SignOutCause | undefined {
  const { session, refreshes, end } = ending
  const refresh = refreshes.filter(({ answer }) => answer && session.includes(answer)).at(-1)
  if (!refresh?.answer || refresh.access) return undefined
  const { send, answer } = refresh
  if (end.cause === 'deleted') return [causes.deleted, send, answer]
  if (answer.headers['x-stack-known-error']?.startsWith('REFRESH_TOKEN'))
    return [...ofRefusal(refresh, ending), send, answer]
  const online = lastOf(session, 'online')
  if (answer.failure && online?.is === false) return [causes.offline, online, send, answer]
  const status = statusOf(answer)
  const refused = status >= 500 ? causes.failing : status === 429 ? causes.tooMany : causes.proxy
  return [answer.failure ? causes.unanswered : refused, send, answer]
}

/** The platform has refused the refresh token. */
function ofRefusal({ send, sent }: Refresh, { all, session, end, refreshes, stored }: Ending): SignOutCause {
  const answered = refreshes.filter(({ access }) => access)
  const known = stored.filter(({ event }) => event.index < send.index)
  const at = known.map(({ refresh }, at) => refresh === sent && known[at - 1]?.refresh !== sent).lastIndexOf(true)
  const [was, came] = [known[at - 1], known[at]]
  if (came && was && !came.isOwn) {
    if (claimsIn(all, was)['sub'] !== claimsIn(all, came)['sub']) return [causes.otherUser, came.event]
    const isSoon = came.event.at - was.event.at <= soonMillis
    if (was.isOwn && isSoon) return [causes.twoCookies, was.event, came.event]
  }
  // A platform that rotates refresh tokens gives another one.
  if (answered.some(({ sent: asked, refresh }) => (refresh ?? asked) === asked)) return [causes.revoked, came?.event]
  const lock = lastOf(session, 'lock', ({ name, is }) => is === 'lost' || (is === 'granted' && name.includes('steal')))
  if (lock && send.at - lock.at < minuteMillis) return [causes.stolenLock, lock]
  const other = stored.find(
    ({ event, isOwn, refresh }) =>
      !isOwn && refresh !== sent && event.index > send.index && event.at - end.at < soonMillis,
  )
  if (other) return [causes.twoTabs, other.event]
  const lost = refreshes.find(each => each.sent === sent && each.answer?.failure && each.send.index < send.index)
  if (lost) return [causes.lostAnswer, lost.send, lost.answer]
  return [answered.length > 0 ? causes.server : causes.pageLeft, came?.event]
}

/** There was no refresh token. */
function ofTime({ all, session, end, had, jumps }: Ending): SignOutCause {
  const jump = jumps.at(-1)
  const dated = lastOf(session, 'answer', ({ headers }) => headers.date !== undefined)
  const { exp } = claimsIn(all, had)
  if (dated && typeof exp === 'number' && (!jump || jump.index < dated.index)) {
    const platformsNow = Date.parse(dated.headers.date ?? '') + end.at - dated.at
    if (exp * 1000 - platformsNow > minuteMillis) return [causes.wrongClock, had?.event, dated]
  }
  return [jump && jump.by > 0 ? causes.slept : causes.expired, had?.event]
}

type Refresh = ReturnType<typeof refreshesIn>[0]

/** The requests for a new access token; `access` and `refresh` are of the answer. */
function refreshesIn(all: Events) {
  const answers = firstOf(named(all, 'answer'), ({ id }) => id)
  return sendsIn(all).flatMap(send => {
    if (send.path !== '/auth/oauth/token' || !isRecord(send.body)) return []
    const answer = answers.get(send.id)
    const json: Readonly<Record<string, unknown>> = isRecord(answer?.json) ? answer.json : {}
    return {
      send,
      sent: send.body['refresh_token'],
      answer,
      access: json['access_token'],
      refresh: json['refresh_token'],
    }
  })
}

type Stored = ReturnType<typeof storedIn>[0]

/** The tokens that came to be in the token store; `isOwn`: this tab wrote them. */
function storedIn(all: Events, refreshes: readonly Refresh[]) {
  const answered = firstOf<Refresh, RecordedEvent | undefined>(
    refreshes.filter(({ access }) => access),
    ({ answer }) => answer,
  )
  return all.flatMap(event => {
    const refreshed = answered.get(event)
    if (refreshed) return { event, isOwn: true, access: refreshed.access, refresh: refreshed.refresh ?? refreshed.sent }
    const isOwn = 'in' in event && event.in === 'signed in'
    const isHeld = isOwn || ('in' in event && event.in === 'held')
    const tokens = 'start' in event ? event.start.tokens : isHeld ? event.tokens : null
    return tokens
      ? { event, isOwn, access: tokens.accessToken as unknown, refresh: tokens.refreshToken as unknown }
      : []
  })
}

function claimsIn(all: Events, stored: Stored | undefined): Readonly<Record<string, unknown>> {
  const found = all.find(event => 'token' in event && event.token.name === stored?.access)
  return found && 'token' in found ? found.token.claims : {}
}

/** The first item with each key: a file of a stranger may have any number. */
function firstOf<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, T> {
  return new Map(items.map(item => [keyOf(item), item] as const).reverse())
}

function sendsIn(all: Events) {
  return all.filter(event => 'did' in event && event.did === 'send')
}

function named<T extends InputEvent['in']>(events: Events, name: T) {
  return events.filter((event): event is InputEventOf<T> => 'in' in event && event.in === name)
}

/** The last input of this name that has more to it. */
function lastOf<T extends InputEvent['in']>(
  events: Events,
  name: T,
  isMeant: (event: InputEventOf<T>) => boolean = () => true,
): InputEventOf<T> | undefined {
  return named(events, name).filter(isMeant).at(-1)
}

/** The platform may answer 200, with the status in a header. */
function statusOf({ headers, status }: InputEventOf<'answer'>): number {
  return Number(headers['x-stack-actual-status'] ?? status)
}
