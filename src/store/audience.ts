import type { Subscriber, Unsubscribable } from 'rxjs'

/**
 * Subscribers that receive every value: a Subject with cheaper subscriptions. None is added during `next`; commits make sure
 * of it.
 */
export class Audience<T> {
  readonly #row = new Seat<T>(undefined, () => undefined)
  #hasEnded = false
  #error: unknown

  /** A seat for the subscriber. Unsubscribing removes it and calls `release`; it receives values after `add`. */
  seat(subscriber: Subscriber<T>, release: () => void): Seat<T> {
    const seat = new Seat(subscriber, release)
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
    // A seat removed meanwhile still links to the next one.
    for (let seat = this.#row.after; seat !== this.#row; seat = seat.after) seat.subscriber?.next(value)
  }

  /** Ends the present subscribers with the error; more may be added later. */
  fail(error: unknown): void {
    for (const subscriber of this.#all) subscriber.error(error)
  }

  /** Ends present and later subscribers: with the error, if there is one. */
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

/** A node of a linked list of subscribers, so that a subscription costs one object. */
class Seat<T> implements Unsubscribable {
  readonly subscriber: Subscriber<T> | undefined
  before: Seat<T> = this
  after: Seat<T> = this
  readonly #release: () => void

  constructor(subscriber: Subscriber<T> | undefined, release: () => void) {
    this.subscriber = subscriber
    this.#release = release
  }

  /** Appends itself to the list that begins with `first`. */
  join(first: Seat<T>): void {
    this.before = first.before
    this.after = first
    first.before.after = this
    first.before = this
  }

  /** Called once, by RxJS. */
  unsubscribe(): void {
    this.before.after = this.after
    this.after.before = this.before
    this.#release()
  }
}
