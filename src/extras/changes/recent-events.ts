import { jsonText } from '../../core/values'
import type { Clock } from '../../core/clock'
import type { RelayedEvent } from './message'

/** How many events a page can resume over. */
const mostKept = 1000

/** How many ids of webhooks are remembered, so that none is told twice. */
const mostIds = 20_000

/** A page loads its first data for at most so long before it connects. */
const firstMillis = 30_000

/** Other processes may have received events in another order: those of so long before the last one are told again. */
const overlapMillis = 10_000

/** A page that has more to learn loads everything. */
const mostResumed = 100

/** An event, at its place in this process. */
export interface Recent {
  readonly message: RelayedEvent
  readonly at: number
  /** Whether it has been told to the pages that were connected. */
  isSettled: boolean
}

/** The last events that this process has received, for pages that come back. */
export class RecentEvents {
  readonly #clock: Clock
  readonly #ids = new Set<string>()
  #all: Recent[] = []
  /** After this one, `#all` is complete. */
  #base!: { readonly id: string; readonly at: number }
  /** The id of the last event up to which all are settled. */
  #position!: string
  /** The number of events in `#all` up to that one. */
  #settled = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.begin()
  }

  /** Events before this moment may have been lost. */
  begin(): void {
    // No other process knows it.
    this.#position = `start-${this.#clock.random().toString(36).slice(2)}`
    this.#base = { id: this.#position, at: this.#clock.monotonic() }
    this.#all = this.#all.filter(({ isSettled }) => !isSettled)
    this.#settled = 0
  }

  /** The id up to which every connected page has been told what it may know. */
  get position(): string {
    return this.#position
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** False if the id was claimed before. */
  claim(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    const [oldest] = this.#ids
    if (this.#ids.size > mostIds && oldest !== undefined) this.#ids.delete(oldest)
    return true
  }

  add(message: RelayedEvent): Recent {
    const added = { message, at: this.#clock.monotonic(), isSettled: false }
    this.#all.push(added)
    // Half of them at once: moving all for each event is slow in a burst.
    if (this.#all.length >= 2 * mostKept) {
      const gone = this.#all[mostKept - 1]
      if (gone) this.#base = { id: gone.message.id, at: gone.at }
      this.#all = this.#all.slice(mostKept)
      this.#settled = Math.max(0, this.#settled - mostKept)
    }
    return added
  }

  settle(recent: Recent): void {
    recent.isSettled = true
    for (let next = this.#all[this.#settled]; next?.isSettled; next = this.#all[++this.#settled])
      this.#position = next.message.id
  }

  /**
   * Events that a page may have missed since `id` (empty: it has seen none), each kind once. The page may get an event twice
   * that is not settled. Null: the events are not known, or more than are worth telling.
   */
  after(id: string): readonly Recent[] | null {
    const since = this.#sinceWhen(id)
    if (!since) return null
    const { index, at } = since
    const kinds = new Map<string, Recent>()
    this.#all.forEach((each, place) => {
      if (place > index || each.at > at) kinds.set(jsonText(each.message.change), each)
    })
    return kinds.size > mostResumed ? null : [...kinds.values()]
  }

  #sinceWhen(id: string): { readonly index: number; readonly at: number } | undefined {
    const all = this.#all
    if (id === '') {
      const at = this.#clock.monotonic() - firstMillis
      return at >= this.#base.at ? { index: all.length, at } : undefined
    }
    if (id === this.#base.id) return { index: -1, at: -Infinity }
    const index = all.findIndex(({ message }) => message.id === id)
    const found = all[index]
    return found && { index, at: found.at - overlapMillis }
  }
}
