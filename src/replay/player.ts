import { version } from '../core/version'
import { digests, type DecisionForm } from '../extras/record/forms'
import { shownNow } from '../extras/record/state'
import { argsKey } from '../store/source'
import { refused } from './checked'
import type { Checked, DecisionEvent, InputEvent, InputEventOf, RecordedEvent, StartEvent } from './checked'
import { isCall } from './calls'
import { FedApp, stepOf } from './fed-app'
import type { SendEvent } from './exchanges'
import { isAccess, type ScriptedAccess } from './surroundings'

export type { DecisionForm } from '../extras/record/forms'

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

export interface DecisionDivergence extends Divergence {
  readonly recorded?: DecisionEvent
  readonly played?: DecisionForm
}

/** A decision of the kit that plays, the input before it, and the surroundings before this input and at the decision. */
export interface MadeDecision {
  readonly decision: DecisionForm
  readonly after: InputEvent | undefined
  readonly surroundings: string
}

export interface PlayOptions {
  /** Also commits and repetitions are compared with a recording of another version. */
  readonly isStrict?: boolean
}

/** A decision with its number. */
type WantedDecision = readonly [index: number, event: DecisionEvent]
type Fed = readonly [index: number, event: InputEvent]

/** Feeds the inputs of a recording to a kit, and compares what that decides with what was decided. */
export class Player {
  /** The decisions of the kit so far. */
  readonly made: MadeDecision[] = []
  divergence: DecisionDivergence | undefined
  readonly app: FedApp
  readonly #events: readonly RecordedEvent[]
  /** Decisions are not compared. */
  readonly #isFree: boolean
  /** The number of the event where playing begins. */
  readonly #begin: number
  readonly #compares: (decision: DecisionForm) => boolean
  /** The decisions to come, with their numbers, and those of them that the kit has made. */
  readonly #wanted: WantedDecision[] = []
  readonly #matched = new Set<number>()
  #seen = 0
  /** The inputs to come, with their numbers. */
  readonly #inputs: Fed[] = []
  /** The numbers of the inputs before. */
  readonly #fed: number[] = []
  /** The turn and the step of the last input. */
  #turn = -1
  #step = 0
  /** The surroundings before the last input. */
  #before = ''
  /** The step of a commit that is just made. */
  #decidedAt = -1

