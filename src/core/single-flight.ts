/**
 * At most one run per key at a time, shared by all callers. A failed run is forgotten like any other, so the next call
 * starts a new one.
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>()

  run(key: string, start: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key)
    if (running) return running
    const promise = start().finally(() => this.#running.delete(key))
    this.#running.set(key, promise)
    return promise
  }

  /** The run under way for `key`, if there is one. */
  current(key: string): Promise<T> | undefined {
    return this.#running.get(key)
  }
}
