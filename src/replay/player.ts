import { version } from '../core/version'
import { auth$, type Auth } from '../entities/users/auth'
import { digests, isRecorded, type DecisionForm } from '../extras/record/forms'
import { shownNow } from '../extras/record/state'
import { argsKey } from '../store/source'
import { refused, type Checked } from './checked'
import { isCall } from './calls'
import type { DecisionEvent, InputEvent, RecordedEvent, StartEvent } from './events'
import { fedApp, restored, stepOf, tokenOf } from './fed-app'
import { isAccess, type AccessEvent } from './surroundings'

export { checked } from './checked'

/** The first decision that differs from the recorded ones. */
export interface Divergence {
  /** The number of the recorded decision that the kit has not made; after the last one, the number of events. */
  readonly event: number
  /** Undefined: the kit has decided something more. */
  readonly recorded?: object
  /** Undefined: the kit has not decided it. */
  readonly played?: object
  /** The number of the input before it; undefined: there was none. */
  readonly after?: number
}

interface DecisionDivergence extends Divergence {
  readonly recorded?: DecisionEvent
  readonly played?: DecisionForm
}

/** The end of a playing. */
export interface Replayed {
  readonly auth: Auth
  /** Snapshots of the stores that something watched, by the names that `dehydrate` gives them. */
  readonly stores: Readonly<Record<string, unknown>>
  /** The first decision that differs; undefined: none does. */
  readonly divergence: Divergence | undefined
  /** All decisions of the kit; `after`: the number of the input before each. */
  readonly decisions: readonly object[]
}

/** A decision of the kit that plays, the number of the input before it, and the surroundings before this input and at the decision. */
export type MadeDecision = DecisionForm & { readonly after?: number | undefined; readonly surroundings: string }

/**
 * Gives the inputs of a recording to a kit, and compares what that decides with what was decided, until a decision differs. `isStrict`:
 * commits and repetitions too are compared with a recording of another version.
 */
