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

  get count(): number {
    return this.#count
  }

  /** Holds until `leave` is called once for it; for those many who cannot afford a function each. */
  enter(): void {
    // Counted before it starts, since what it starts may ask; and not at all if it cannot.
    if (this.#count++ > 0) return
    try {
      this.#stop = this.#start()
    } catch (error) {
      this.#count--
      throw error
    }
    // Ended by what it has started.
    if (this.#count === 0) this.#stop()
  }

  leave(): void {
    if (this.#count > 0 && --this.#count === 0) this.#stop?.()
  }

  /** Holds until the returned function is called; calling it again does nothing. */
  hold(): () => void {
    this.enter()
    let isHeld = true
    return () => {
      if (isHeld) this.leave()
      isHeld = false
    }
  }

  /** Stops whoever holds it; for the end of everything, since nobody may hold it afterwards. */
  end(): void {
    if (this.#count === 0) return
    this.#count = 0
    this.#stop?.()
  }
}
