import { isRecord } from '../core/values'
import { version } from '../core/version'
import { digests } from '../extras/record/forms'
import type { DecisionForm } from '../extras/record/forms'
import { shownNow } from '../extras/record/state'
import { argsKey } from '../store/source'
import { refused } from './checked'
import type { Checked, DecisionEvent, InputEvent, InputOf, RecordedEvent, StartEvent } from './checked'
import { isCall } from './calls'
import { FedApp } from './fed-app'
import type { Send } from './fed-app'

/** The first decision that differs. */
export interface Divergence {
  /** The number of the recorded decision that the kit has not made; after the last one, the number of events. */
  readonly event: number
  /** Undefined: the kit has decided something more. */
  readonly recorded?: DecisionEvent
  /** Undefined: the kit has not decided it. */
  readonly played?: DecisionForm
  /** The number of the input before it; undefined: there was none. */
  readonly after?: number
}

export interface PlayOptions {
  /** Also commits and repetitions are compared with a recording of another version. */
  readonly isStrict?: boolean
  /** Decisions are not compared. */
  readonly isFree?: boolean
  /** Microtasks between two answers of one turn, of which a recording does not tell. */
  readonly gap?: number
  /** Tokens of others are seen by a later read of the same turn. */
  readonly isLate?: boolean
}

/** A decision with its number. */
type Wanted = readonly [index: number, event: DecisionEvent]

/** Microtasks that the kit is given before the next input of a turn. */
const maxMicrotasks = 200

/** Feeds the inputs of a recording to a kit, and compares what that decides with what was decided. */
export class Player {
  /** What the kit has decided. */
  readonly made: DecisionForm[] = []
  divergence: Divergence | undefined
  readonly app: FedApp
  readonly #events: readonly RecordedEvent[]
  readonly #options: PlayOptions
  /** The number of the event where playing begins. */
  readonly #begin: number
  readonly #compares: (did: string) => boolean
  /** The decisions to come, with their numbers, and those of them that the kit has made. */
  readonly #wanted: Wanted[] = []
  readonly #matched = new Set<number>()
  #seen = 0
  /** Events of a sign-in that is not played. */
  readonly #skipped = new Set<number>()
  /** The number of the last input. */
  #after: number | undefined