export async function played({ events: all, rxauth, isPart = false }: Checked, { isStrict = false } = {}) {
  const begin = all.findIndex(event => 'start' in event)
  if (begin < 0)
    throw refused('has no event "start", for the app was never at rest: --why reads it, and nothing plays it')
  const tokens = new Map(
    all.flatMap(event =>
      'token' in event ? [[event.token.name, tokenOf({ ...event.token.claims, jti: event.token.name })]] : [],
    ),
  )
  // Decisions are compared by the names of tokens.
  const events = all.map((event, index) => ({ ...('did' in event ? event : restored(event, tokens)), index }))
  const app = fedApp(events, events[begin] as StartEvent, tokens)
  const { turns, calls, host, held, draws } = app
  const comparesAll = isStrict || isPart || rxauth === version
  const isCompared = (decision: { readonly did: string }) => comparesAll || !isMinor(decision)
  /** The decisions to come from the one with the number `seen`, and the numbers of those of them that the kit has made. */
  const wanted = events.filter(
    (event): event is DecisionEvent => event.index > begin && 'did' in event && isCompared(event),
  )
  const matched = new Set<number>()
  let seen = 0
  /** The inputs to come. */
  const inputs = events
    .filter((event): event is InputEvent => event.index > begin && 'in' in event && event.in !== 'random')
    .sort((one, other) => one.turn - other.turn || stepOf(one) - stepOf(other))
  /** The numbers of the inputs before, the last of them, and the surroundings before it. */
  const fed: number[] = []
  let last: Pick<InputEvent, 'turn' | 'step'> = { turn: -1, step: 0 }
  let before = ''
  /** The step of a commit that is just made. */
  let decidedAt = -1
  const made: MadeDecision[] = []
  let divergence: DecisionDivergence | undefined

  const differ = (played?: DecisionForm) => {
    const recorded = wanted[seen]
    const event = recorded?.index ?? events.length
    const after = fed.reduce((last, index) => (index < event && index > last ? index : last), -1)
    divergence ??= { event, ...(recorded && { recorded }), ...(played && { played }), ...(after >= 0 && { after }) }
  }

  /** Whether the kit has yet to decide what was decided before this event; `isSettled`: nothing else is ready to run. */
  const isLate = (event: InputEvent, isSettled = false) => {
    const decision = wanted[seen]
    if (isPart || !decision || decision.index > event.index) return false
    // An answer is given before the kit tells of it: an input between may lead to the decision.
    const step = isSettled && event.in !== 'answer' && event.in !== 'came' ? Infinity : stepOf(event)
    return decision.turn !== event.turn || decision.step <= step
  }

  /** Whether an input comes now: by its number within the turn, and when the kit has decided what was decided before. */
  const isNext = (event: InputEvent) => {
    if (divergence || event.turn !== last.turn || isLate(event)) return false
    // In a commit nothing comes but calls of the subscribers of the app.
    if (decidedAt >= 0) return isCall(event) && event.step === decidedAt
    if (event.in === 'answer' || event.in === 'came') return !isPart && turns.step >= stepOf(event)
    if (turns.step < event.step || (event.in === 'timer' && isPart)) return false
    // The kit that plays may make this call, or read the token store, by itself in this step.
    const isDue = event.step === last.step || turns.step > event.step || event.in === 'call'
    if (isCall(event)) return isDue || calls.isOwn(event)
    if (isAccess(event)) return isDue || held.seen === event
    return event.in !== 'lock' || host.isAsked(event)
  }

  /** The accesses to the token store that this input leads to; `looksFirst`: one of them before anything is decided. */
  const accessesAfter = ({ index, turn }: InputEvent) => {
    const accesses = new Map<string, AccessEvent>()
    let looksFirst: boolean | undefined
    let calls = 0
    for (let at = index + 1; at < events.length; at++) {
      const event = events[at] as RecordedEvent
      if ('did' in event) looksFirst ??= false
      if (!('in' in event) || event.in === 'random') continue
      if (event.turn !== turn || !(isAccess(event) || isCall(event))) break
      if (isCall(event)) calls++
      else {
        looksFirst ??= true
        accesses.set(`${calls} ${event.access}`, event)
      }
    }
    return { accesses, looksFirst: looksFirst === true }
  }

  const feed = (event: InputEvent) => {
    inputs.shift()
    last = event
    app.clock.millis = Math.max(app.clock.millis, event.at)
    fed.push(event.index)
    before = app.surroundings()
    const { accesses, looksFirst } = accessesAfter(event)
    app.feed(event, accesses, looksFirst)
  }

  const feedNext = () => {
    for (let next = inputs[0]; next && isNext(next); next = inputs[0]) feed(next)
  }

  const decided = (form: DecisionForm) => {
    if (divergence || !isCompared(form)) return
    const after = fed.at(-1)
    made.push({ ...form, ...(after !== undefined && { after }), surroundings: `${before} ${app.surroundings()}` })
    if (isPart) return
    const text = textOf(form)
    let at = seen
    let found = wanted[at]
    const turn = found?.turn
    // Decisions of a turn that do not depend on each other may come in another order.
    while (found?.turn === turn && found && (matched.has(found.index) || textOf(found) !== text)) found = wanted[++at]
    if (!found || found.turn !== turn) {
      differ(form)
      return
    }
    matched.add(found.index)
    decidedAt = found.step
    while (matched.has(wanted[seen]?.index ?? -1)) seen++
    // Subscribers of the app make calls in a commit.
    if (form.did === 'commit') turns.onStep?.()
    decidedAt = -1
  }

  const compareEnd = () => {
    if (seen < wanted.length) differ()
    const end = events.at(-1)
    if (divergence || !end || !('end' in end)) return
    const shown = digests(shownNow(app.core), app.texts)
    if (argsKey(shown) === argsKey(end.end)) return
    const commit = { did: 'commit', cause: 'the end', shown } as const
    divergence = { event: end.index, recorded: { ...end, ...commit, shown: end.end }, played: commit }
  }

  try {
    await app.begin(decided)
    // `sessionLimits` is not played: it has signed out before a call that followed a sleep.
    app.core.session.using.add(() => {
      const [next] = inputs
      if (next?.in === 'sign out' && next.reason !== 'signed-out' && next.turn === last.turn) feed(next)
    })
    turns.onStep = feedNext
    for (;;) {
      await app.settle()
      const [next] = inputs
      if (next && isLate(next, true)) differ()
      if (!next || divergence) break
      // Random numbers of events before this one were drawn for calls that are not played.
      if (next.turn !== last.turn) while (draws[0] && draws[0].index < next.index) draws.shift()
      feed(next)
      feedNext()
    }
    turns.onStep = undefined
    if (!isPart) compareEnd()
    const decisions = made.map(({ surroundings, ...decision }) => decision)
    const stores = shownNow(app.core)
      .filter(([cell]) => isRecorded(cell))
      .map(([{ name, input }, snapshot]) => [`${name} ${argsKey(input)}`, snapshot] as const)
    // A read for the result may lead to more decisions.
    return {
      divergence,
      decisions,
      made: [...made],
      stores: Object.fromEntries(stores),
      auth: auth$(app.kit).value,
    }
  } finally {
    app.end()
  }
}

/** Whether the decision may be another one in a version without a bug. */
export function isMinor({ did }: { readonly did: string }): boolean {
  return did === 'commit' || did === 'retry'
}

/** The text by which two decisions are the same one. */
export function textOf(decision: object): string {
  const { at, turn, step, id, index, ...rest } = decision as DecisionForm
  return argsKey(rest)
}