  constructor({ events, rxauth, isPart = false }: Checked, options: PlayOptions = {}) {
    this.#events = events
    this.#isFree = isPart
    this.#begin = events.findIndex(event => 'start' in event)
    if (this.#begin < 0)
      throw refused('has no event "start", for the app was never at rest: --why reads it, and nothing plays it')
    const isSame = options.isStrict || rxauth === version
    this.#compares = decision => isSame || !['commit', 'retry'].includes(decision.did)
    this.app = new FedApp(events, events[this.#begin] as StartEvent, this.#read())
  }

  async play(): Promise<void> {
    const { turns } = this.app
    const first = this.#inputs.find(([, event]) => event.in === 'held')?.[1]
    await this.app.begin(first as InputEventOf<'held'> | undefined, form => {
      this.#decided(form)
    })
    // `sessionLimits` is not played: it has signed out before a call that followed a sleep.
    this.app.core.session.using.add(() => {
      const [next] = this.#inputs
      const isLimit = next?.[1].in === 'sign out' && next[1].reason !== 'signed-out'
      if (isLimit && next[1].turn === this.#turn) this.#feed(next)
    })
    turns.onStep = () => {
      for (let next = this.#inputs[0]; next && this.#isNext(next); next = this.#inputs[0]) this.#feed(next)
    }
    for (;;) {
      await this.app.settle()
      const [next] = this.#inputs
      if (next && this.#isLate(next, true)) this.#differ()
      if (!next || this.divergence) break
      if (next[1].turn !== this.#turn) this.app.dropDraws(next[0])
      this.#feed(next)
      turns.onStep()
    }
    turns.onStep = undefined
    if (!this.#isFree) this.#compareEnd()
  }

  /** Whether an input comes now: by its number within the turn, and when the kit has decided what was decided before. */
  #isNext(fed: Fed): boolean {
    const [, event] = fed
    const { turns, calls, host } = this.app
    if (this.divergence || event.turn !== this.#turn || this.#isLate(fed)) return false
    // In a commit nothing comes but calls of the subscribers of the app.
    if (this.#decidedAt >= 0) return isCall(event) && event.step === this.#decidedAt
    if (event.in === 'answer' || event.in === 'came') return !this.#isFree && turns.step >= stepOf(event)
    if (turns.step < event.step || (event.in === 'timer' && this.#isFree)) return false
    // The kit that plays may make this call, or read the token store, by itself in this step.
    const isDue = event.step === this.#step || turns.step > event.step || event.in === 'call'
    if (isCall(event)) return isDue || calls.isOwn(event)
    if (isAccess(event)) return isDue || this.app.held.seen === event
    return event.in !== 'lock' || host.asking(event) !== undefined
  }

  #feed([index, event]: Fed): void {
    this.#inputs.shift()
    this.#turn = event.turn
    this.#step = event.step
    this.app.clock.millis = Math.max(this.app.clock.millis, event.at)
    this.#fed.push(index)
    this.#before = this.app.surroundings
    this.app.feed(event, this.#accesses(index))
  }

  /** Finds the inputs, and the decisions that are compared; returns the requests. */
  #read(): readonly SendEvent[] {
    const sends: SendEvent[] = []
    for (const [index, event] of this.#events.entries()) {
      if (index <= this.#begin) continue
      if ('in' in event && event.in !== 'random') this.#inputs.push([index, event])
      if (!('did' in event)) continue
      if (event.did === 'send') sends.push(event)
      if (this.#compares(event)) this.#wanted.push([index, event])
    }
    this.#inputs.sort(([, one], [, other]) => one.turn - other.turn || stepOf(one) - stepOf(other))
    return sends
  }

  #decided(form: DecisionForm): void {
    if (this.divergence || !this.#compares(form)) return
    const after = this.#events[this.#fed.at(-1) ?? -1] as InputEvent | undefined
    this.made.push({ decision: form, after, surroundings: `${this.#before} ${this.app.surroundings}` })
    if (this.#isFree) return
    const text = textOf(form)
    const turn = this.#wanted[this.#seen]?.[1].turn
    // Decisions of a turn that do not depend on each other may come in another order.
    for (let at = this.#seen; at < this.#wanted.length; at++) {
      const [index, event] = this.#wanted[at] as WantedDecision
      if (event.turn !== turn) break
      if (this.#matched.has(index) || textOf(event) !== text) continue
      this.#matched.add(index)
      this.#decidedAt = event.step
      while (this.#matched.has(this.#wanted[this.#seen]?.[0] ?? -1)) this.#seen++
      // Subscribers of the app make calls in a commit.
      if (form.did === 'commit') this.app.turns.onStep?.()
      this.#decidedAt = -1
      return
    }
    this.#differ(form)
  }

  #differ(played?: DecisionForm): void {
    const [event = this.#events.length, recorded] = this.#wanted[this.#seen] ?? []
    const after = this.#fed
      .filter(index => index < event)
      .sort((one, other) => one - other)
      .at(-1)
    this.divergence ??= {
      event,
      ...(recorded && { recorded }),
      ...(played && { played }),
      ...(after !== undefined && { after }),
    }
  }

  #compareEnd(): void {
    if (this.#seen < this.#wanted.length) this.#differ()
    const last = this.#events.at(-1)
    if (this.divergence || !last || !('end' in last)) return
    const shown = digests(shownNow(this.app.core), this.app.texts)
    if (argsKey(shown) === argsKey(last.end)) return
    const { at, turn, step, end } = last
    const cause = 'the end'
    const recorded = { at, turn, step, did: 'commit', cause, shown: end } as const
    this.divergence = { event: this.#events.length - 1, recorded, played: { did: 'commit', cause, shown } }
  }

  /** Whether the kit has yet to decide what was decided before this event; `isSettled`: nothing else is ready to run. */
  #isLate([index, event]: Fed, isSettled = false): boolean {
    const [before = Infinity, decision] = this.#wanted[this.#seen] ?? []
    // An answer is given before the kit tells of it: an input between may lead to the decision.
    const step = isSettled && event.in !== 'answer' && event.in !== 'came' ? Infinity : stepOf(event)
    return !this.#isFree && before < index && (decision?.turn !== event.turn || decision.step <= step)
  }

  /** The accesses to the token store that this input leads to, and before each the calls that the kit makes by itself. */
  #accesses(index: number): readonly ScriptedAccess[] {
    const found: ScriptedAccess[] = []
    let calls = 0
    let isFirst = true
    for (const event of this.#events.slice(index + 1)) {
      if ('did' in event) isFirst = false
      if (!('in' in event) || event.in === 'random') continue
      if (event.turn !== this.#events[index]?.turn) break
      if (isAccess(event)) found.push({ calls, event, isFirst })
      else if (isCall(event)) calls++
      else break
    }
    return found
  }
}

/** The decision with the number of the input before it, as a test compares it. */
export function decisionIn({ decision, after }: MadeDecision, events: readonly RecordedEvent[]): DecisionForm {
  return { ...decision, ...(after && { after: events.indexOf(after) }) }
}

/** The text by which two decisions are the same one. */
export function textOf(decision: object): string {
  const { at, turn, step, id, ...rest } = decision as DecisionForm
  return argsKey(rest)
}
