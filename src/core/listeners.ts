/**
 * Functions that are called in the order in which they were added. One that is added during a notification is called from the
 * next one on, one that is removed is not called any more, and one that throws keeps no other from running.
 */
export class Listeners<A extends readonly unknown[]> {
  readonly #all = new Set<{ readonly run: (...args: A) => void }>()
  readonly #onThrow: (error: unknown) => void

  constructor(onThrow: (error: unknown) => void) {
    this.#onThrow = onThrow
  }

  /** Returns a function that removes it. The same function may be added twice. */
  add(run: (...args: A) => void): () => void {
    const listener = { run }
    this.#all.add(listener)
    return () => {
      this.#all.delete(listener)
    }
  }

  tell(...args: A): void {
    for (const listener of [...this.#all])
      try {
        if (this.#all.has(listener)) listener.run(...args)
      } catch (error) {
        this.#onThrow(error)
      }
  }
}
