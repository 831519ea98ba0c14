import type { KitStore } from './store'

/** A store that another one is derived from. */
export type Member = KitStore<unknown>

/** What a derived store watches, while somebody watches it. */
export class Members {
  readonly #held = new Map<Member, () => void>()
  /** Whether what is no good is to be loaded; else it is only watched. */
  #asks = false
  #isFollowing = false

  get all(): readonly Member[] {
    return [...this.#held.keys()]
  }

  /** From now on asks for what is no good. Who comes after a failure starts a new load, whoever watches already. */
  ask(asked: Set<Member>): void {
    for (const store of this.all) {
      if (asked.has(store)) continue
      asked.add(store)
      if (store.ask) store.ask(asked)
      else store.listen(ignore)()
    }
    this.#asks = true
  }

  /**
   * Watches what is `present`, and no longer what is not. The new ones first, so that shared cells stay; after each `read`
   * says what is present then, since watching one may make it known. Ends when `isWanted` says no: who is told of a load may
   * be the last to leave, or dispose of the kit.
   */
  follow(present: readonly Member[], read: () => readonly Member[], isWanted: () => boolean): void {
    // Watching one may commit, and ask for this again: the run under way sees to it.
    if (this.#isFollowing || !isWanted()) return
    this.#isFollowing = true
    try {
      while (isWanted()) {
        const missing = present.find(store => !this.#held.has(store))
        if (!missing) break
        const release = this.#asks ? missing.listen(ignore) : missing.keep()
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

/** Its commits are what tells a derived store. */
function ignore(): void {}
