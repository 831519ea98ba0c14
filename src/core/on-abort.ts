/** Those who wait for one signal. */
class Waiting {
  /** A call of its own for everybody, so that one function can be given twice. */
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
    // Who is called off by somebody before is no longer in the set.
    for (const { run } of this.calls) run()
  }
}

/** By signal: one listener serves all, since Node takes more than ten on one signal for a leak. */
const waiting = /* @__PURE__ */ new WeakMap<AbortSignal, Waiting>()

/** Calls back when the signal aborts, in the order of asking; never if it has aborted already. Returns what calls it off. */
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
