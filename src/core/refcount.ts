/** Something that runs while anybody holds it: started for the first, stopped after the last. */
export class Refcount {
  readonly #start: () => () => void
  #count = 0
  #stop: (() => void) | undefined

  constructor(start: () => () => void) {
    this.#start = start
  }

  get isHeld(): boolean {
    return this.#count > 0
  }

  /** Holds until the returned function is called; calling it again does nothing. */
  hold(): () => void {
    // Counted before it starts, since what it starts may ask; and not at all if it cannot.
    if (this.#count++ === 0)
      try {
        this.#stop = this.#start()
      } catch (error) {
        this.#count--
        throw error
      }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (this.#count > 0 && --this.#count === 0) this.#stop?.()
    }
  }

  /** Stops whoever holds it; for the end of everything, since nobody may hold it afterwards. */
  end(): void {
    if (this.#count === 0) return
    this.#count = 0
    this.#stop?.()
  }
}
