import { abortWith, throwIfAborted, onAbort } from '../../core/signals'
import { slot, type Kit } from '../../store/kit-parts'

/** A browser runs one ceremony at a time: one started by a button takes precedence over one that waits for autofill. */
export class PasskeyTurns {
  #pressed = 0
  #waiting: AbortController | undefined
  readonly #free = new Set<() => void>()

  /** A ceremony by a button: the waiting one is aborted, and continues afterwards. */
  async press<T>(run: () => Promise<T>): Promise<T> {
    this.#pressed++
    this.#waiting?.abort()
    try {
      return await run()
    } finally {
      this.#pressed--
      if (this.#pressed === 0) for (const go of [...this.#free]) go()
    }
  }

  /** A ceremony that waits for a choice; its signal aborts with `signal`, or when a button is pressed. */
  async wait<T>(signal: AbortSignal, run: (round: AbortController) => Promise<T>): Promise<T> {
    while (this.#pressed > 0 && !signal.aborted) await this.#until(signal)
    throwIfAborted(signal)
    const round = new AbortController()
    const forget = onAbort(signal, () => {
      abortWith(round, signal.reason)
    })
    this.#waiting = round
    try {
      return await run(round)
    } finally {
      forget()
      if (this.#waiting === round) this.#waiting = undefined
    }
  }

  /** Resolves when no button's ceremony runs. */
  #until(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#free.delete(settle)
        forget()
        if (signal.aborted) reject(signal.reason as Error)
        else resolve()
      }
      this.#free.add(settle)
      const forget = onAbort(signal, settle)
    })
  }
}

const turnsKey = {}

export function passkeyTurns(kit: Kit<never>): PasskeyTurns {
  return slot(kit, turnsKey, () => new PasskeyTurns())
}
