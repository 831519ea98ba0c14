import type { Subscriber, Unsubscribable } from 'rxjs'

/**
 * Those who are told every value: a Subject whose subscribers cost less to come, to tell and to go. Nobody is added while it
 * tells: commits see to that.
 */
export class Audience<T> {
  readonly #row = new Seat<T>(undefined, () => undefined)
  #hasEnded = false
  #error: unknown

  /** A place that the subscriber leaves when it unsubscribes, calling `leave`; it is told nothing before `add`. */
  seat(subscriber: Subscriber<T>, leave: () => void): Seat<T> {
    const seat = new Seat(subscriber, leave)
    subscriber.add(seat)
    return seat
  }

  add(seat: Seat<T>): void {
    const { subscriber } = seat
    if (!subscriber || subscriber.closed) return
    if (this.#hasEnded) this.#finish(subscriber)
    else seat.join(this.#row)
  }

  next(value: T): void {
    // Who has left meanwhile still knows who comes after.
    for (let seat = this.#row.after; seat !== this.#row; seat = seat.after) seat.subscriber?.next(value)
  }

  /** Ends those who are there with the error; others may come. */
  fail(error: unknown): void {
    for (const subscriber of this.#all) subscriber.error(error)
  }

  /** The end for everybody, now and later: with the error, if there is one. */
  end(error: unknown): void {
    this.#hasEnded = true
    this.#error = error
    for (const subscriber of this.#all) this.#finish(subscriber)
  }

  get #all(): Subscriber<T>[] {
    const all: Subscriber<T>[] = []
    for (let seat = this.#row.after; seat !== this.#row; seat = seat.after)
      if (seat.subscriber) all.push(seat.subscriber)
    return all
  }

  #finish(subscriber: Subscriber<T>): void {
    if (this.#error === undefined) subscriber.complete()
    else subscriber.error(this.#error)
  }
}

/** One of a row of subscribers, linked to its neighbours: many come and go, and should cost one object each. */
class Seat<T> implements Unsubscribable {
  readonly subscriber: Subscriber<T> | undefined
  before: Seat<T> = this
  after: Seat<T> = this
  readonly #leave: () => void

  constructor(subscriber: Subscriber<T> | undefined, leave: () => void) {
    this.subscriber = subscriber
    this.#leave = leave
  }

  /** Sits down as the last in the row that begins with `first`. */
  join(first: Seat<T>): void {
    this.before = first.before
    this.after = first
    first.before.after = this
    first.before = this
  }

  /** RxJS calls it once. */
  unsubscribe(): void {
    this.before.after = this.after
    this.after.before = this.before
    this.#leave()
  }
}
