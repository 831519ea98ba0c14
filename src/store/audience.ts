import type { Subscriber } from 'rxjs'

/**
 * Those who are told every value: a Subject whose subscribers cost less, since whoever adds one also removes it when it
 * leaves. Nobody is added
 * while it tells: commits see to that.
 */
export class Audience<T> {
  readonly #subscribers = new Set<Subscriber<T>>()
  #hasEnded = false
  #error: unknown

  add(subscriber: Subscriber<T>): void {
    if (this.#hasEnded) {
      this.#finish(subscriber)
      return
    }
    if (!subscriber.closed) this.#subscribers.add(subscriber)
  }

  remove(subscriber: Subscriber<T>): void {
    this.#subscribers.delete(subscriber)
  }

  next(value: T): void {
    for (const subscriber of this.#subscribers) subscriber.next(value)
  }

  /** Ends those who are there with the error; others may come. */
  fail(error: unknown): void {
    for (const subscriber of [...this.#subscribers]) subscriber.error(error)
  }

  /** The end for everybody, now and later: with the error, if there is one. */
  end(error: unknown): void {
    this.#hasEnded = true
    this.#error = error
    for (const subscriber of [...this.#subscribers]) this.#finish(subscriber)
  }

  #finish(subscriber: Subscriber<T>): void {
    if (this.#error === undefined) subscriber.complete()
    else subscriber.error(this.#error)
  }
}
