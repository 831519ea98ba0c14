/** The callbacks of one signal. */
class Waiting {
  /** An object per call, so that one function can be passed twice. */
  readonly calls = new Set<{ readonly run: () => void }>()
  readonly #signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', this.#tell)
  }

  stop(): void {
    this.#signal.removeEventListener('abort', this.#tell)
    if (waiting.get(this.#signal) === this) waiting.delete(this.#signal)
  }

  readonly #tell = (): void => {
    this.stop()
    // A callback may call off a later one, which is then no longer in the set.
    for (const { run } of this.calls) run()
  }
}

/** By signal. One listener serves all callbacks: Node warns of a leak at more than ten listeners. */
const waiting = /* @__PURE__ */ new WeakMap<AbortSignal, Waiting>()

/**
 * Runs callbacks in order of registration when the signal aborts; never if it has aborted already. Returns a function that
 * calls `run` off.
 */
export function onAbort(signal: AbortSignal | undefined, run: () => void): () => void {
  if (!signal || signal.aborted) return ignore
  const all = waiting.get(signal) ?? new Waiting(signal)
  waiting.set(signal, all)
  const call = { run }
  all.calls.add(call)
  return () => {
    if (all.calls.delete(call) && all.calls.size === 0) all.stop()
  }
}

function ignore(): void {}
