import type { KitStore } from './store'

/** A store that a derived store reads. */
export type Dependency = KitStore<unknown>

/** The stores that a derived store watches, while it is watched. */
export class Dependencies {
  readonly #held = new Map<Dependency, () => void>()
  /** Whether to load stores without a good value; otherwise they are only watched. */
  #asks = false
  #isFollowing = false

  get all(): readonly Dependency[] {
    return [...this.#held.keys()]
  }

  /** Loads stores without a good value from now on. After a failure, each new watcher starts a load. */
  ask(asked: Set<Dependency>): void {
    for (const store of this.all) {
      if (asked.has(store)) continue
      asked.add(store)
      if (store.ask) store.ask(asked)
      else store.listen(ignore)()
    }
    this.#asks = true
  }

  /**
   * Watches the stores in `present` and releases the others. New ones come first, so that shared cells stay. Watching may
   * make values known, so `read` gives the stores anew after each. Ends when `isWanted` returns false: a subscriber notified
   * of a load may be the last one, or dispose of the kit.
   */
  follow(present: readonly Dependency[], read: () => readonly Dependency[], isWanted: () => boolean): void {
    // Watching may commit and call this again; the run under way covers it.
    if (this.#isFollowing || !isWanted()) return
    this.#isFollowing = true
    try {
      while (isWanted()) {
        const missing = present.find(store => !this.#held.has(store))
        if (!missing) break
        const release = this.#asks ? missing.listen(ignore) : missing.retain()
        if (isWanted()) this.#held.set(missing, release)
        else release()
        present = read()
      }
      for (const [store, release] of this.#held)
        if (!present.includes(store)) {
          this.#held.delete(store)
          release()
        }
    } finally {
      this.#isFollowing = false
    }
  }

  /** Watches nothing any more. */
  release(): void {
    for (const release of this.#held.values()) release()
    this.#held.clear()
    this.#asks = false
  }
}

/** A derived store is notified by commits. */
function ignore(): void {}
