import type { Clock } from '../../core/clock'
import { missedText, type RelayedEvent } from './message'
import { jsonText } from '../../core/values'

/** How many texts wait for a reader; one that is further behind loses events. */
const mostWaiting = 100

/** A reader that has read nothing for so long has gone, although its connection is open. */
const stuckMillis = 60_000

/** A reader that has read nothing for so long gets no proper end. */
const slowMillis = 5000

/** The id of a stream that still owes `missed`: no process knows it. */
const unknownId = 'unknown'

interface EventStreamOptions {
  readonly clock: Clock
  /** The id up to which the stream has been told everything. */
  readonly position: () => string
  /** The id that the page has sent; empty if none. */
  readonly lastId: string
  readonly ended: () => void
}

/** Server-sent events for one page. Its memory is bounded, however slowly the page reads. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>

  readonly #clock: Clock
  readonly #position: () => string
  readonly #ended: () => void
  readonly #encoder = new TextEncoder()
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #waiting: string[] = []
  #wantsMore = false
  #waitsSince = 0
  /** Texts were dropped. */
  #hasLost = false
  /** While the page may have missed something it gets no id, so that it comes back with an earlier one. */
  #isBehind = true
  #cancelMissed: (() => void) | undefined
  #cancelEnd: (() => void) | undefined
  #isOver = false

  constructor({ clock, position, lastId, ended }: EventStreamOptions) {
    this.#clock = clock
    this.#position = position
    this.#ended = ended
    this.body = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          this.#controller = controller
        },
        pull: () => {
          this.#pull()
        },
        cancel: () => {
          this.#finish()
        },
      },
      // Called when the reader waits, so that what it has not asked for is counted here.
      { highWaterMark: 0 },
    )
    // At once: what stands between passes headers on with the first bytes only.
    this.#write(lastId ? ':\n\n' : `id: ${unknownId}\n\n`)
  }

  /** The page has been told everything up to the present position. */
  caughtUp(): void {
    if (this.#cancelMissed || this.#hasLost) return
    this.#isBehind = false
    this.beat()
  }

  tell(text: string): void {
    this.#write(`data: ${text}\n${this.#idLine()}\n`)
  }

  /** Tells after `millis` that something may have been missed. */
  missed(millis: number): void {
    if (this.#isOver || this.#cancelMissed) return
    this.#isBehind = true
    this.#cancelMissed = this.#clock.setTimeout(
      () => {
        this.#cancelMissed = undefined
        this.#isBehind = this.#hasLost
        this.tell(missedText)
      },
      millis,
      { keepAlive: false },
    )
  }

  /** Keeps the connection open, and ends that of a reader that has gone. */
  beat(): void {
    if (this.#hasWaited(stuckMillis)) this.end()
    else this.#write(`${this.#idLine() || ':\n'}\n`)
  }

  endAfter(millis: number): void {
    const end = () => {
      this.end()
    }
    if (!this.#isOver) this.#cancelEnd = this.#clock.setTimeout(end, millis, { keepAlive: false })
  }

  end(): void {
    if (this.#isOver) return
    if (this.#hasWaited(slowMillis))
      // An error, as it also reaches what waits until the connection takes more.
      this.#controller.error(new Error('the reader of this stream does not read'))
    else {
      this.#flush()
      this.#controller.close()
    }
    this.#finish()
  }

  #hasWaited(millis: number): boolean {
    return this.#waiting.length > 0 && this.#clock.monotonic() - this.#waitsSince >= millis
  }

  #idLine(): string {
    return this.#isBehind ? '' : `id: ${this.#position()}\n`
  }

  #write(text: string): void {
    if (this.#isOver || this.#hasLost) return
    if (this.#waiting.length === 0) this.#waitsSince = this.#clock.monotonic()
    if (this.#waiting.length >= mostWaiting) {
      this.#hasLost = true
      this.#isBehind = true
      return
    }
    this.#waiting.push(text)
    if (this.#wantsMore) this.#pull()
  }

  #pull(): void {
    this.#wantsMore = this.#waiting.length === 0
    if (this.#wantsMore) return
    this.#flush()
    if (!this.#hasLost) return
    this.#hasLost = false
    this.missed(0)
  }

  #flush(): void {
    const text = this.#waiting.join('')
    this.#waiting = []
    if (text) this.#controller.enqueue(this.#encoder.encode(text))
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancelMissed?.()
    this.#cancelEnd?.()
    this.#ended()
  }
}

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
