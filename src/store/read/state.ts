import { Observable, type Subscriber } from 'rxjs'

/**
 * A state that is always known: `value` reads it, and subscribing emits it at once, then each different one. Synchronous and
 * without errors, for templates; a kit after `dispose()` refuses new subscribers with DISPOSED.
 */
export interface State<T> extends Observable<T>, AsyncIterable<T> {
  readonly value: T
}

/** Before the first value, which may be undefined. */
const nothing = {}

/**
 * The state that `read` returns. `follow` calls back after each change until the subscriber is closed; it is read again then,
 * and emitted if it differs. `session`: is brought up to date before `value` is read without subscribers.
 */
export class KitState<T> extends Observable<T> implements State<T> {
  /** Set on the prototype by `makeIterable`. */
  declare readonly [Symbol.asyncIterator]: () => AsyncIterator<T>
  readonly #read: () => T
  readonly #session: { look(): void } | undefined

  constructor(
    read: () => T,
    follow: (subscriber: Subscriber<T>, callback: () => void) => void,
    session?: { look(): void },
    isSame: (one: T, other: T) => boolean = Object.is,
  ) {
    super(subscriber => {
      let last: T | typeof nothing = nothing
      const tell = () => {
        const now = read()
        if (last !== nothing && isSame(last as T, now)) return
        last = now
        subscriber.next(now)
      }
      follow(subscriber, tell)
      tell()
    })
    this.#read = read
    this.#session = session
  }

  /** The status alone, for logs and consoles: a value may contain tokens. */
  toJSON(): object {
    const value = this.value as { readonly status?: unknown } | null | undefined
    return { status: value?.status }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return this.toJSON()
  }

  /** Vue's mark of what it does not wrap: a proxy cannot read private members. */
  get __v_skip(): boolean {
    return true
  }

  get value(): T {
    this.#session?.look()
    return this.#read()
  }
}