  constructor({ events, rxauth, isPart = false }: Checked, options: PlayOptions = {}) {
    this.#events = events
    this.#options = { isFree: isPart, ...options }
    this.#begin = events.findIndex(event => 'start' in event)
    if (this.#begin < 0)
      throw refused('has no event "start", for the app was never at rest: --why reads it, and nothing plays it')
    const isSame = options.isStrict || rxauth === version
    this.#compares = did => isSame || !['commit', 'retry'].includes(did)
    this.app = new FedApp(events, events[this.#begin] as StartEvent, this.#findWanted())
  }

  async play(): Promise<void> {
    const { isFree, gap = 0, isLate } = this.#options
    const first = this.#events.find((event, index) => index > this.#begin && 'in' in event && event.in === 'held')
    await this.app.begin(first as InputOf<'held'> | undefined, form => {
      this.#decided(form)
    })
    let turn = -1
    for (const [index, event] of this.#events.entries()) {
      if (index <= this.#begin || !('in' in event) || event.in === 'random' || this.#skipped.has(index)) continue
      const isNewTurn = event.turn !== turn
      turn = event.turn
      if (isNewTurn || (isFree && (event.in === 'answer' || event.in === 'timer'))) {
        await this.app.settle()
        this.app.dropDraws(index)
      } else if (!event.isSync || event.in === 'answer' || this.#isLate(index)) {
        if (event.in === 'answer') for (let left = gap; left > 0; left--) await Promise.resolve()
        await this.#until(() => !this.#isLate(index))
        if (this.#isLate(index)) await this.app.settle()
        // The kit that plays may make this call by itself.
        if (isCall(event)) await this.#until(() => this.app.calls.isOwn(event))
        if (event.in === 'lock') await this.#until(() => this.app.host.isAsked(event))
      }
      if (this.#isLate(index)) this.#differ()
      if (this.divergence) return
      this.app.clock.millis = Math.max(this.app.clock.millis, event.at)
      this.#after = index
      this.#foresee(index, true)
      this.app.feed(event)
      if (!isLate) this.#foresee(index, false)
    }
    await this.app.settle()
    if (!isFree) this.#compareEnd()
  }

  /** Finds the decisions that are compared; returns the requests. Of a sign-in that is not played, both are left out. */
  #findWanted(): readonly Send[] {
    const left = new Set<number>()
    const sends: Send[] = []
    for (const [index, event] of this.#events.entries()) {
      if (index <= this.#begin) continue
      if ('did' in event && event.did === 'send' && !isPlayed(event)) left.add(event.id)
      else if ('did' in event) {
        if (event.did === 'send') sends.push(event)
        if (this.#compares(event.did)) this.#wanted.push([index, event])
      } else if ('in' in event && event.in === 'answer' && left.has(event.id)) this.#skipped.add(index)
    }
    return sends
  }

  #decided(form: DecisionForm): void {
    if (this.divergence || !this.#compares(form.did)) return
    this.made.push(form)
    if (this.#options.isFree) return
    const text = textOf(form)
    const turn = this.#wanted[this.#seen]?.[1].turn
    // What does not depend on each other may be decided in another order within a turn.
    for (let at = this.#seen; at < this.#wanted.length; at++) {
      const [index, event] = this.#wanted[at] as Wanted
      if (event.turn !== turn) break
      if (this.#matched.has(index) || textOf(event) !== text) continue
      this.#matched.add(index)
      while (this.#matched.has(this.#wanted[this.#seen]?.[0] ?? -1)) this.#seen++
      return
    }
    this.#differ(form)
  }

  #differ(played?: DecisionForm): void {
    const [event = this.#events.length, recorded] = this.#wanted[this.#seen] ?? []
    const after = this.#after
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
    const { at, turn, end } = last
    const cause = 'the end'
    const recorded = { at, turn, did: 'commit', cause, shown: end } as const
    this.divergence = { event: this.#events.length - 1, recorded, played: { did: 'commit', cause, shown } }
  }

  /** Lets the kit go on within a turn. */
  async #until(isReached: () => boolean): Promise<void> {
    for (let tries = 0; tries < maxMicrotasks && !isReached(); tries++) await Promise.resolve()
  }

  /** Whether the kit has yet to decide what was decided before this event. */
  #isLate(index: number): boolean {
    const next = this.#wanted[this.#seen]
    return !this.#options.isFree && next !== undefined && next[0] < index
  }

  /** What others have done with the token store is seen in the course of the input before: at once, or later. */
  #foresee(index: number, isSync: boolean): void {
    const fed = this.#events[index] as InputEvent
    for (let next = index + 1; next < this.#events.length; next++) {
      const event = this.#events[next] as RecordedEvent
      if ('token' in event) continue
      if (isSync && !event.isSync) return
      // A call makes others, which may be what reads the store.
      if (!('in' in event) || event.in === 'random' || (fed.in === 'call' && isCall(event))) continue
      if (!this.app.foresee(event) || event.in !== 'held') return
    }
  }
}

/** The text by which two decisions are the same one. */
function textOf(decision: object): string {
  const { at, turn, isSync, id, ...rest } = decision as DecisionForm
  return argsKey(rest)
}

/** Whether a request is sent by a call that is played: not that with what a ceremony has brought. */
function isPlayed({ method, path, body }: Send): boolean {
  if (path === '/auth/oauth/token') return isRecord(body) && body['grant_type'] === 'refresh_token'
  return method !== 'POST' || path !== '/auth/passkey/sign-in'
}
