import type { Clock } from '../../core/clock'
import { missedText } from './message'

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
