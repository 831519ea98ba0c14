import { macrotasks, momentOf } from '../core/clock'
import { toBase64Url } from '../core/encoding'
import { fromJson } from '../core/json-form'
import type { Input } from '../core/tap'
import { isRecord } from '../core/values'
import { decisionForm, type DecisionForm, type TextMaps } from '../extras/record/forms'
import { shownNow } from '../extras/record/state'
import { TurnNumbers } from '../extras/record/turns'
import { createKit } from '../kit/create-kit'
import { isSame } from '../session/token-store'
import { coreOf } from '../store/kit-parts'
import { argsKey, type Source } from '../store/source'
import { callsOf, ignored, inputIn, isCall } from './calls'
import { page, queryOf } from './definitions'
import type { InputEvent, InputEventOf, RecordedEvent, StartEvent } from './events'
import { isAccess, scriptedClock, scriptedHost, scriptedTokens, type Accesses } from './surroundings'

const baseUrl = 'https://platform.invalid'
const base = `${baseUrl}/api/v1`
const nullBodies = new Set([204, 205, 304])

/** The step in which an input is given to the kit, which tells of an answer later: when it has the text. */
export function stepOf(event: InputEvent): number {
  return event.step - (event.in === 'answer' ? 4 : event.in === 'came' ? 1 : 0)
}

