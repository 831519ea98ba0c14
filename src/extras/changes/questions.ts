import type { Clock } from '../../core/clock'
import { isThenable, thenSync, type Maybe } from '../../core/promises'
import type { EventNotice } from './message'

/** How long `mayKnow` and `publish` may take. */
const answerMillis = 10_000

/** How many questions wait for an answer at once: as many as the loads that decide otherwise. */
const mostAsked = 8

/** A question that has waited for longer is not asked: the pages of the user load what they show. */
const waitMillis = 30_000

/** How many events wait for an answer, each once for each user. */
const mostWaiting = 50_000

/** Undefined: that cannot be said. */
type MayKnowAnswer = boolean | undefined

interface PendingQuestion {
  readonly userId: string
  readonly change: EventNotice
  readonly key: string
  readonly since: number
  readonly promise: Promise<MayKnowAnswer>
  readonly answer: (answer: Maybe<MayKnowAnswer>) => void
  /** How many events wait for it. */
  events: number
}

interface QuestionsOptions {
  readonly clock: Clock
  readonly mayKnow: (userId: string, change: EventNotice) => Maybe<boolean>
  /** Whether the user has a page that could be told. */
  readonly isReading: (userId: string) => boolean
  readonly report: (error: unknown) => void
}

/** Asks `mayKnow`, `mostAsked` questions at once, and one at a time for each user and change. */
export class Questions {
  readonly #options: QuestionsOptions
  /** By key: the question that follows the one without an answer. */
  readonly #asked = new Map<string, PendingQuestion | undefined>()
  /** By key, also those that follow. */
  readonly #waiting = new Map<string, PendingQuestion>()
  readonly #queue: PendingQuestion[] = []
  /** How many events wait for those in `#waiting`: each keeps a promise for each user. */
  #events = 0
  #hasRefused = false

  constructor(options: QuestionsOptions) {
    this.#options = options
  }

  /** `text`: of the change. */
  ask(userId: string, change: EventNotice, text: string): Maybe<MayKnowAnswer> {
    // First, as a burst has a million questions.
    if (this.#events >= mostWaiting) {
      this.#refuse(`${mostWaiting} questions wait`)
      return undefined
    }
    const key = `${userId} ${text}`
    const isAsked = this.#asked.has(key)
    let question = this.#waiting.get(key)
    if (!question) {
      if (!isAsked && this.#asked.size < mostAsked) return this.#put(userId, change, key)
      let answer!: PendingQuestion['answer']
      const promise = new Promise<MayKnowAnswer>(resolve => (answer = resolve))
      question = { userId, change, key, since: this.#options.clock.monotonic(), promise, answer, events: 0 }
      this.#waiting.set(key, question)
      // An answer on its way may be older than this event.
      if (isAsked) this.#asked.set(key, question)
      else this.#queue.push(question)
    }
    question.events++
    this.#events++
    return question.promise
  }

  #put(userId: string, change: EventNotice, key: string): Maybe<MayKnowAnswer> {
    const { clock, mayKnow, report } = this.#options
    return thenSync<unknown, MayKnowAnswer>(
      () => {
        const answered = mayKnow(userId, change)
        if (!isThenable(answered)) return answered
        this.#asked.set(key, undefined)
        return inTime(clock, answered, 'mayKnow').finally(() => {
          this.#next(key)
        })
      },
      may => may === true,
      error => {
        report(error)
        return undefined
      },
    )
  }

  /** The question of `key` has its answer, or has none in time. */
  #next(key: string): void {
    const following = this.#asked.get(key)
    this.#asked.delete(key)
    if (following) this.#queue.push(following)
    while (this.#asked.size < mostAsked) {
      const next = this.#queue.shift()
      if (!next) break
      this.#waiting.delete(next.key)
      this.#events -= next.events
      next.answer(this.#late(next))
    }
    if (this.#waiting.size === 0) this.#hasRefused = false
  }

  #late({ userId, change, key, since }: PendingQuestion): Maybe<MayKnowAnswer> {
    const { clock, isReading } = this.#options
    if (!isReading(userId)) return undefined
    if (clock.monotonic() - since < waitMillis) return this.#put(userId, change, key)
    this.#refuse('a question has waited for 30 seconds')
    return undefined
  }

  /** Tells of it once, until no question waits. */
  #refuse(why: string): void {
    if (!this.#hasRefused)
      this.#options.report(new Error(`mayKnow is too slow: ${why}. Pages are told "missed" and load what they show`))
    this.#hasRefused = true
  }
}

/** Rejects if the promise does not settle in time. */
export function inTime<T>(clock: Clock, promise: PromiseLike<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimeout(
      () => {
        reject(new Error(`${what} has not answered within 10 seconds`))
      },
      answerMillis,
      { keepAlive: false },
    )
    Promise.resolve(promise).then(resolve, reject).finally(cancel)
  })
}
