/*
 * React Native's signals have neither `reason` nor `throwIfAborted`.
 */

/** Aborts with a reason that every listener can read. */
export function abortWith(controller: AbortController, reason: unknown): void {
  const { signal } = controller
  if (!('reason' in signal)) Object.defineProperty(signal, 'reason', { value: reason })
  controller.abort(reason)
}

/** Throws the reason of a signal of the kit that has aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason
}

/** The callbacks of each signal, an object per call, so that one function can be passed twice. */
const waiting = /* @__PURE__ */ new WeakMap<AbortSignal, Set<{ readonly run: () => void }>>()

/**
 * Runs callbacks in order of registration when the signal aborts; never if it has aborted already. Returns a function that
 * calls `run` off. One listener serves all callbacks of a signal: Node warns of a leak at more than ten.
 */
export function onAbort(signal: AbortSignal | undefined, run: () => void): () => void {
  if (!signal || signal.aborted) return () => undefined
  const calls = waiting.get(signal) ?? new Set()
  if (calls.size === 0) {
    waiting.set(signal, calls)
    signal.addEventListener('abort', tell)
  }
  const call = { run }
  calls.add(call)
  return () => {
    if (calls.delete(call) && calls.size === 0) signal.removeEventListener('abort', tell)
  }
}

function tell(event: Event): void {
  const signal = event.target as AbortSignal
  const calls = waiting.get(signal) ?? []
  waiting.delete(signal)
  signal.removeEventListener('abort', tell)
  // A callback may call off a later one, which is then no longer in the set.
  for (const { run } of calls) run()
}

/**
 * A signal that aborts as soon as one of the two does; `release` removes both listeners. Always a new signal, so that
 * listeners which code of the app adds to it are collected with it.
 */
export function eitherOf(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly release: () => void } {
  // AbortSignal.any is newer than the supported browsers.
  const controller = new AbortController()
  const ends = [first, second].map(signal => {
    const abort = () => {
      abortWith(controller, signal?.reason)
    }
    if (signal?.aborted) abort()
    return onAbort(signal, abort)
  })
  return {
    signal: controller.signal,
    release() {
      for (const end of ends) end()
    },
  }
}