/** A kit whose surroundings are a recording, and what it decides. The events have the access tokens with these names. */
export function fedApp(events: readonly RecordedEvent[], at: StartEvent, tokens: ReadonlyMap<string, string>) {
  const { start } = at
  /** Random numbers to come. */
  const draws = events.filter(event => 'in' in event && event.in === 'random')
  const sends = events.slice(at.index).filter(event => 'did' in event && event.did === 'send')
  const names = new Map([...tokens].map(([name, token]) => [token, name]))
  /** The texts of the kit's values are those of the recording but for access tokens. */
  const texts: TextMaps = {
    json: json => restored(json, names),
    path: path => path,
    secret: text => names.get(text) ?? text,
    store: name => name,
  }
  /** The ends of requests and of works outside the kit, by the inputs that end them. */
  const ends = new Map<string, { resolve(value: unknown): void; reject(error: Error): void }>()
  /** The number that the kit has given to its last request, and the numbers in the recording by those. */
  let lastSent = -1
  const ids = new Map<number, number>()
  /** The accesses that an answer leads to, of which the kit has yet to tell. */
  const answered = new Map<number, Accesses>()

  const sent = (url: string, { method = 'GET', signal }: RequestInit = {}) => {
    const index = sends.findIndex(send => send.method === method && base + send.path === url)
    const [send] = index < 0 ? [] : sends.splice(index, 1)
    if (send) ids.set(lastSent, send.id)
    return new Promise<Response>((resolve, reject) => {
      if (send) ends.set(`answer ${send.id}`, { resolve, reject })
      signal?.addEventListener('abort', () => {
        reject(new DOMException('aborted', 'AbortError'))
      })
    })
  }

  const clock = scriptedClock(start, () => draws.shift()?.value ?? 0.5)
  const held = scriptedTokens(start.isShared)
  const host = scriptedHost(start)
  const kit = createKit({
    baseUrl,
    projectId: 'replay',
    publishableClientKey: 'replay',
    tokens: held.store,
    host: host.host,
    clock,
    fetch: (url, init) => sent(url as string, init),
    attemptTimeoutMillis: start.attemptTimeoutMillis ?? Infinity,
    onUnhandled: () => undefined,
    navigate: () => undefined,
    urls: { oauthCallback: page },
    passkeys: { hostname: 'localhost' },
  })
  const core = coreOf(kit)
  const { session } = core
  const { tap } = core.clock
  tap.begun = start.begun
  tap.instead = id => new Promise((resolve, reject) => void ends.set(`came ${id}`, { resolve, reject }))
  const calls = callsOf(kit)
  const turns = new TurnNumbers()
  const turn = macrotasks()
  let unfollow: (() => void) | undefined

  /** Runs all that is ready. */
  const settle = async () => {
    for (let turns = 0; turns < 3; turns++) await turn()
  }

  /** Watches the session, as the app did by what is no store, such as `tokens$`. */
  const follow = (is: boolean) => {
    unfollow?.()
    unfollow = is ? session.retain() : undefined
  }

  const fill = ({ value, ageMillis, isStale, beganMillis, restsMillis, ...place }: (typeof start.stores)[number]) => {
    const source = queryOf(place.store)?.['~source'] as Source | undefined
    if (!source) return
    const input = inputIn(place.input)
    const cell = core.cells.open(core, { source, input, key: argsKey(input) })
    const { wall, monotonic } = momentOf(clock)
    cell.known.setValue(fromJson(value), { wall: wall - ageMillis, monotonic: monotonic - ageMillis })
    cell.known.isStale = isStale
    if (beganMillis !== null) cell.began = monotonic - beganMillis
    cell.take()
    // Its idle time goes on.
    clock.millis = monotonic - (restsMillis ?? 0)
    cell.noteReturned()
    clock.millis = monotonic
  }

  const told = (event: Input) => {
    if (event.in === 'held' || event.in === 'unread' || event.in === 'kept') held.accessed()
    else if (event.in === 'answer') held.expect(answered.get(ids.get(event.id) ?? -1))
    else if (calls.told(event)) held.called()
  }

  const come = (event: InputEventOf<'answer' | 'came'>) => {
    const end = ends.get(`${event.in} ${event.id}`)
    const { failure } = event
    const isAnswer = event.in === 'answer'
    const name = isAnswer ? 'AbortError' : failure
    const lose = () =>
      end?.reject(failure === 'TypeError' ? new TypeError('lost') : new DOMException('as recorded', name))
    if (failure === undefined) end?.resolve(isAnswer ? responseOf(event) : fromJson(event.value))
    // A lost answer has no text, which takes a microtask: two answers that were told in one step come in their order.
    else if (isAnswer) void Promise.resolve().then(lose)
    else lose()
  }

  /** Brings the kit to where the recording begins. From then on `decided` is told. */
  const begin = async (decided: (form: DecisionForm) => void) => {
    const { isKnown, reason, rotates, aheadMillis } = start
    const first = events.slice(at.index).find(event => 'in' in event && event.in === 'held')
    held.tokens = (isKnown ? start : first)?.tokens ?? null
    if (aheadMillis !== null) {
      const now = clock.now()
      session.serverClock.learn(tokenOf({ sub: 'platform', iat: (now + aheadMillis) / 1000 }), now)
    }
    if (isKnown) {
      void session.sync()
      if (session.stored?.accessToken) session.serverClock.remaining(session.stored.accessToken)
      Object.assign(session, { reason, rotates })
      core.commits.run('start', () => {
        core.commits.touch(core.committedSession)
      })
    }
    start.stores.forEach(fill)
    follow(start.followed)
    for (const place of start.watched) calls.watch({ ...place, asks: false })
    await settle()
    tap.tell = event => {
      turns.mark()
      if ('in' in event) {
        told(event)
        return
      }
      if ('init' in event) lastSent = event.id
      const form = decisionForm(event, 'stores' in event ? shownNow(core, event.stores) : undefined, base, texts)
      if (form) decided(form)
    }
  }

  /** Gives an input to the kit. `accesses`: those to the token store that it leads to; `looksFirst`: before it decides anything. */
  const feed = (event: InputEvent, accesses: Accesses, looksFirst: boolean) => {
    if (turns.mark()) turns.step = stepOf(event)
    const isOwn = isCall(event) && calls.isOwn(event)
    if (event.in === 'answer') answered.set(event.id, accesses)
    else if (!isAccess(event) && event.in !== 'clock' && !isOwn) held.expect(accesses)
    if (isCall(event)) {
      calls.make(event)
      return
    }
    switch (event.in) {
      case 'answer':
      case 'came':
        come(event)
        break
      case 'timer':
        clock.run(event)
        break
      case 'clock':
        clock.aheadMillis += event.by
        break
      case 'online':
      case 'visible':
      case 'shown':
        // A session that was watched before the stores looks at the token store first.
        if (looksFirst) held.changed()
        host.states[event.in].next(event.is)
        break
      case 'followed':
        follow(event.is)
        break
      case 'held':
        // The kit has seen them in the course of the input before.
        if (held.seen === event) break
        if (session.identity.kind !== 'unknown' && isSame(session.stored, event.tokens)) break
        held.expect()
        held.tokens = event.tokens
        held.changed()
        ignored(session.sync())
        break
      case 'message':
        host.tell(event)
        break
      case 'lock':
        host.lock(event)
        break
      case 'unread':
      case 'kept':
        // The kit has met it in the course of the input before, or not at all.
        held.refuses = undefined
        break
      case 'random':
        break
      default:
        event satisfies never
    }
  }

  const end = () => {
    tap.tell = undefined
    kit.dispose()
  }
  /** The state of the token store and of the page, in which the kit decides. */
  const surroundings = () => {
    const { states } = host
    return argsKey([held.tokens, states.online.value, states.visible.value, states.shown.value])
  }
  return { kit, core, calls, clock, host, held, texts, turns, draws, begin, feed, settle, surroundings, end }
}

/** The answer as the recording has it. Its text is there at once: time passes by the recording alone. */
function responseOf({ status, headers, json, text = '' }: InputEventOf<'answer'>) {
  const body = json === undefined ? text : JSON.stringify(json)
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = new Response(nullBodies.has(status) ? null : body, { status, headers: given })
  return Object.defineProperty(response, 'text', { configurable: true, value: () => Promise.resolve(body) })
}

/** The value with an access token in the place of each name of one. */
export function restored<T>(json: T, texts: ReadonlyMap<string, string>): T {
  const of = (part: unknown): unknown => {
    if (typeof part === 'string') return texts.get(part) ?? part
    if (Array.isArray(part)) return part.map(of)
    return isRecord(part) ? Object.fromEntries(Object.entries(part).map(([key, each]) => [key, of(each)])) : part
  }
  // Only texts are replaced, by texts.
  return of(json) as T
}

/** An access token with these claims, which no platform has signed. */
export function tokenOf(claims: Readonly<Record<string, unknown>>): string {
  const part = (json: object) => toBase64Url(new TextEncoder().encode(JSON.stringify(json)))
  return `${part({ alg: 'none' })}.${part(claims)}.unsigned`
}
