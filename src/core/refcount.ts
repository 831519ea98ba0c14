/** A task that runs while it is retained: started by the first holder, stopped after the last. */
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

  /** Retains until `release` is called once; for large numbers of holders, where a function each costs too much. */
  retain(): void {
    // Counted before the start, because what starts may hold again; not counted if the start throws.
    if (this.#count++ > 0) return
    try {
      this.#stop = this.#start()
    } catch (error) {
      this.#count--
      throw error
    }
    // The start itself has released the last hold.
    if (this.#count === 0) this.#stop()
  }

  release(): void {
    if (this.#count > 0 && --this.#count === 0) this.#stop?.()
  }

  /** Retains until the returned function is called; calling it again does nothing. */
  retainOnce(): () => void {
    this.retain()
    let isHeld = true
    return () => {
      if (isHeld) this.release()
      isHeld = false
    }
  }

  /** Stops it whatever the count; for disposal, after which nothing may hold it. */
  end(): void {
    if (this.#count === 0) return
    this.#count = 0
    this.#stop?.()
  }
}
