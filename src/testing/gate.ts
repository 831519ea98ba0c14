/** Lets requests and answers through while it is open. */
export class Gate {
  #opened: Promise<void> | undefined

  /** Returns the function that opens it again. */
  close(): () => void {
    let resolveOpened: (() => void) | undefined
    this.#opened = new Promise(resolve => (resolveOpened = resolve))
    return () => {
      this.#opened = undefined
      resolveOpened?.()
    }
  }

  /** The answer of `run`, which starts and ends while the gate is open. */
  async through<T>(run: () => Promise<T>): Promise<T> {
    try {
      while (this.#opened) await this.#opened
      return await run()
    } finally {
      while (this.#opened) await this.#opened
    }
  }
}
